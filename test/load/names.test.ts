import fc from 'fast-check';
import schema from '../../src/load/project.schema.json';
import * as names from '../../src/model/names';
import { compareVersions, plural, uidPrefix } from '../../src/model/names';
import { stabilityOf } from '../../templates/runtime/site/discovery';

test.each([
  ['Device', 'devices'],
  ['Policy', 'policies'],
  ['Key', 'keys'],
  ['Y', 'ys'],
  ['Box', 'boxes'],
  ['Branch', 'branches'],
  ['Wish', 'wishes'],
  ['Address', 'addresses'],
  ['Status', 'statuses'],
  ['Bus', 'buses'],
  ['Alias', 'aliases'],
  ['Lens', 'lenses'],
  ['Analysis', 'analyses'],
  ['Chassis', 'chassis'],
  ['Series', 'series'],
  ['Settings', 'settings'],
  ['Waltz', 'waltzes'],
  ['Quiz', 'quizzes'],
  ['IPv4', 'ipv4s'],
  ['BookShelf', 'bookshelfs'],
])('the plural of %s is %s', (kind, want) => {
  expect(plural(kind)).toBe(want);
});

test.each([
  ['Device', 'dev'],
  ['IO', 'iox'],
  ['A1', 'axx'],
  ['V2Thing', 'vth'],
])('uids of %s start with %s', (kind, want) => {
  expect(uidPrefix(kind)).toBe(want);
});

test.each([
  ['v1', 'stable'],
  ['v10beta2', 'beta'],
  ['v1alpha1', 'alpha'],
])('%s is %s', (version, want) => {
  expect(stabilityOf(version)).toBe(want);
});

test('versions are ordered by stability, then by number', () => {
  const want = ['v10', 'v2', 'v1', 'v3beta1', 'v2beta10', 'v2beta2', 'v1beta9', 'v9alpha1', 'v1alpha2'];
  expect([...want].reverse().sort(compareVersions)).toEqual(want);
});

test('versions with more digits than a number holds are ordered', () => {
  expect(compareVersions('v90071992547409931', 'v90071992547409930')).toBeLessThan(0);
});

test('the order of versions is total', () => {
  const version = fc
    .tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('', 'alpha1', 'alpha2', 'beta1', 'beta10'))
    .map(([number, suffix]) => `v${number}${suffix}`);
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)));
      expect(compareVersions(a, b) === 0).toBe(a === b);
      const [x, y, z] = [a, b, c].sort(compareVersions);
      expect(compareVersions(x, y) <= 0 && compareVersions(y, z) <= 0 && compareVersions(x, z) <= 0).toBe(
        true,
      );
    }),
  );
});

const grammars: [keyof typeof schema.definitions, string[], string[]][] = [
  [
    'kindName',
    ['A', 'Device', 'A1', 'IPv4', 'Console', 'Com'],
    ['', 'device', '1A', 'A_b', 'A-b', 'Ä', 'A\n', '../x', 'Con', 'AUX', 'NuL', 'Prn', 'Com1', 'Lpt9'],
  ],
  ['typeName', ['A', 'Con'], ['', 'device', '1A', 'A_b']],
  [
    'fieldName',
    ['a', '_', 'a-b', 'class', 'toString'],
    ['', '1a', '-a', 'a.b', '__proto__', 'constructor', 'prototype'],
  ],
  ['fieldName', ['__proto', 'constructors'], ['a\n', 'a b', '${x}', '*/', 'é']],
  [
    'groupName',
    ['a', 'a.b', 'example.svc.dev', '1.2', 'console.dev', 'example.con'],
    ['con', 'aux.example.dev', 'com1', '', '.', 'a.', '.a', 'a..b', '-a', 'a-', 'A.b', '../x', 'a/b'],
  ],
  [
    'projectName',
    ['device-service', 'a', 'a.b_c', 'http', 'node_modules2', 'icon'],
    ['', 'A', '.a', 'a-', '../a', 'a b', '@a/b', 'node_modules', 'favicon.ico', 'nul', 'lpt1.x'],
  ],
  ['plural', ['devices', 'a', 'a-1'], ['', 'Devices', '1a', 'a-', 'a_b', 'a/b', 'openapi.json']],
  [
    'versionName',
    ['v1', 'v10', 'v1alpha1', 'v2beta10'],
    ['v0', 'v01', 'v1beta', 'v1beta0', 'V1', 'v1rc1', '1', 'v'],
  ],
];

test.each(grammars)('%s takes %j and refuses %j', (name, good, bad) => {
  const grammar = new RegExp((schema.definitions[name] as { pattern: string }).pattern);
  expect([...good, ...bad].filter((text) => grammar.test(text))).toEqual(good);
});

test('commands that are given names know the same grammars', () => {
  const { kindName, groupName, projectName, plural: pluralName, versionName } = schema.definitions;
  const given = { kindName, groupName, projectName, pluralName, versionName };
  const want = {
    kindName: [names.KIND_NAME, names.NAME_LENGTH],
    groupName: [names.GROUP_NAME, 253],
    projectName: [names.PROJECT_NAME, names.NAME_LENGTH],
    pluralName: [names.PLURAL, names.NAME_LENGTH],
    versionName: [names.VERSION_NAME, names.NAME_LENGTH],
  };
  const found = Object.entries(given).map(([name, { pattern, maxLength }]) => [name, [pattern, maxLength]]);
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(
      Object.entries(want).map(([name, [grammar, length]]) => [name, [(grammar as RegExp).source, length]]),
    ),
  );
});
