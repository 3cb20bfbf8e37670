import fc from 'fast-check';
import { parse } from 'yaml';
import { addKind, addVersion, type NewKind, newProjectText, type NewVersion } from '../../src/edit/scaffold';
import { type LoadedProject, loadProject } from '../../src/load/load-project';
import { ProjectError } from '../../src/model/problem';

const newProject = {
  name: 'device-service',
  group: 'example.svc.dev',
  versions: ['v1'],
  storageVersion: 'v1',
  validation: 'strict' as const,
  events: false,
};

const minimal = `# the shop
name: shop

groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v2beta1] # newest last
    kinds: [] # none yet
`;

const withDevice = `name: shop
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions:
      - v1 # stable
      - v2beta1

    kinds:
      # what we rent out
      - name: Device   # aligned
        versions:
          v1:
            spec:
              name:   { type: string }   # shown
              # model: string

  # the other team
  - name: other.dev
    versions: [v1]
`;

const lines = (text: string) => text.split('\n').filter((line) => line !== '');

describe('the text of a new project', () => {
  test('has the schema for editors, the choices, and no kind', () => {
    expect(newProjectText(newProject)).toBe(`# yaml-language-server: $schema=.svcgen/project.schema.json
name: device-service
validation: strict              # strict | warn | disabled
events: false                   # true: publish CloudEvents
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1]
    kinds: []                   # svcgen add kind <Kind>
`);
  });

  test('quotes what YAML would read as something else', () => {
    const text = newProjectText({ ...newProject, name: 'null', group: '1.2', versions: ['v1', 'v2'] });
    expect(parse(text)).toMatchObject({ name: 'null', groups: [{ name: '1.2', versions: ['v1', 'v2'] }] });
  });
});

/** The last kind ends with fields that are commented out. */
const spaced = `name: shop
groups:
  - name: example.svc.dev
    versions: [v1]
    kinds:
      - name: Device
        versions:
          v1:
            spec:
              name: string


              # model: string

              # site: string

  # the end
`;

const kinds: [string, { text: string; kind: NewKind; want: string }][] = [
  [
    'into an empty list, whose comment stays',
    {
      text: minimal,
      kind: { name: 'Device', plural: 'kit', specVersioning: true },
      want: `# the shop
name: shop

groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v2beta1] # newest last
    kinds: # none yet
      - name: Device
        plural: kit
        specVersioning: true
        versions:
          v1:
            spec:
              description: { type: string, rules: [max=200] }
            status:
              phase: string
              message: string
              ready: { type: boolean, default: false }
`,
    },
  ],
  [
    'after the last one, before what belongs to the next group',
    {
      text: withDevice,
      kind: { name: 'Room', group: 'example.svc.dev', version: 'v2beta1' },
      want: `name: shop
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions:
      - v1 # stable
      - v2beta1

    kinds:
      # what we rent out
      - name: Device   # aligned
        versions:
          v1:
            spec:
              name:   { type: string }   # shown
              # model: string
      - name: Room
        versions:
          v1:
            spec:
              description: { type: string, rules: [max=200] }
            status:
              phase: string
              message: string
              ready: { type: boolean, default: false }
          v2beta1:
            spec:
              description: { type: string, rules: [max=200] }
            status:
              phase: string
              message: string
              ready: { type: boolean, default: false }

  # the other team
  - name: other.dev
    versions: [v1]
`,
    },
  ],
  [
    'after a comment of the last one below a blank line',
    {
      text: spaced,
      kind: { name: 'Room' },
      want: spaced.replace(
        '\n  # the end\n',
        `      - name: Room
        versions:
          v1:
            spec:
              description: { type: string, rules: [max=200] }
            status:
              phase: string
              message: string
              ready: { type: boolean, default: false }

  # the end
`,
      ),
    },
  ],
  [
    'a version of a kind that is there',
    {
      text: withDevice,
      kind: { name: 'Device', group: 'example.svc.dev', version: 'v2beta1' },
      want: withDevice.replace(
        '              # model: string\n',
        `              # model: string
          v2beta1:
            spec:
              description: { type: string, rules: [max=200] }
            status:
              phase: string
              message: string
              ready: { type: boolean, default: false }
`,
      ),
    },
  ],
  [
    'into a group that has no kinds key, without a newline at the end',
    {
      text: 'name: shop\ngroups:\n- name: a.dev\n  versions: [v1]',
      kind: { name: 'Null' },
      want: `name: shop
groups:
- name: a.dev
  versions: [v1]
  kinds:
    - name: "Null"
      versions:
        v1:
          spec:
            description: { type: string, rules: [max=200] }
          status:
            phase: string
            message: string
            ready: { type: boolean, default: false }`,
    },
  ],
  [
    'with a blank line between kinds where there is one',
    {
      text: 'groups:\n - name: a\n   versions: [v1]\n   kinds:\n   -   name: A\n\n   -   name: B\n       plural: bs\n',
      kind: { name: 'C' },
      want: `groups:
 - name: a
   versions: [v1]
   kinds:
   -   name: A

   -   name: B
       plural: bs

   -   name: C
       versions:
         v1:
           spec:
             description: { type: string, rules: [max=200] }
           status:
             phase: string
             message: string
             ready: { type: boolean, default: false }
`,
    },
  ],
  [
    'into flow style on one line',
    {
      text: '{ name: shop, groups: [{ name: a, versions: [v1], kinds: [] }] }\n',
      kind: { name: 'A' },
      want: '{ name: shop, groups: [{ name: a, versions: [v1], kinds: [{ name: A, versions: { v1: { spec: { description: { type: string, rules: [max=200] } }, status: { phase: string, message: string, ready: { type: boolean, default: false } } } } }] }] }\n',
    },
  ],
  [
    'into flow style on several lines, with a comma at the end',
    {
      text: 'groups: [\n  { name: a, versions: [v1], kinds: [\n    { name: A }, # first\n  ] },\n]\n',
      kind: { name: 'B' },
      want: 'groups: [\n  { name: a, versions: [v1], kinds: [\n    { name: A }, # first\n    { name: B, versions: { v1: { spec: { description: { type: string, rules: [max=200] } }, status: { phase: string, message: string, ready: { type: boolean, default: false } } } } },\n  ] },\n]\n',
    },
  ],
  [
    'into flow style on several lines, without a comma at the end',
    {
      text: 'groups: [\n  { name: a, versions: [v1], kinds: [\n    { name: A } # first, # last\n  ] } ]\n',
      kind: { name: 'B' },
      want: 'groups: [\n  { name: a, versions: [v1], kinds: [\n    { name: A }, # first, # last\n    { name: B, versions: { v1: { spec: { description: { type: string, rules: [max=200] } }, status: { phase: string, message: string, ready: { type: boolean, default: false } } } } }\n  ] } ]\n',
    },
  ],
  [
    'into JSON',
    {
      text: '{"groups": [{"name": "a", "versions": ["v1"], "kinds": [{"name": "A"}]}]}',
      kind: { name: 'B' },
      want: '{"groups": [{"name": "a", "versions": ["v1"], "kinds": [{"name": "A"}, { "name": "B", "versions": { "v1": { "spec": { "description": { "type": "string", "rules": ["max=200"] } }, "status": { "phase": "string", "message": "string", "ready": { "type": "boolean", "default": false } } } } }]}]}',
    },
  ],
  [
    'with the default group where there is none',
    {
      text: 'name: shop\ngroups:\n',
      kind: { name: 'A' },
      want: `name: shop
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1]
    kinds:
      - name: A
        versions:
          v1:
            spec:
              description: { type: string, rules: [max=200] }
            status:
              phase: string
              message: string
              ready: { type: boolean, default: false }
`,
    },
  ],
];

describe('adding a kind', () => {
  test.each(kinds)('%s', (_, { text, kind, want }) => {
    expect(addKind(text, kind)).toBe(want);
  });

  test.each(kinds)('%s, with Windows line ends', (_, { text, kind, want }) => {
    if (!text.includes('\n')) return;
    expect(addKind(text.replaceAll('\n', '\r\n'), kind)).toBe(want.replaceAll('\n', '\r\n'));
  });
});

const load = (text: string): LoadedProject => loadProject('.', text);

const versions: [string, { text: string; version: NewVersion; want: string }][] = [
  [
    'copies fields with their comments',
    {
      text: withDevice,
      version: { name: 'v3alpha1', group: 'example.svc.dev' },
      want: withDevice.replace('      - v2beta1\n', '      - v2beta1\n      - v3alpha1\n').replace(
        '              # model: string\n',
        `              # model: string
          v3alpha1:
            spec:
              name:   { type: string }   # shown
              # model: string
`,
      ),
    },
  ],
  [
    'copies comments below blank lines',
    {
      text: spaced,
      version: { name: 'v1beta1' },
      want: spaced
        .replace('[v1]', '[v1, v1beta1]')
        .replace('    versions: [', '    storageVersion: v1\n    versions: [')
        .replace(
          '\n  # the end\n',
          `          v1beta1:
            spec:
              name: string


              # model: string

              # site: string

  # the end
`,
        ),
    },
  ],
  [
    'writes the storage version down once there are several',
    {
      text: 'groups:\n  - name: a\n    kinds:\n',
      version: { name: 'v2' },
      want: 'groups:\n  - name: a\n    storageVersion: v1\n    versions: [v1, v2]\n    kinds:\n',
    },
  ],
  [
    'beside versions that are deprecated',
    {
      text: `groups:
  - name: a
    storageVersion: v2
    versions:
      - v2
      # clients of 2024
      - name: v1 # old
        deprecated: { since: 2026-01-31 } # said so
    kinds:
      - { name: A, versions: { v2: { spec: {} }, v1: { spec: {} } } }
`,
      version: { name: 'v3', from: 'v1' },
      want: `groups:
  - name: a
    storageVersion: v2
    versions:
      - v2
      # clients of 2024
      - name: v1 # old
        deprecated: { since: 2026-01-31 } # said so
      - v3
    kinds:
      - { name: A, versions: { v2: { spec: {} }, v1: { spec: {} }, v3: { spec: {} } } }
`,
    },
  ],
  [
    'beside such in one line',
    {
      text: 'groups:\n  - name: a\n    storageVersion: v2\n    versions: [v2, { name: v1, deprecated: { since: 2026-01-31 } }] # two\n    kinds: []\n',
      version: { name: 'v3' },
      want: 'groups:\n  - name: a\n    storageVersion: v2\n    versions: [v2, { name: v1, deprecated: { since: 2026-01-31 } }, v3] # two\n    kinds: []\n',
    },
  ],
  [
    'makes it the storage version',
    {
      text: "name: p\ngroups:\n  - name: a\n    storageVersion: 'v1' # hub\n    versions: [v1]\n    kinds:\n      - { name: A, versions: { v1: { spec: {} } } }\n",
      version: { name: 'v2', storage: true },
      want: 'name: p\ngroups:\n  - name: a\n    storageVersion: v2 # hub\n    versions: [v1, v2]\n    kinds:\n      - { name: A, versions: { v1: { spec: {} }, v2: { spec: {} } } }\n',
    },
  ],
  [
    'copies rules, and only kinds that the source version has',
    {
      text: `groups:
  - name: a
    storageVersion: v1
    versions: [v1, v2]
    kinds:
      - name: A
        versions:
          v1: { spec: { a: string } }
          v2:
            spec: { b: string }
            conversion:
              - rename: { hub: spec.a, spoke: spec.b }
      - name: B
        versions: { v1: { spec: {} } }
`,
      version: { name: 'v3', from: 'v2' },
      want: `groups:
  - name: a
    storageVersion: v1
    versions: [v1, v2, v3]
    kinds:
      - name: A
        versions:
          v1: { spec: { a: string } }
          v2:
            spec: { b: string }
            conversion:
              - rename: { hub: spec.a, spoke: spec.b }
          v3:
            spec: { b: string }
            conversion:
              - rename: { hub: spec.a, spoke: spec.b }
      - name: B
        versions: { v1: { spec: {} } }
`,
    },
  ],
  [
    'leaves anchors where they are',
    {
      text: 'groups:\n  - name: a\n    versions: [v1]\n    kinds:\n      - name: A\n        versions:\n          v1: &v\n            spec: { a: &text { type: string }, b: *text }\n      - name: B\n        versions: { v1: *v }\n',
      version: { name: 'v2' },
      want: 'groups:\n  - name: a\n    storageVersion: v1\n    versions: [v1, v2]\n    kinds:\n      - name: A\n        versions:\n          v1: &v\n            spec: { a: &text { type: string }, b: *text }\n          v2:\n            spec: { a: { type: string }, b: *text }\n      - name: B\n        versions: { v1: *v, v2: *v }\n',
    },
  ],
];

describe('adding a version', () => {
  test.each(versions)('%s', (_, { text, version, want }) => {
    expect(addVersion(text, version, load)).toBe(want);
  });
});

const refusals: [string, () => string, string][] = [
  [
    'a kind in a version that is not declared',
    () => addKind(minimal, { name: 'A', version: 'v3' }),
    'version v3 not found in group example.svc.dev; available: v1, v2beta1',
  ],
  [
    'a kind that the version has',
    () => addKind(withDevice, { name: 'Device', group: 'example.svc.dev' }),
    'kind Device already exists in version v1 of group example.svc.dev',
  ],
  [
    'a plural for a kind that is there',
    () => addKind(withDevice, { name: 'Device', group: 'example.svc.dev', version: 'v2beta1', plural: 'x' }),
    'kind Device already exists; --plural and --spec-versioning only apply to a new kind',
  ],
  [
    'no group where there are several',
    () => addKind(withDevice, { name: 'A' }),
    'project.yaml has several groups; choose one with --group: example.svc.dev, other.dev',
  ],
  [
    'a group that is not there',
    () => addVersion(withDevice, { name: 'v2', group: 'x' }, load),
    'group x not found; available: example.svc.dev, other.dev',
  ],
  [
    'a version that is declared',
    () => addVersion(minimal, { name: 'v2beta1' }, load),
    'version v2beta1 is already declared in group example.svc.dev',
  ],
  [
    'a source version that is not declared',
    () => addVersion(minimal, { name: 'v3', from: 'v9' }, load),
    'version v9 not found in group example.svc.dev; available: v1, v2beta1',
  ],
  [
    'kinds that are an alias',
    () => addKind('x: &k []\ngroups: [{ name: a, versions: [v1], kinds: *k }]', { name: 'A' }),
    'groups.0.kinds cannot be edited in its current YAML form',
  ],
];

test.each(refusals)('refuses %s', (_, act, message) => {
  expect(act).toThrow(ProjectError);
  expect(act).toThrow(message);
});

describe('any project', () => {
  const comment = fc.constantFrom('', ' # note', '   # "quoted": [', ' #, {');
  const gap = fc.array(fc.constantFrom('', '# note', '      # deep', '                # deeper'), {
    maxLength: 2,
  });
  const field = fc.constantFrom(
    'a: string',
    'b: { type: string }',
    'c: {type: list, items: any}',
    'd: &x any',
    'e: |+\n  text\n',
  );
  const project = fc
    .record({
      comment,
      gap,
      kinds: fc.array(fc.tuple(fc.uniqueArray(field, { minLength: 1 }), comment, gap), { maxLength: 3 }),
    })
    .map(({ comment: note, gap: before, kinds: all }) => {
      const kindLines = all.flatMap(([fields, kindNote, after], index) => [
        `      - name: K${index}${kindNote}`,
        '        versions:',
        `          v1:${kindNote}`,
        '            spec:',
        ...fields.flatMap((text) => text.split('\n').map((line) => (line ? `              ${line}` : ''))),
        ...after,
      ]);
      const list = all.length === 0 ? `    kinds:${note}` : '    kinds:';
      return [
        ...before,
        'groups:',
        '  - name: a',
        '    versions: [v1]',
        list,
        ...kindLines,
        '  - name: b',
        '',
      ].join('\n');
    });

  test('keeps every other line when a kind is added', () => {
    fc.assert(
      fc.property(project, fc.boolean(), (text, windows) => {
        const given = windows ? text.replaceAll('\n', '\r\n') : text;
        const edited = addKind(given, { name: 'New', group: 'a' });
        expect(isOneInsertion(given, edited)).toBe(true);
        expect(parse(edited).groups[0].kinds.at(-1).name).toBe('New');
      }),
    );
  });

  test('keeps every other line when a version is added', () => {
    fc.assert(
      fc.property(project, (text) => {
        const edited = addVersion(text, { name: 'v2', group: 'a' }, load);
        const [group] = parse(edited).groups;
        for (const kind of group.kinds ?? []) expect(kind.versions.v2).toEqual(kind.versions.v1);
        const rest = lines(edited);
        for (const line of lines(text.replace('[v1]', '[v1, v2]'))) {
          expect(rest).toContain(line);
          rest.splice(0, rest.indexOf(line) + 1);
        }
      }),
    );
  });
});

/** Returns whether the second text is the first one with characters inserted at one place. */
function isOneInsertion(before: string, after: string): boolean {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  return after.endsWith(before.slice(start)) && after.length >= before.length;
}
