import { camelCase, Identifiers } from '../../src/code/identifiers';

test.each([
  ['Device', 'device'],
  ['BookShelf', 'bookShelf'],
  ['URLMap', 'urlMap'],
  ['URL', 'url'],
  ['X', 'x'],
  ['V1Thing', 'v1Thing'],
])('%s begins an identifier as %s', (kind, want) => {
  expect(camelCase(kind)).toBe(want);
});

test('a name is claimed once', () => {
  const identifiers = new Identifiers(['mountRoutes']);
  const claimed = ['deviceKind', 'deviceKind2', 'deviceKind', 'deviceKind', 'mountRoutes'];
  expect(claimed.map((name) => identifiers.claim(name))).toEqual([
    'deviceKind',
    'deviceKind2',
    'deviceKind3',
    'deviceKind4',
    'mountRoutes2',
  ]);
});
