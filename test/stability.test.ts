import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProject, type LoadedProject } from '../src/load/load-project';
import { ProjectError } from '../src/problem';
import { checkStability, lockText } from '../src/stability';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'stability-'))));
afterAll(() => rmSync(folder, { recursive: true }));

/** A project with one kind, its fields in flow style. */
function load(spec: string, { version = 'v1', types = '{}', more = '' } = {}): LoadedProject {
  return loadProject(
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
}

/** What stands behind the name of the kind and the version in each message. */
function changes(before: LoadedProject, after: LoadedProject): string[] {
  return checkStability(after, lockText(before.project), true).map(({ message }) =>
    message.replace(/^.*?\/v\w+: /, ''),
  );
}

const SENDERS = 'breaking: what clients send may be refused now';
const BOTH = `${SENDERS}, and what clients read may be missing or of another form now`;

describe('each change of a stable version is breaking or compatible', () => {
  const table: [string, given: string, then: string, want: string[]][] = [
    ['nothing', '{ a: string }', '{ a: string }', []],
    ['the order', '{ a: string, b: integer }', '{ b: integer, a: string }', []],
    ['a description', '{ a: string }', '{ a: { type: string, description: x } }', []],
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
        'spec.a: the field is no longer required (breaking: what clients read may be missing or of another form now)',
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
      'gt gone',
      '{ a: { type: number, rules: [gt=0] } }',
      '{ a: number }',
      ['spec.a: rule gt was removed: 0 (compatible)'],
    ],
    [
      'a value more',
      '{ a: { type: string, rules: [oneof=x y] } }',
      '{ a: { type: string, rules: [oneof=y x z] } }',
      ['spec.a: oneof got z (compatible)'],
    ],
    [
      'a value less',
      '{ a: { type: string, rules: [oneof=x y] } }',
      '{ a: { type: string, rules: [oneof=x] } }',
      [`spec.a: oneof lost y (${SENDERS})`],
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
      ['spec.a: default changed from false to true (breaking: an absent field means something else now)'],
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
  const tree = (leaf: string): LoadedProject =>
    load('{ root: Tree }', { types: `{ Tree: { leaf: ${leaf}, children: { type: list, items: Tree } } }` });
  expect(changes(tree('string'), tree('string'))).toEqual([]);
  expect(changes(tree('string'), tree('integer'))).toEqual([
    `spec.root.leaf: the type changed from string to integer (${BOTH})`,
  ]);
  const inline = load('{ a: { type: object, fields: { b: string } } }');
  expect(changes(inline, load('{ a: T }', { types: '{ T: { b: string } }' }))).toEqual([]);
});

test('a field called description and defaults with one are compared', () => {
  const field = (value: string): LoadedProject =>
    load(`{ description: string, a: { type: any, default: { description: ${value} } } }`);
  expect(changes(field('x'), field('x'))).toEqual([]);
  expect(changes(field('x'), field('y'))).toHaveLength(1);
});

test('a removed kind, version and plural are breaking; added ones are no change', () => {
  const one = load('{ a: string }');
  const none = loadProject(folder, 'name: t\ngroups: [{ name: example.svc.dev, versions: [v1] }]\n');
  expect(changes(one, none)).toEqual(['the kind was removed (breaking: its addresses are gone)']);
  expect(changes(none, one)).toEqual([]);
  expect(changes(one, load('{ a: string }', { version: 'v2' }))).toEqual([
    'the version was removed (breaking: its addresses are gone)',
  ]);
  expect(changes(one, load('{ a: string }', { more: 'plural: machines' }))).toEqual([
    'the plural changed from devices to machines (breaking: its addresses are others now)',
  ]);
});

describe('by stability', () => {
  const change = (version: string, force = false): unknown[] => {
    const [before, after] = ['{ a: string }', '{ a: integer }'].map((spec) => load(spec, { version }));
    return checkStability(after, lockText(before.project), force);
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
    const before = lockText(load('{ a: string }').project);
    const refused = {
      problems: [{ hint: expect.stringMatching(/^v1 is stable: take it back, or .*--force$/) as string }],
    };
    expect(
      outcomeOf(() => checkStability(load('{ a: string }', { version: 'v2' }), before, false)),
    ).toMatchObject(refused);
  });
  test('stable with force is a warning', () => expect(change('v1', true)).toHaveLength(1));
});

function outcomeOf(check: () => unknown): unknown {
  try {
    return check();
  } catch (error) {
    return error;
  }
}

test('without a lock nothing is compared; a damaged one is a problem', () => {
  const project = load('{ a: string }');
  expect(checkStability(project, undefined, false)).toEqual([]);
  for (const damaged of ['', '{', '<<<<<<< HEAD', '{"format": 99}', 'null']) {
    expect(() => checkStability(project, damaged, false)).toThrow(ProjectError);
  }
});
