import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { addVersion, type NewVersion } from '../../src/edit/scaffold';
import { type LoadedProject, loadProject } from '../../src/load/load-project';
import { formatProblems, ProjectError } from '../../src/model/problem';
import { planProject } from '../../src/plan/plan-project';

const load = (text: string): LoadedProject => loadProject('.', text);

/** A group of Devices in these versions, each as it is written below `versions`. */
function project(storageVersion: string, names: string, versions: string): string {
  return `name: fleet # of devices
groups:
  - name: a
    storageVersion: ${storageVersion} # the hub
    versions: [${names}]
    kinds:
      # what we rent out
      - name: Device
        versions:
${versions.replace(/^(?=.)/gm, '          ')}
      - name: Plain
        versions: { ${storageVersion}: { spec: { a: string } } } # in one version
`;
}

const HUB = `v1: # first
  spec: { name: string, ms: integer } # in ms
`;
const BETA = `v1beta1:
  spec: { title: string, s: integer }
  # what differs
  conversion:
    # people said title
    - rename: { hub: spec.name, spoke: spec.title } # said
    - scale:
        hub: spec.ms # ms
        spoke: spec.s
        factor: 1000
`;
const ALPHA = `v1alpha1:
  spec: { name: string, minutes: integer, extra: string }
  conversion: [{ scale: { hub: spec.ms, spoke: spec.minutes, factor: 60000 } }] # minutes
`;
const ALL = 'v1, v1beta1, v1alpha1';

const CUSTOM = `v1: { spec: { name: string, lat: number, lon: number } }
v1beta1:
  spec: { name: string, position: string }
  conversion:
    - custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: position }
v1alpha1:
  spec: { title: string, lat: number }
  conversion:
    - rename: { hub: spec.name, spoke: spec.title }
`;

const REFUSALS: [string, { text: string; version: NewVersion; want: string }][] = [
  [
    'each rule that cannot be turned around, where it stands',
    {
      text: project('v1', ALL, CUSTOM),
      version: { name: 'v1beta1', storage: true },
      want: `project.yaml:14:17: Device: the rule custom position has no functions for the other direction
  hint: add \`inverse: <name>\` to this rule, and the functions <name>ToHub and <name>FromHub of the other direction to the kind's file`,
    },
  ],
  [
    'those of a copy where the original stands',
    {
      text: project('v1', 'v1, v1beta1', CUSTOM.slice(0, CUSTOM.indexOf('v1alpha1'))),
      version: { name: 'v2', from: 'v1beta1', storage: true },
      want: `project.yaml:14:17: Device: the rule custom position has no functions for the other direction
  hint: add \`inverse: <name>\` to this rule, and the functions <name>ToHub and <name>FromHub of the other direction to the kind's file`,
    },
  ],
  [
    'two rules that cannot be composed, with the place of the answer',
    {
      text: project(
        'v1',
        ALL,
        `v1: { spec: { t: string } }
v1beta1: { spec: { t: integer }, conversion: [{ cast: { hub: spec.t, spoke: spec.t, otherwise: { spoke: 0 } } }] }
v1alpha1:
  spec: { s: integer }
  conversion:
    - cast: { hub: spec.t, spoke: spec.s, format: duration, otherwise: { spoke: 0 } }
`,
      ),
      version: { name: 'v1beta1', storage: true },
      want: `project.yaml:15:17: Device: the rules cast and cast for spec.t cannot be combined
  hint: write the rules between v1beta1 and v1alpha1 into this one, such as \`hubs: { v1beta1: [{ custom: { hub: [spec.t], spoke: [spec.s], name: … } }] }\``,
    },
  ],
  [
    'rules inside lists and maps, with fields that a rule may have together',
    {
      text: project(
        'v1',
        ALL,
        `v1: { spec: { a: { type: list, items: string }, m: { type: map, values: string } } }
v1beta1:
  spec: { a: { type: list, items: { type: object, fields: { ip: string } } }, m: { type: map, values: { type: object, fields: { x: string } } } }
  conversion: [{ rename: { hub: "spec.a[]", spoke: "spec.a[].ip" } }, { rename: { hub: "spec.m{}", spoke: "spec.m{}.x" } }]
v1alpha1:
  spec: { tags: string, gold: string }
  conversion:
    - join: { hub: spec.a, spoke: spec.tags, separator: "," }
    - rename: { hub: "spec.m{gold}", spoke: spec.gold }
`,
      ),
      version: { name: 'v1beta1', storage: true },
      want: `project.yaml:17:17: Device: the rules join and rename for spec.a cannot be combined
  hint: write the rules between v1beta1 and v1alpha1 into this one, such as \`hubs: { v1beta1: [{ custom: { hub: [spec.a], spoke: [spec.tags], name: … } }] }\`

project.yaml:18:17: Device: the rules rename and rename for spec.m{gold} cannot be combined
  hint: write the rules between v1beta1 and v1alpha1 into this one, such as \`hubs: { v1beta1: [{ custom: { hub: ["spec.m{gold}.x"], spoke: [spec.gold], name: … } }] }\``,
    },
  ],
  [
    'rules of two versions, in the order of the file',
    {
      text: project(
        'v1',
        'v1, v1beta1, v1alpha1',
        `v1alpha1:
  spec: { name: string, position: string }
  conversion:
    - custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: other }
${CUSTOM.slice(0, CUSTOM.indexOf('v1alpha1'))}`,
      ),
      version: { name: 'v1beta1', storage: true },
      want: `project.yaml:13:17: Device: the rules custom and custom for spec.lat, spec.lon cannot be combined
  hint: write the rules between v1beta1 and v1alpha1 into this one, such as \`hubs: { v1beta1: [{ custom: { hub: [spec.position], spoke: [spec.position], name: … } }] }\`

project.yaml:18:17: Device: the rule custom position has no functions for the other direction
  hint: add \`inverse: <name>\` to this rule, and the functions <name>ToHub and <name>FromHub of the other direction to the kind's file`,
    },
  ],
  [
    'a field that a new copy lacks, with a place to write it',
    {
      text: project(
        'v1',
        'v1, v1beta1, v1alpha1',
        `v1: { spec: { name: string, only: string } }
v1beta1:
  spec: { name: string }
v1alpha1:
  spec: { name: string, only: string }
`,
      ),
      version: { name: 'v2', from: 'v1beta1', storage: true },
      want: `project.yaml:12:19: Device: spec.only is in v1 and v1alpha1, not in v2: with v2 as the storage version the two no longer share it
  hint: add the field to v2: to v1beta1, which is copied; or run svcgen add version v2 --from v1beta1, edit its fields, and repeat this command`,
    },
  ],
  [
    'the storage version itself',
    {
      text: project('v1', ALL, HUB),
      version: { name: 'v1', storage: true },
      want: 'version v1 is already the storage version of group a',
    },
  ],
  [
    'fields for a version that is there',
    {
      text: project('v1', ALL, HUB),
      version: { name: 'v1beta1', from: 'v1', storage: true },
      want: 'version v1beta1 is already declared in group a; --from only applies to a new version',
    },
  ],
  [
    'a version that is there without --storage',
    {
      text: project('v1', ALL, HUB),
      version: { name: 'v1beta1' },
      want: 'version v1beta1 is already declared in group a\n  hint: --storage makes it the storage version',
    },
  ],
];

const UNLIKE = (hubs: string) => `v1: { spec: { t: string, a: string, b: string } }
v1beta1:
  spec: { t: integer, ab: string }
  conversion:
    - cast: { hub: spec.t, spoke: spec.t, otherwise: { spoke: 0 } }
    - join: { hub: [spec.a, spec.b], spoke: spec.ab, separator: " " }
v1alpha1:
  spec: { s: integer, a: string, c: string }
  conversion:
    - rename: { hub: spec.b, spoke: spec.c${hubs && `, hubs: { v1beta1: [{ join: { hub: spec.ab, spoke: [spec.a, spec.c], separator: " " } }] }`} }
    - cast: { hub: spec.t, spoke: spec.s, format: duration, otherwise: { spoke: 0 }${hubs} }
`;

const MOVES: [string, { text: string; version: NewVersion; want: string }][] = [
  [
    'to a new version like the hub: no rule changes',
    {
      text: project('v1', ALL, `${HUB}\n${BETA}\n${ALPHA}`),
      version: { name: 'v2', storage: true },
      want: project(
        'v2',
        `${ALL}, v2`,
        `${HUB}\n${BETA}\n${ALPHA}\nv2: # first\n  spec: { name: string, ms: integer } # in ms\n`,
      ).replace(
        '{ v2: { spec: { a: string } } }',
        '{ v1: { spec: { a: string } }, v2: { spec: { a: string } } }',
      ),
    },
  ],
  [
    'to a version that is there: its rules are inverted, the others composed',
    {
      text: project('v1', ALL, `${HUB}\n${BETA}\n${ALPHA}`),
      version: { name: 'v1beta1', storage: true },
      want: project(
        'v1beta1',
        ALL,
        `v1: # first
  spec: { name: string, ms: integer } # in ms
  conversion:
    # people said title
    - rename: { hub: spec.title, spoke: spec.name } # said
    - scale:
        hub: spec.s
        spoke: spec.ms # ms
        factor: 0.001

v1beta1:
  spec: { title: string, s: integer }
  # what differs

v1alpha1:
  spec: { name: string, minutes: integer, extra: string }
  conversion: [{ scale: { hub: spec.s, spoke: spec.minutes, factor: 60 } }, { rename: { hub: spec.title, spoke: spec.name } }] # minutes
`,
      ).replace(
        '{ v1beta1: { spec: { a: string } } }',
        '{ v1: { spec: { a: string } }, v1beta1: { spec: { a: string } } }',
      ),
    },
  ],
  [
    'and back',
    {
      text: project(
        'v1beta1',
        'v1, v1beta1',
        `v1:
  spec: { name: string }
  conversion:
    # people said title
    - rename: { hub: spec.title, spoke: spec.name } # said
v1beta1: { spec: { title: string } }
`,
      ),
      version: { name: 'v1', storage: true },
      want: project(
        'v1',
        'v1, v1beta1',
        `v1:
  spec: { name: string }
# people said title
# said
v1beta1: { spec: { title: string }, conversion: [{ rename: { hub: spec.name, spoke: spec.title } }] }
`,
      ).replace(
        '{ v1: { spec: { a: string } } }',
        '{ v1beta1: { spec: { a: string } }, v1: { spec: { a: string } } }',
      ),
    },
  ],
  [
    'to a copy of a spoke, which needs no rules any more',
    {
      text: project('v1', 'v1, v1beta1', `${HUB}\n${BETA}`),
      version: { name: 'v2', from: 'v1beta1', storage: true },
      want: project(
        'v2',
        'v1, v1beta1, v2',
        `v1: # first
  spec: { name: string, ms: integer } # in ms
  conversion:
    # people said title
    - rename: { hub: spec.title, spoke: spec.name } # said
    - scale:
        hub: spec.s
        spoke: spec.ms # ms
        factor: 0.001

v1beta1:
  spec: { title: string, s: integer }
  # what differs

v2:
  spec: { title: string, s: integer }
  # what differs
`,
      ).replace(
        '{ v2: { spec: { a: string } } }',
        '{ v1: { spec: { a: string } }, v2: { spec: { a: string } } }',
      ),
    },
  ],
  [
    'with rules that cannot be composed, by those that are written for the new hub',
    {
      text: project('v1', ALL, UNLIKE(', hubs: { v1beta1: [{ rename: { hub: spec.t, spoke: spec.s } }] }')),
      version: { name: 'v1beta1', storage: true },
      want: project(
        'v1beta1',
        ALL,
        `v1: { spec: { t: string, a: string, b: string }, conversion: [{ cast: { hub: spec.t, spoke: spec.t, otherwise: { hub: 0 } } }, { join: { hub: spec.ab, spoke: [spec.a, spec.b], separator: " " } }] }
v1beta1:
  spec: { t: integer, ab: string }
v1alpha1:
  spec: { s: integer, a: string, c: string }
  conversion:
    - join: { hub: spec.ab, spoke: [spec.a, spec.c], separator: " ", hubs: { v1: [{ rename: { hub: spec.b, spoke: spec.c } }, { cast: { hub: spec.t, spoke: spec.s, format: duration, otherwise: { spoke: 0 } } }] } }
    - rename: { hub: spec.t, spoke: spec.s, hubs: { v1: [] } }
`,
      ).replace(
        '{ v1beta1: { spec: { a: string } } }',
        '{ v1: { spec: { a: string } }, v1beta1: { spec: { a: string } } }',
      ),
    },
  ],
  [
    'to versions with an empty list of rules, which the storage version cannot have',
    {
      text: project(
        'v1',
        'v1, v1beta1',
        `v1: { spec: { a: string } }
v1beta1:
  spec: { a: string }
  conversion: []
`,
      ),
      version: { name: 'v1beta1', storage: true },
      want: project(
        'v1beta1',
        'v1, v1beta1',
        `v1: { spec: { a: string } }
v1beta1:
  spec: { a: string }
`,
      ).replace(
        '{ v1beta1: { spec: { a: string } } }',
        '{ v1: { spec: { a: string } }, v1beta1: { spec: { a: string } } }',
      ),
    },
  ],
  [
    'where some rules stay, some go and some come',
    {
      text: project(
        'v1',
        ALL,
        `v1: { spec: { a: string, b: string, c: string } }
v1beta1:
  spec: { x: string, b: string, z: string }
  conversion:
    - rename: { hub: spec.a, spoke: spec.x }
    - rename: { hub: spec.c, spoke: spec.z }
v1alpha1:
  spec: { x: string, y: string, c: string }
  conversion:
    # same as in beta
    - rename: { hub: spec.a, spoke: spec.x }
    # of its own
    - rename: { hub: spec.b, spoke: spec.y } # stays
`,
      ),
      version: { name: 'v1beta1', storage: true },
      want: project(
        'v1beta1',
        ALL,
        `v1: { spec: { a: string, b: string, c: string }, conversion: [{ rename: { hub: spec.x, spoke: spec.a } }, { rename: { hub: spec.z, spoke: spec.c } }] }
v1beta1:
  spec: { x: string, b: string, z: string }
v1alpha1:
  spec: { x: string, y: string, c: string }
  conversion:
    # same as in beta
    # of its own
    - rename: { hub: spec.b, spoke: spec.y } # stays
    - rename: { hub: spec.z, spoke: spec.c }
`,
      ).replace(
        '{ v1beta1: { spec: { a: string } } }',
        '{ v1: { spec: { a: string } }, v1beta1: { spec: { a: string } } }',
      ),
    },
  ],
];

test.each([
  ['that has none of it', '{ spec: { name: string } }'],
  [
    'with rules of its own',
    '{ spec: { title: string }, conversion: [{ rename: { hub: spec.name, spoke: spec.title } }] }',
  ],
])(
  'the storage version moves to one with another shared type, next to a version %s, and back',
  (_, other) => {
    const versions = `v1: { spec: { name: string, tree: Tree } }
v1beta1: { spec: { name: string, tree: Tree2 }, conversion: [{ rename: { hub: Tree.x, spoke: Tree2.y } }] }
v1alpha1: ${other}
`;
    const text = project('v1', ALL, versions).replace(
      '    kinds:',
      `    types:
      Tree: { x: string, below: { type: list, items: Tree } }
      Tree2: { y: string, below: { type: list, items: Tree2 } }
    kinds:`,
    );
    const moved = addVersion(text, { name: 'v1beta1', storage: true }, load);
    expect(moved).toContain(`v1alpha1: ${other}\n`);
    planProject({ loaded: load(moved), problems: [] });
    const back = parse(addVersion(moved, { name: 'v1', storage: true }, load)) as Groups;
    expect(back.groups[0].kinds[0]).toEqual((parse(text) as Groups).groups[0].kinds[0]);
  },
);

interface Groups {
  groups: { kinds: unknown[] }[];
}

test.each(MOVES)('the storage version moves %s', (_, { text, version, want }) => {
  const moved = addVersion(text, version, load);
  expect(moved).toBe(want);
  planProject({ loaded: load(moved), problems: [] });
});

test.each(REFUSALS)('refused: %s', (_, { text, version, want }) => {
  expect(refusal(text, version)).toBe(want);
});

/** What `svcgen add version` says is wrong; nothing where it does the edit. */
function refusal(text: string, version: NewVersion): string {
  try {
    addVersion(text, version, load);
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    return formatProblems(error.problems.map(({ source: _, ...problem }) => problem));
  }
  return '';
}

const COMMENTED: [string, { before: string; after: string }][] = [
  [
    'an inverted rule, at its members',
    {
      before: `v1:
  spec: { location: string, tier: { type: string, rules: [oneof=gold silver bronze] }, ms: integer }
v1beta1:
  spec: { site: string, level: { type: integer, rules: [oneof=1 2] }, seconds: integer }
  conversion: # behind the key
    # above rename

    # next to rename
    - rename:
        # inside rename
        hub: spec.location # hub
        spoke: spec.site   # spoke
      # below rename

    - map:
        hub: spec.tier
        spoke: spec.level
        values: # of metal
          gold: 1 # au
          silver: 2 # ag
          bronze: 2 # cu
          # no platinum
    - scale: { hub: spec.ms, # in ms
               spoke: spec.seconds, factor: 1000 } # behind scale
    # at the end
`,
      after: `v1:
  spec: { location: string, tier: { type: string, rules: [oneof=gold silver bronze] }, ms: integer }
  conversion:
    # above rename
    # next to rename
    - rename:
        hub: spec.site   # spoke
        # inside rename
        spoke: spec.location # hub
        # below rename
    - map:
        hub: spec.level
        spoke: spec.tier
        values: # of metal
          "1": gold # au
          # cu
          "2": [silver, bronze] # ag
          # no platinum
    - scale: # behind scale
        hub: spec.seconds
        spoke: spec.ms # in ms
        factor: 0.001
    # behind the key
    # at the end
v1beta1:
  spec: { site: string, level: { type: integer, rules: [oneof=1 2] }, seconds: integer }
`,
    },
  ],
  [
    'a list of rules with a blank line before its last comment',
    {
      before: `v1:
  spec: { a: string, b: string }
v1beta1:
  spec: { x: string, y: string }
  conversion:
    - rename: { hub: spec.a, spoke: spec.x }
    - rename: { hub: spec.b, spoke: spec.y }
v1alpha1:
  spec: { x: string, z: string }
  conversion:
    - rename: { hub: spec.b, spoke: spec.z } # stays

    # above needless
    - rename: { hub: spec.a, spoke: spec.x } # needless
`,
      after: `v1:
  spec: { a: string, b: string }
  conversion:
    - rename: { hub: spec.x, spoke: spec.a }
    - rename: { hub: spec.y, spoke: spec.b }
v1beta1:
  spec: { x: string, y: string }
v1alpha1:
  spec: { x: string, z: string }
  conversion:
    - rename: { hub: spec.y, spoke: spec.z } # stays
    # needless

    # above needless
`,
    },
  ],
  [
    'rules below their dashes',
    {
      before: `v1:
  spec: { a: string, b: string }
v1beta1:
  spec: { x: string, b: string }
  conversion:
    -
      rename: { hub: spec.a, spoke: spec.x }
v1alpha1:
  spec: { x: string, y: string }
  conversion:
    - # why
      rename: { hub: spec.a, spoke: spec.x }
    -
      rename: { hub: spec.b, spoke: spec.y }
`,
      after: `v1:
  spec: { a: string, b: string }
  conversion:
    - rename: { hub: spec.x, spoke: spec.a }
v1beta1:
  spec: { x: string, b: string }
v1alpha1:
  spec: { x: string, y: string }
  conversion:
    -
      rename: { hub: spec.b, spoke: spec.y }
    # why
`,
    },
  ],
  [
    'entries of flow collections',
    {
      before: `v1: { spec: { a: string } }
v1beta1: {
  spec: { b: string }, # behind spec
  conversion: [{ rename: { hub: spec.a, spoke: spec.b } }], # behind conversion
}
v1alpha1: {
  conversion: [{ rename: { hub: spec.a, spoke: spec.b } }] # behind the first
  , spec: { b: string }
}
`,
      after: `v1: { spec: { a: string }, conversion: [{ rename: { hub: spec.b, spoke: spec.a } }] }
v1beta1: {
  spec: { b: string }, # behind spec
   # behind conversion
}
v1alpha1: {
   # behind the first
   spec: { b: string }
}
`,
    },
  ],
  [
    'composed, dropped and needless rules',
    {
      before: `v1:
  spec: { a: string, b: string, c: string }
v1beta1:
  spec: { x: string, b: string, c: string, extra: string }
  conversion:
    - rename: { hub: spec.a, spoke: spec.x }
    # above drop
    - drop: { spoke: spec.extra } # behind drop
v1alpha1:
  spec: { x: string, y: string, c: string }
  conversion:
    # above needless
    - rename:
        hub: spec.a # needless
        spoke: spec.x
    # above stays
    - rename: { hub: spec.b, spoke: spec.y } # stays
v1alpha2:
  spec: { z: string, b: string, c: string }
  conversion:
    # above composed
    - rename:
        hub: spec.a # a
        spoke: spec.z # z
        # last
`,
      after: `v1:
  spec: { a: string, b: string, c: string }
  conversion:
    - rename: { hub: spec.x, spoke: spec.a }
    # above drop
    # behind drop
v1beta1:
  spec: { x: string, b: string, c: string, extra: string }
v1alpha1:
  spec: { x: string, y: string, c: string }
  conversion:
    # above needless
    # above stays
    - rename: { hub: spec.b, spoke: spec.y } # stays
    # needless
v1alpha2:
  spec: { z: string, b: string, c: string }
  conversion:
    # above composed
    - rename:
        hub: spec.x # a
        spoke: spec.z # z
        # last
`,
    },
  ],
  [
    'rules that have the same text more than once',
    {
      before: `v1:
  spec: { a: string } # todo
v1beta1:
  spec: { x: string }
  conversion:
    # todo
    - default: { hub: spec.a, value: q } # todo
    # todo
`,
      after: `v1:
  spec: { a: string } # todo
  conversion:
    # todo
    - default: { spoke: spec.a, value: q } # todo
    # todo
v1beta1:
  spec: { x: string }
`,
    },
  ],
];

test.each(COMMENTED)('a move of the storage version preserves the comments of %s', (_, { before, after }) => {
  const names = [...before.matchAll(/^(v\w+):/gm)].map(([, name]) => name).join(', ');
  for (const ending of ['\n', '\r\n']) {
    const text = project('v1', names, before).replaceAll('\n', ending);
    const moved = addVersion(text, { name: 'v1beta1', storage: true }, load);
    expect(moved.replaceAll(ending, '\n')).toContain(
      project('v1beta1', names, after).split('# what we')[1].split('- name: Plain')[0],
    );
    expect(moved.replaceAll('\r\n', '').includes('\n')).toBe(ending === '\n');
    load(moved);
  }
});

test('the storage version moves as docs/conversion.md shows it', () => {
  const page = readFileSync(join(__dirname, '../../docs/conversion.md'), 'utf8');
  const projects = [...page.matchAll(/^```yaml\n(name: [^]*?)^```/gm)].map(([, text]) => text);
  expect(projects).toHaveLength(2);
  expect(addVersion(projects[0], { name: 'v2', storage: true }, load)).toBe(projects[1]);
  planProject({ loaded: load(projects[1]), problems: [] });
});

/** A kind whose columns are written like this; its status, with history, has a field version of its own. */
const withColumns = (columns: string): string =>
  project(
    'v1',
    'v1, v1beta1',
    `v1:
  spec: { a: string, first: string, last: string, size: { type: object, fields: { w: integer } }, gone: string }
v1beta1:
  spec: { place: string, name: string, size: { type: object, fields: { width: integer } } }
  conversion:
    - rename: { hub: spec.a, spoke: spec.place }
    - rename: { hub: spec.size.w, spoke: spec.size.width }
    - join: { hub: [spec.first, spec.last], spoke: spec.name, separator: " " }
`,
  ).replace(
    '- name: Device',
    `- name: Device\n        specVersioning: true\n        columns: ${columns} # shown`,
  );

const COLUMNS: [before: string, after: string][] = [
  ['[spec.a, status.version]', '[spec.place, status.version]'],
  ['[{ path: spec.size.w, title: W }]', '[{ path: spec.size.width, title: W }]'],
  [
    '\n          - spec.a\n          - path: spec.size.w',
    '\n          - spec.place\n          - path: spec.size.width',
  ],
  [
    '[spec.a, spec.first]',
    `project.yaml:10:27: Device: the column spec.first of v1 has no single field in v1beta1
  hint: choose another column, or remove this one`,
  ],
  [
    '[spec.gone]',
    `project.yaml:10:19: Device: the column spec.gone of v1 has no field with a single value in v1beta1
  hint: add one to v1beta1, or remove the column`,
  ],
];

test.each(COLUMNS)('a move of the storage version makes of columns: %s: %s', (before, after) => {
  const text = withColumns(before);
  const version = { name: 'v1beta1', storage: true };
  if (after.startsWith('project.yaml')) {
    expect(refusal(text, version)).toBe(after);
    return;
  }
  const moved = addVersion(text, version, load);
  expect(moved).toContain(`        columns: ${after} # shown\n`);
  load(moved);
});

test('a rule for a field of a shared type is composed with the rules of the new hub below the type, there and back', () => {
  const text = (hub: string, v1: string, v2: string, rules: string): string => `name: fleet
groups:
  - storageVersion: ${hub}
    versions: [v1, v2, v1beta1]
    types:
      Address: { host: { type: string, rules: [required] }, port: integer }
      Place: { hostname: { type: string, rules: [required] }, port: integer }
    kinds:
      - name: Device
        versions:
          v1: { spec: { home: Address, others: { type: list, items: Address } }${v1} }
          v2: { spec: { home: Place, places: { type: list, items: Place } }${v2} }
          v1beta1:
            spec: { host: string, others: { type: list, items: { type: object, fields: { h: string } } } }
            conversion:
${rules.replace(/^/gm, '              - ')}
`;
  const before = text(
    'v1',
    '',
    ', conversion: [{ rename: { hub: Address.host, spoke: Place.hostname } }, { rename: { hub: spec.others, spoke: spec.places } }]',
    'rename: { hub: spec.home.host, spoke: spec.host }\nrename: { hub: "spec.others[].host", spoke: "spec.others[].h" }',
  );
  const after = text(
    'v2',
    ', conversion: [{ rename: { hub: Place.hostname, spoke: Address.host } }, { rename: { hub: spec.places, spoke: spec.others } }]',
    '',
    'rename: { hub: spec.home.hostname, spoke: spec.host }\nrename: { hub: "spec.places[].hostname", spoke: "spec.others[].h" }\nrename: { hub: spec.places, spoke: spec.others }',
  );
  expect(addVersion(before, { name: 'v2', storage: true }, load)).toBe(after);
  expect(addVersion(after, { name: 'v1', storage: true }, load)).toBe(before);
});

test('the storage version moves with declarations of fields whose names look like other values', () => {
  const versions = `v1:
  spec:
    null: { type: object, fields: { x: { type: string, selectable: true } } }
    true: { type: string, rules: [immutable] }
v2:
  spec: { null: { type: object, fields: { x: string } }, true: string }
`;
  const moved = addVersion(project('v1', 'v1, v2', versions), { name: 'v2', storage: true }, load);
  expect(moved).toContain(
    `spec: { null: { type: object, fields: { x: { type: string, selectable: true } } }, true: { type: string, rules: [immutable] } }`,
  );
});
