import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { lockText } from '../../src/lock/lock-file';
import { checkStability, type LockedProject } from '../../src/lock/stability';
import { ProjectError } from '../../src/model/problem';
import { plannedProject } from '../../src/plan/planned-project';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'stability-'))));
afterAll(() => rmSync(folder, { recursive: true }));

const all = () => true;
const none = () => false;

/** A project with one kind, its fields in flow style. */
function load(spec: string, { version = 'v1', types = '{}', more = '' } = {}): LockedProject {
  const loaded = loadProject(
    folder,
    `name: t
groups:
  - name: example.svc.dev
    versions: [${version}]
    types: ${types}
    kinds:
      - name: Device
        ${more}
        versions:
          ${version}:
            spec: ${spec}
`,
  );
  return { ...loaded, lock: plannedProject(loaded.project).lock };
}

/** Returns the messages without the name of the kind and the version. */
function changes(before: LockedProject, after: LockedProject): string[] {
  return checkStability(after, lockText(before.lock), all).map(({ message }) =>
    message.replace(/^.*?\/v\w+: /, ''),
  );
}

const SENDERS = 'breaking: requests of existing clients may be refused';
const BOTH = `${SENDERS}, and fields that clients read may be missing or have another form`;

describe('each change of a stable version is breaking or compatible', () => {
  const table: [string, given: string, then: string, want: string[]][] = [
    ['nothing', '{ a: string }', '{ a: string }', []],
    ['the order', '{ a: string, b: integer }', '{ b: integer, a: string }', []],
    ['a description', '{ a: string }', '{ a: { type: string, description: x } }', []],
    [
      'the order of a default',
      '{ a: { type: any, default: { x: 1, y: [2] } } }',
      '{ a: { type: any, default: { y: [2], x: 1 } } }',
      [],
    ],
    [
      'a length of at least 0',
      '{ a: string, b: { type: list, items: string }, c: { type: integer } }',
      '{ a: { type: string, rules: [min=0] }, b: { type: list, items: string, rules: [min=0] }, c: { type: integer, rules: [min=0] } }',
      [
        'spec.a: rule min was added: 0 (compatible)',
        'spec.b: rule min was added: 0 (compatible)',
        `spec.c: rule min was added: 0 (${SENDERS})`,
      ],
    ],
    [
      'an optional field more',
      '{ a: string }',
      '{ a: string, b: string }',
      ['spec.b: a field was added (compatible)'],
    ],
    [
      'a required field more',
      '{ a: string }',
      '{ a: string, b: { type: string, rules: [required] } }',
      [`spec.b: a required field was added (${SENDERS})`],
    ],
    [
      'a required field with a default more',
      '{ a: string }',
      '{ a: string, b: { type: string, rules: [required], default: x } }',
      ['spec.b: a field was added (compatible)'],
    ],
    [
      'a field less',
      '{ a: string, b: string }',
      '{ a: string }',
      [`spec.b: the field was removed (${BOTH})`],
    ],
    [
      'another type',
      '{ a: string }',
      '{ a: integer }',
      [`spec.a: the type changed from string to integer (${BOTH})`],
    ],
    [
      'a timestamp is no string',
      '{ a: string }',
      '{ a: timestamp }',
      [`spec.a: the type changed from string to timestamp (${BOTH})`],
    ],
    [
      'a map is no object',
      '{ a: { type: map, values: string } }',
      '{ a: { type: object, fields: {} } }',
      [`spec.a: the type changed from map to object (${BOTH})`],
    ],
    [
      'required now',
      '{ a: string }',
      '{ a: { type: string, rules: [required] } }',
      [`spec.a: the field became required (${SENDERS})`],
    ],
    [
      'required no more',
      '{ a: { type: string, rules: [required] } }',
      '{ a: string }',
      [
        'spec.a: the field is no longer required (breaking: fields that clients read may be missing or have another form)',
      ],
    ],
    [
      'a wider max',
      '{ a: { type: string, rules: [max=5] } }',
      '{ a: { type: string, rules: [max=9] } }',
      ['spec.a: rule max changed from 5 to 9 (compatible)'],
    ],
    [
      'a narrower max',
      '{ a: { type: list, items: string, rules: [max=9] } }',
      '{ a: { type: list, items: string, rules: [max=5] } }',
      [`spec.a: rule max changed from 9 to 5 (${SENDERS})`],
    ],
    [
      'a new min of zero',
      '{ a: number }',
      '{ a: { type: number, rules: [min=0] } }',
      [`spec.a: rule min was added: 0 (${SENDERS})`],
    ],
    [
      'an inclusive bound in place of an exclusive one',
      '{ a: { type: integer, rules: [gt=1] }, b: { type: number, rules: [lt=9] } }',
      '{ a: { type: integer, rules: [min=2] }, b: { type: number, rules: [max=9] } }',
      [
        'spec.a: rule min was added: 2 (compatible)',
        'spec.a: rule gt was removed: 1 (compatible)',
        'spec.b: rule max was added: 9 (compatible)',
        'spec.b: rule lt was removed: 9 (compatible)',
      ],
    ],
    [
      'an exclusive bound in place of an inclusive one',
      '{ a: { type: integer, rules: [max=5] }, b: { type: number, rules: [min=2] } }',
      '{ a: { type: integer, rules: [lt=5] }, b: { type: number, rules: [gt=2] } }',
      [
        'spec.a: rule max was removed: 5 (compatible)',
        `spec.a: rule lt was added: 5 (${SENDERS})`,
        'spec.b: rule min was removed: 2 (compatible)',
        `spec.b: rule gt was added: 2 (${SENDERS})`,
      ],
    ],
    [
      'gt gone',
      '{ a: { type: number, rules: [gt=0] } }',
      '{ a: number }',
      ['spec.a: rule gt was removed: 0 (compatible)'],
    ],
    [
      'a value more',
      '{ a: { type: string, rules: [oneof=x y] } }',
      '{ a: { type: string, rules: [oneof=y x z] } }',
      ['spec.a: oneof also allows z (compatible)'],
    ],
    [
      'a value less',
      '{ a: { type: string, rules: [oneof=x y] } }',
      '{ a: { type: string, rules: [oneof=x] } }',
      [`spec.a: oneof no longer allows y (${SENDERS})`],
    ],
    [
      'a pattern',
      '{ a: string }',
      "{ a: { type: string, rules: ['pattern=^a'] } }",
      [`spec.a: rule pattern was added: ^a (${SENDERS})`],
    ],
    [
      'a format less',
      '{ a: { type: string, rules: [ip] } }',
      '{ a: string }',
      ['spec.a: format rule was removed: ip (compatible)'],
    ],
    [
      'another default',
      '{ a: { type: boolean, default: false } }',
      '{ a: { type: boolean, default: true } }',
      ['spec.a: default changed from false to true (breaking: an absent field has a different meaning)'],
    ],
    [
      'an empty default',
      '{ a: { type: string, default: "" }, b: string }',
      '{ a: { type: string, default: x }, b: { type: string, default: "" } }',
      [
        'spec.a: default changed from "" to "x" (breaking: an absent field has a different meaning)',
        'spec.b: default was added: "" (compatible)',
      ],
    ],
    [
      'a default',
      '{ a: integer }',
      '{ a: { type: integer, default: 0 } }',
      ['spec.a: default was added: 0 (compatible)'],
    ],
    [
      'within lists, maps and objects',
      '{ a: { type: list, items: { type: map, values: { type: object, fields: { b: string } } } } }',
      '{ a: { type: list, items: { type: map, values: { type: object, fields: { b: integer } } } } }',
      [`spec.a[]{}.b: the type changed from string to integer (${BOTH})`],
    ],
  ];
  test.each(table)('%s', (_name, given, then, want) => {
    expect(changes(load(given), load(then))).toEqual(want);
  });
});

test('shared types count as what they contain, recursive ones too', () => {
  const tree = (leaf: string): LockedProject =>
    load('{ root: Tree }', { types: `{ Tree: { leaf: ${leaf}, children: { type: list, items: Tree } } }` });
  expect(changes(tree('string'), tree('string'))).toEqual([]);
  expect(changes(tree('string'), tree('integer'))).toEqual([
    `spec.root.leaf: the type changed from string to integer (${BOTH})`,
  ]);
  const inline = load('{ a: { type: object, fields: { b: string } } }');
  expect(changes(inline, load('{ a: T }', { types: '{ T: { b: string } }' }))).toEqual([]);
});

describe('shared types that lead to each other by very many ways', () => {
  const types = (count: number, text: (index: number) => string) =>
    `{ ${Array.from({ length: count }, (_, index) => `T${index}: ${text(index)}`).join(', ')} }`;
  const twice = (leaf: string): string =>
    types(40, (i) => (i < 39 ? `{ a: T${i + 1}, b: T${i + 1} }` : `{ leaf: ${leaf} }`));
  const mutual = (leaf: string): string =>
    types(200, (i) => {
      const next = Array.from({ length: 20 }, (_, j) => `f${j}: T${(i * 7 + j) % 200}`);
      return `{ leaf: ${i === 150 ? leaf : 'string'}, ${next.join(', ')} }`;
    });

  test.each([
    ['each used twice', twice],
    ['mutually recursive', mutual],
  ])('%s', (_what, of) => {
    const [before, after] = ['string', 'integer'].map((leaf) =>
      load('{ x: T0, y: T0 }', { types: of(leaf) }),
    );
    expect(changes(before, before)).toEqual([]);
    const [first, second, ...more] = changes(before, after);
    expect(more).toEqual([]);
    expect(first).toMatch(/^spec\.x\.[^:]*\.leaf: the type changed from string to integer \(/);
    expect(second).toBe(first.replace('spec.x', 'spec.y'));
  });
});

test('a field called description and defaults with one are compared', () => {
  const field = (value: string): LockedProject =>
    load(`{ description: string, a: { type: any, default: { description: ${value} } } }`);
  expect(changes(field('x'), field('x'))).toEqual([]);
  expect(changes(field('x'), field('y'))).toHaveLength(1);
});

test('a removed kind, version and plural are breaking; added ones are no change', () => {
  const one = load('{ a: string }');
  const empty = loadProject(folder, 'name: t\ngroups: [{ name: example.svc.dev, versions: [v1] }]\n');
  const none = { ...empty, lock: plannedProject(empty.project).lock };
  expect(changes(one, none)).toEqual(['the kind was removed (breaking: its URLs no longer exist)']);
  expect(changes(none, one)).toEqual([]);
  expect(changes(one, load('{ a: string }', { version: 'v2' }))).toEqual([
    'the version was removed (breaking: its URLs no longer exist)',
  ]);
  expect(changes(one, load('{ a: string }', { more: 'plural: machines' }))).toEqual([
    'the plural changed from devices to machines (breaking: its URLs have changed)',
  ]);
});

describe('declarations', () => {
  const TABLE: [string, given: string, then: string, want: string[]][] = [
    [
      'selectable',
      '{ a: string }',
      '{ a: { type: string, selectable: true } }',
      ['spec.a: the field became selectable (compatible)'],
    ],
    [
      'selectable no more',
      '{ a: { type: string, selectable: true } }',
      '{ a: string }',
      ['spec.a: the field is no longer selectable (breaking: lists selected by it return 400)'],
    ],
    [
      'a reference that becomes selectable',
      '{ a: { type: string, ref: Device } }',
      '{ a: { type: string, ref: Device, selectable: true } }',
      [],
    ],
    [
      'unique',
      '{ a: string }',
      '{ a: { type: string, rules: [unique] } }',
      [`spec.a: rule unique was added (${SENDERS})`],
    ],
    [
      'unique no more, but selectable',
      '{ a: { type: string, rules: [unique] } }',
      '{ a: { type: string, selectable: true } }',
      ['spec.a: rule unique was removed (breaking: clients may rely on it)'],
    ],
    [
      'immutable',
      '{ o: { type: object, fields: { a: string } } }',
      '{ o: { type: object, fields: { a: { type: string, rules: [immutable] } } } }',
      [`spec.o.a: rule immutable was added (${SENDERS})`],
    ],
    [
      'a reference',
      '{ a: { type: list, items: string } }',
      '{ a: { type: list, items: { type: string, ref: Device } } }',
      [`spec.a: ref was added: Device (restrict) (${SENDERS})`],
    ],
    [
      'another onDelete',
      '{ a: { type: string, ref: Device } }',
      '{ a: { type: string, ref: { kind: Device, onDelete: cascade } } }',
      [
        'spec.a: ref changed from Device (restrict) to Device (cascade) (breaking: deletions have another effect)',
      ],
    ],
    [
      'a reference no more',
      '{ a: { type: string, ref: Device } }',
      '{ a: string }',
      ['spec.a: ref was removed: Device (restrict) (breaking: clients may rely on it)'],
    ],
    [
      'a new field with declarations',
      '{}',
      '{ a: { type: string, rules: [unique] } }',
      ['spec.a: a field was added (compatible)'],
    ],
  ];
  test.each(TABLE)('%s', (_what, given, then, want) => {
    expect(changes(load(given), load(given))).toEqual([]);
    expect(changes(load(given), load(then))).toEqual(want);
  });

  test('names: unique', () => {
    const [without, names] = [load('{}'), load('{}', { more: 'names: unique' })];
    expect(changes(without, names)).toEqual([`names: unique was added (${SENDERS})`]);
    expect(changes(names, without)).toEqual([
      'names: unique was removed (breaking: URLs with a name no longer exist)',
    ]);
  });

  test('specVersioning, unless an earlier release did not record it', () => {
    // Declared, so that the field alone shows no change.
    const declared = (more = ''): LockedProject =>
      load('{}\n            status: { version: string }', { more });
    const [without, versioned] = [declared(), declared('specVersioning: { keep: 3 }')];
    expect(changes(without, versioned)).toEqual(['specVersioning was added (compatible)']);
    expect(changes(versioned, without)).toEqual([
      'specVersioning was removed (breaking: URLs with a version of the spec no longer exist)',
    ]);
    const earlier = lockText(without.lock).replace(/"specVersioning": \w+,/, '');
    expect(checkStability(versioned, earlier, all)).toEqual([]);
  });

  test('a spoke has those of the storage version, by its own paths', () => {
    const text = (price: string): string => `name: t
groups:
  - versions: [v1alpha1, v1, v2]
    storageVersion: v1alpha1
    kinds:
      - name: Device
        versions:
          v1alpha1: { spec: { price: ${price} } }
          v1: { spec: { cost: string }, conversion: [{ rename: { hub: spec.price, spoke: spec.cost } }] }
          v2: { spec: { cost: string }, conversion: [] }
`;
    const [before, after] = ['string', '{ type: string, rules: [unique] }'].map((price): LockedProject => {
      const loaded = loadProject(folder, text(price));
      return { ...loaded, lock: plannedProject(loaded.project).lock };
    });
    expect(checkStability(after, lockText(before.lock), all).map(({ message }) => message)).toEqual([
      `Device in example.svc.dev/v1: spec.cost: rule unique was added (${SENDERS})`,
    ]);
  });
});

describe('by stability', () => {
  const change = (version: string, isAcknowledged = none): unknown[] => {
    const [before, after] = ['{ a: string }', '{ a: integer }'].map((spec) => load(spec, { version }));
    return checkStability(after, lockText(before.lock), isAcknowledged);
  };
  test('alpha changes freely', () => expect(change('v1alpha1')).toEqual([]));
  test('beta is warned', () => expect(change('v1beta1')).toHaveLength(1));
  test('stable is refused, with the place and how to go on', () => {
    expect.assertions(2);
    try {
      change('v1');
    } catch (error) {
      expect(error).toBeInstanceOf(ProjectError);
      expect((error as ProjectError).problems).toMatchObject([
        { file: 'project.yaml', line: 11, hint: expect.stringContaining('--force') as string },
      ]);
    }
  });
  test('what was removed can be taken back', () => {
    const before = lockText(load('{ a: string }').lock);
    const refused = {
      problems: [
        { hint: expect.stringMatching(/^v1 is stable: revert the change, or .*--force"$/) as string },
      ],
    };
    expect(
      outcomeOf(() => checkStability(load('{ a: string }', { version: 'v2' }), before, none)),
    ).toMatchObject(refused);
  });
  test('stable and acknowledged is a warning', () => expect(change('v1', all)).toHaveLength(1));
});

function outcomeOf(check: () => unknown): unknown {
  try {
    return check();
  } catch (error) {
    return error;
  }
}

describe('the place of a change is the innermost declaration that has it', () => {
  const object = (fields: string): string => `{ a: { type: object, fields: { ${fields} } } }`;
  const lists = (b: string): string =>
    `{ a: { type: map, values: { type: list, items: { type: object, fields: { b: ${b} } } } } }`;
  const A = '{ a: string }';
  const TYPED = '{ a: { type: list, items: T } }';
  const table: [string, given: Parameters<typeof load>, then: Parameters<typeof load>, want: string][] = [
    ['a field', [A], ['{ a: integer }'], 'integer'],
    ['inside an object', [object('b: string')], [object('b: integer')], 'integer'],
    ['inside the values of a map of lists', [lists('string')], [lists('number')], 'number'],
    ['a removed field', [object('b: string, c: string')], [object('b: string')], '{ b: string'],
    [
      'inside a shared type',
      [TYPED, { types: '{ T: { b: string } }' }],
      [TYPED, { types: '{ T: { b: integer } }' }],
      'T }',
    ],
    ['the plural', [A], [A, { more: 'plural: things' }], 'things'],
    ['unique names', [A], [A, { more: 'names: unique' }], 'unique'],
  ];
  test.each(table)('%s', (_, given, then, want) => {
    const [{ source, column }] = checkStability(load(...then), lockText(load(...given).lock), all);
    expect(source!.slice(column! - 1)).toMatch(new RegExp(`^${want}`));
  });
});

test('changes are in the order of project.yaml, refused or acknowledged', () => {
  const before = load('{ a: string, b: string, c: string }');
  const after = load('{ c: integer, a: integer, b: integer }');
  const lock = lockText(before.lock);
  const refused = outcomeOf(() => checkStability(after, lock, none)) as ProjectError;
  for (const problems of [refused.problems, checkStability(after, lock, all)]) {
    expect(problems.map(({ message }) => /spec\.\w/.exec(message)![0])).toEqual([
      'spec.c',
      'spec.a',
      'spec.b',
    ]);
  }
});

test('without a lock nothing is compared', () => {
  expect(checkStability(load('{ a: string }'), undefined, none)).toEqual([]);
});

describe('a lock that svcgen did not write is a problem at its place, with the way out', () => {
  const project = load('{ a: string }');
  const sound = lockText(project.lock);
  const changed = (path: string, value: unknown): string => {
    const lock = JSON.parse(sound) as object;
    const steps = path.split('/');
    const holder = steps.slice(0, -1).reduce((at, step) => (at as { [step: string]: object })[step], lock);
    (holder as { [step: string]: unknown })[steps.at(-1)!] = value;
    return JSON.stringify(lock, null, 2);
  };
  const kind = 'groups/example.svc.dev/Device';
  const deep = `${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}`;

  test.each<[string, string, line: number | undefined]>([
    ['nothing', '', 1],
    ['a half', sound.slice(0, 100), 5],
    ['another format', changed('format', 99), 3],
    ['null', 'null', 1],
    ['a list', '[]', 1],
    ['groups that are a list', changed('groups', [1]), 4],
    ['a kind without versions', changed(kind, { plural: 'devices' }), 6],
    ['a kind that is null', changed(kind, null), 6],
    ['a version that is text', changed(`${kind}/versions/v1`, 'x'), 10],
    ['fields that are a number', changed(`${kind}/versions/v1/spec/properties`, 7), 13],
    ['required fields that are text', changed(`${kind}/versions/v1/spec/required`, 'a'), undefined],
    ['a field that is null', changed(`${kind}/versions/v1/spec/properties/a`, null), 14],
    ['shared types that are missing', changed(`${kind}/versions/v1/types`, undefined), undefined],
    ['nesting without end', changed(`${kind}/versions/v1/spec`, 'HERE').replace('"HERE"', deep), undefined],
  ])('%s', (_what, lock, line) => {
    const error = outcomeOf(() => checkStability(project, lock, none)) as ProjectError;
    expect(error).toBeInstanceOf(ProjectError);
    const [problem, ...more] = error.problems;
    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      file: 'svcgen.lock',
      hint: expect.stringContaining('svcgen generate') as string,
    });
    if (line !== undefined) expect(problem.line).toBe(line);
  });

  test.each(['<<<<<<< HEAD', '||||||| 1f0c2a7', '=======', '>>>>>>> other'])(
    'a merge conflict: %s',
    (marker) => {
      const lock = sound.replace('  "groups"', `${marker}\n  "groups"`);
      expect(outcomeOf(() => checkStability(project, lock, none))).toMatchObject({
        problems: [{ line: 4, message: 'this file has a merge conflict' }],
      });
    },
  );

  test('both sides of a merge conflict', () => {
    const other = '"Device": { "plural": "devices", "versions": {} },';
    const lock = sound.replace('      "Device"', `      ${other}\n      "Device"`);
    expect(outcomeOf(() => checkStability(project, lock, none))).toMatchObject({
      problems: [{ line: 7, column: 7, message: '"Device" is given twice' }],
    });
  });

  test('a reference to a type that it lacks is a change', () => {
    const lock = changed(`${kind}/versions/v1/spec/properties/a`, { $ref: '#/$defs/constructor' });
    expect(checkStability(project, lock, all)).toHaveLength(1);
  });

  test('control characters of its names are not printed', () => {
    const lock = sound.replace('"Device"', '"\\u001b[31mEvil"');
    expect(checkStability(project, lock, all)[0].message).toMatch(/^\ufffd\[31mEvil in /);
  });
});
