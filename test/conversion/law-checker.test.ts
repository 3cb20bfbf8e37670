import { stringify } from 'yaml';
import { allowances } from '../../src/conversion/reports/allowances';
import { checkLaws, type Side } from '../../templates/laws/laws';
import { pair, spokes } from './harness';

/** Both versions accept everything, except what a test says. */
function check(rules: string, hubAccepts: Side['accepts']): void {
  const yaml = pair({ hub: 'spec: { a: string, n: integer }', spoke: 'spec: { a: string }', rules });
  const [{ hub, spoke, conversion, converter }] = [...spokes(yaml).values()];
  const fields = { ...spoke, accepts: () => true };
  checkLaws({ ...hub, accepts: hubAccepts }, [{ fields, converter, ...allowances(conversion.plan!) }], 5);
}

test('a version through which nothing can be created fails', () => {
  const isSmall: Side['accepts'] = (_, { n }) => n === undefined || (n as number) <= 5;
  check('- default: { hub: spec.n, value: 5 }', isSmall);
  expect(() => check('- default: { hub: spec.n, value: 6 }', isSmall)).toThrow(
    'Creates: every spec is refused',
  );
});

test('nothing is said of a version that shows nothing acceptable', () => {
  check('- default: { hub: spec.n, value: 6 }', () => false);
});

const MAP_OF_TEXTS = { type: 'map', values: 'string' };

/** A project.yaml of one kind. */
function project(versions: object): string {
  const names = Object.keys(versions);
  const group = {
    name: 'g.svc.dev',
    storageVersion: 'v1',
    versions: names,
    kinds: [{ name: 'Thing', versions }],
  };
  return stringify({ name: 'p', groups: [group] }, { aliasDuplicateObjects: false });
}

const MAP = 'spec: { m: { type: map, values: string } }';

test.each([
  [
    'of the version',
    'spec: { n: string }',
    MAP,
    ['- rename: { hub: spec.n, spoke: "spec.m{a/b}" }'],
    'spec.n',
  ],
  [
    'of the storage version',
    MAP,
    'spec: { n: string, o: string }',
    ['- rename: { hub: "spec.m{a/b}", spoke: spec.n }', '- rename: { hub: "spec.m{c}", spoke: spec.o }'],
    'spec.m{a/b}',
  ],
])('an entry %s that a default makes is expected', (_, hub, spoke, renames, field) => {
  const rules = [...renames, `- default: { hub: "${field}", value: x }`].join('\n');
  const [made] = [...spokes(pair({ hub, spoke, rules })).values()];
  checkLaws(made.hub, [{ ...made, fields: made.spoke, ...allowances(made.conversion.plan!) }], 50);
});

test('a map that becomes empty has changed as a whole', () => {
  const kind = {
    v1: { spec: { m: MAP_OF_TEXTS } },
    v1beta1: { spec: { m: MAP_OF_TEXTS } },
    v1alpha1: {
      spec: { m: MAP_OF_TEXTS, e: 'string' },
      conversion: [{ rename: { hub: 'spec.m{cpu}', spoke: 'spec.e' } }],
    },
  };
  const all = [...spokes(project(kind)).values()];
  const subjects = all.map((one) => ({ ...one, fields: one.spoke, ...allowances(one.conversion.plan!) }));
  checkLaws(all[0].hub, subjects, 1000);
});
