import { parse } from 'yaml';
import { type Conversion, planConversion } from '../../src/conversion/plan/conversion';
import { loadProject } from '../../src/load/load-project';
import type { Group, Json } from '../../src/model/project';
import { pair } from './harness';

// The rules that a problem proposes are accepted when they are pasted.

const object = (fields: string) => `{ type: object, fields: { ${fields} } }`;
const list = (items: string, more = '') => `{ type: list, ${more}items: ${items} }`;
const map = (values: string) => `{ type: map, values: ${values} }`;
const KEY = 'a: { type: string, rules: [required] }';

const TYPES = [
  'string',
  'timestamp',
  'integer',
  'number',
  'boolean',
  'any',
  'T',
  '{ type: integer, rules: [min=5] }',
  '{ type: integer, rules: [oneof=1 2] }',
  '{ type: number, rules: [lt=0] }',
  '{ type: string, rules: [oneof=a b] }',
  object('a: string'),
  object('b: integer, r: { type: string, rules: [required] }'),
  list('string'),
  list('timestamp'),
  list('integer'),
  list(list('string')),
  list(object('a: string')),
  list('T'),
  list(object(KEY), 'key: a, '),
  list(object(`${KEY}, b: string`), 'key: a, '),
  list(object(`${KEY}, b: string, c: integer`), 'key: a, '),
  map('string'),
  map('integer'),
  map(map('string')),
  map(list('string')),
  map(object('a: string')),
  map('T'),
];

const RULES = [
  'rename: { SIDES }',
  'wrap: { SIDES }',
  'index: { SIDES }',
  'scale: { SIDES, factor: 2 }',
  'cast: { SIDES }',
  'join: { SIDES, separator: "," }',
];

/** The places of a field, and its path there. */
const PLACES: [name: string, path: string, spec: (type: string) => string][] = [
  ['a field', 'spec.f', (type) => `{ f: ${type} }`],
  ['a field of elements', '"spec.l[].f"', (type) => `{ l: ${list(object(`f: ${type}, z: boolean`))} }`],
  ['elements', '"spec.l[]"', (type) => `{ l: ${list(type)} }`],
  ['values', '"spec.m{}"', (type) => `{ m: ${map(type)} }`],
];

test.each(PLACES)('%s', (place, path, spec) => {
  // Every other pair of types: all of them take too long.
  const isForRules = ['a field', 'elements'].includes(place);
  const sides = `hub: ${path}, spoke: ${path}`;
  const group = everyType(spec);
  const refused = TYPES.flatMap((_, hub) =>
    TYPES.flatMap((_, spoke) => {
      const plan = (rules: string[]) => planned(group, [hub, spoke], rules);
      const given = [
        [],
        ...(hub === spoke || !isForRules || (hub + spoke) % 2 === 1
          ? []
          : RULES.map((rule) => [rule.replace('SIDES', sides)])),
      ];
      return given.flatMap((rules) =>
        pastedInVain(rules, plan).map((one) => [TYPES[hub], TYPES[spoke], one]),
      );
    }),
  );
  expect(refused).toEqual([]);
});

test('a rule for fields of two lists names the rule that joins these, in quotes where they need them', () => {
  const elements = object(`x: ${list(object('a: string'))}, y: ${list(object('b: string'))}`);
  const [group] = loadProject('.', pair({ hub: `spec: { l: ${list(elements)} }`, spoke: 'spec: {}' })).project
    .groups;
  const [{ spec }] = group.kinds[0].versions;
  const versions = [spec, spec].map((fields, i) => ({ version: `v${i}`, spec: fields, status: [] }));
  const plan = (rules: string[]) =>
    planConversion(versions[0], { ...versions[1], conversion: read(rules) }, group.types);
  const given = ['rename: { hub: "spec.l[].x[].a", spoke: "spec.l[].y[].b" }'];
  expect(plan(given).problems).toHaveLength(1);
  expect(pastedInVain(given, plan)).toEqual([]);
});

test.each([
  [
    'lists in lists that have other names',
    [
      `a: ${list(object(`b: ${list(object('f: string'))}`))}`,
      `c: ${list(object(`d: ${list(object('g: string'))}`))}`,
    ],
    ['rename: { hub: "spec.a[].b[].f", spoke: "spec.c[].d[].g" }'],
    ['- rename: { hub: spec.a, spoke: spec.c }', '- rename: { hub: "spec.a[].b", spoke: "spec.c[].d" }'],
  ],
  [
    'lists of lists that have other names',
    [`a: ${list(list(object('f: string')))}`, `c: ${list(list(object('g: string')))}`],
    ['rename: { hub: "spec.a[][].f", spoke: "spec.c[][].g" }'],
    ['- rename: { hub: spec.a, spoke: spec.c }'],
  ],
  [
    'a list, and one of its elements',
    [`a: ${list(object(KEY), 'key: a, ')}`, `a: ${list(object(KEY), 'key: a, ')}`],
    ['rename: { hub: spec.a, spoke: "spec.a[a=x]" }'],
    ['- custom: { hub: [spec.a], spoke: [spec.a], name: a }'],
  ],
])('one hint after the other leads to rules that are accepted: %s', (_, fields, given, steps) => {
  const { project } = loadProject('.', pair({ hub: `spec: { ${fields[0]} }`, spoke: 'spec: {}' }));
  const other = loadProject('.', pair({ hub: `spec: { ${fields[1]} }`, spoke: 'spec: {}' })).project;
  const [hub, spoke] = [project, other].map(({ groups }) => groups[0].kinds[0].versions[0]);
  let rules = given;
  for (const step of steps) {
    const [{ hint }] = planConversion(hub, { ...spoke, conversion: read(rules) }, []).problems;
    expect(hint).toContain(step);
    rules = [...(step.startsWith('- custom') ? [] : rules), step.slice(2)];
  }
  expect(planConversion(hub, { ...spoke, conversion: read(rules) }, []).problems).toEqual([]);
});

type Plan = (rules: string[]) => Conversion;

/** Pastes what the problems of rules propose, and returns what is then refused. */
function pastedInVain(rules: string[], plan: Plan): string[] {
  return plan(rules).problems.flatMap(({ message, hint, path }) =>
    proposals(hint ?? '').flatMap((proposal) => {
      const left = rules.filter((_, i) => !proposal.isInstead || i !== path[1]);
      const { problems } = plan([...left, ...proposal.rules]);
      const refused = problems.filter((one) => one.message === message || one.path[0] === 'conversion');
      return refused.map((one) => `${rules.join()} + ${proposal.rules.join()}: ${one.message}`);
    }),
  );
}

/** The rules that a hint proposes, without those that are to be filled in. */
function proposals(hint: string): { rules: string[]; isInstead: boolean }[] {
  const instead = 'replace this rule by';
  return hint
    .split(/, or |; for anything else, /)
    .map((text) => ({
      rules: [...text.matchAll(/`- ([^`]*)`/g)].map(([, rule]) => rule),
      isInstead: hint.startsWith(instead) || text.startsWith(instead),
    }))
    .filter(({ rules }) => rules.length > 0 && !rules.join().includes('…'));
}

function read(rules: string[]): Json[] {
  return parse(`[${rules.map((rule) => `{ ${rule} }`).join()}]`) as Json[];
}

/** A project with a kind for each type, which has it in both of its versions. */
function everyType(spec: (type: string) => string): Group {
  const kinds = TYPES.map((type, i) => {
    const version = `{ spec: ${spec(type)} }`;
    return `      - { name: Kind${i}, versions: { v1: ${version}, v1beta1: ${version} } }\n`;
  });
  const [head] = pair({
    hub: 'spec: {}',
    spoke: 'spec: {}',
    types: 'T: { a: string, n: { type: integer, rules: [required] } }',
  }).split('      - name');
  return loadProject('.', head + kinds.join('')).project.groups[0];
}

function planned(group: Group, [hub, spoke]: [number, number], rules: string[]): Conversion {
  const version = (kind: number, name: string) =>
    group.kinds[kind].versions.find((one) => one.version === name)!;
  return planConversion(
    version(hub, 'v1'),
    { ...version(spoke, 'v1beta1'), conversion: read(rules) },
    group.types,
  );
}
