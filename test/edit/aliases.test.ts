import { addKind, addVersion } from '../../src/edit/scaffold';
import { yamlValue } from '../../src/edit/yaml-source';
import { type LoadedProject, loadProject } from '../../src/load/load-project';
import { formatProblems, ProjectError } from '../../src/model/problem';

const load = (text: string): LoadedProject => loadProject('.', text);

const HEAD = `name: fleet
groups:
  - name: a
    storageVersion: v1
    versions: [v1, v1beta1, v1alpha1]
    kinds:
`;
const TWINS = `${HEAD}      - name: A
        versions:
          v1: &v
            spec: { a: string }
          v1beta1:
            spec: { b: string }
            conversion: &rules
              - rename: { hub: spec.a, spoke: spec.b }
      - name: B
        versions:
          v1: *v
          v1beta1: { spec: { b: string }, conversion: *rules }
`;
const SHARED_RULES = TWINS.replace('&v', '').replace('*v', '{ spec: { a: string } }');
const SHARED_VERSIONS = `${HEAD}      - name: A
        versions: &versions
          v1: { spec: { a: string } }
          v1beta1: { spec: { a: string } }
      - name: B
        versions: *versions
`;
const TWO_GROUPS = `${SHARED_VERSIONS}  - name: b
    versions: [v1, v1beta1]
    kinds:
      - name: C
        versions: *versions
`;

const REFUSED: [string, () => string, string][] = [
  [
    'rules of a storage version that another kind repeats',
    () => addVersion(TWINS, { name: 'v1beta1', storage: true }, load),
    `project.yaml: groups.0.kinds.0.versions.v1.conversion cannot be edited in its current YAML form
  hint: its value is shared by the alias *v: write the value out instead of the alias`,
  ],
  [
    'rules of the new storage version that another kind repeats',
    () => addVersion(SHARED_RULES, { name: 'v1beta1', storage: true }, load),
    `project.yaml: groups.0.kinds.0.versions.v1beta1.conversion cannot be edited in its current YAML form
  hint: its value is shared by the alias *rules: write the value out instead of the alias`,
  ],
  [
    'a version of a kind whose versions another kind repeats',
    () => addKind(SHARED_VERSIONS, { name: 'A', version: 'v1alpha1' }),
    `project.yaml: groups.0.kinds.0.versions.v1alpha1 cannot be edited in its current YAML form
  hint: its value is shared by the alias *versions: write the value out instead of the alias`,
  ],
  [
    'a version of a group that shares versions with another group',
    () => addVersion(TWO_GROUPS, { name: 'v2', group: 'a' }, load),
    `group b shares versions of its kinds with group a by an alias
  hint: write the versions out instead of the alias`,
  ],
];

test.each(REFUSED)('refuses %s', (_, act, want) => {
  let message = '';
  try {
    message = act();
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    message = formatProblems(error.problems);
  }
  expect(message).toBe(want);
});

const RULE_OF_V1 = [{ rename: { hub: 'spec.b', spoke: 'spec.a' } }];

test('a kind that shares the rules of its own versions moves to another storage version', () => {
  const text = `${HEAD}      - name: A
        versions:
          v1: { spec: { a: string } }
          v1beta1:
            spec: { b: string }
            conversion: &rules
              - rename: { hub: spec.a, spoke: spec.b }
          v1alpha1: { spec: { b: string, c: string }, conversion: *rules }
`;
  const moved = versionsOf(addVersion(text, { name: 'v1beta1', storage: true }, load));
  expect(moved).toEqual([
    {
      v1: { spec: { a: 'string' }, conversion: RULE_OF_V1 },
      v1beta1: { spec: { b: 'string' } },
      v1alpha1: { spec: { b: 'string', c: 'string' } },
    },
  ]);
});

test.each([false, true])('kinds that share all versions get the new one together, storage: %s', (storage) => {
  const a = { spec: { a: 'string' } };
  const edited = versionsOf(addVersion(SHARED_VERSIONS, { name: 'v2', storage }, load));
  expect(edited).toEqual([
    { v1: a, v1beta1: a, v2: a },
    { v1: a, v1beta1: a, v2: a },
  ]);
});

test('a kind whose versions are aliases of a version of another kind moves to another storage version', () => {
  const text = `${HEAD}      - name: A
        versions:
          v1: &v { spec: { a: string } }
          v1beta1: *v
      - name: B
        versions: { v1: *v, v1beta1: *v }
`;
  const a = { spec: { a: 'string' } };
  expect(versionsOf(addVersion(text, { name: 'v2', storage: true }, load))).toEqual([
    { v1: a, v1beta1: a, v2: a },
    { v1: a, v1beta1: a, v2: a },
  ]);
});

test('a project with many aliases of one value can be edited', () => {
  const others = Array.from({ length: 101 }, (_, index) => `f${index}: *text`);
  const text = `${HEAD}      - name: A
        versions:
          v1: { spec: { first: &text { type: string, rules: [max=9] }, ${others.join(', ')} } }
`;
  const added = addKind(text, { name: 'B' });
  expect(versionsOf(addVersion(added, { name: 'v1beta1', storage: true }, load))).toHaveLength(2);
});

/** The versions of each kind of the first group, as a project with this text has them. */
function versionsOf(text: string): unknown[] {
  load(text);
  const { groups } = yamlValue(text) as { groups: { kinds: { versions: unknown }[] }[] };
  return groups[0].kinds.map(({ versions }) => versions);
}
