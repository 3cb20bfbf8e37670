import type { Json } from '../runtime/model/schema';
import { parsePatch, type PatchMediaType } from '../runtime/patch/apply-patch';
import { outcome } from './outcome';

/** A patch of `DOCUMENT`, and the changed document, or the status and the detail of the refusal. */
type Row = [patch: Json, result: Json];

const DOCUMENT = { a: { b: 1, c: { d: 2 } }, list: [1, 2, 3], text: 'x', none: null };
const { a, list, text, none } = DOCUMENT;
const LIMITS = { operations: 3, bytes: 200, depth: 4 };

const MERGES: Row[] = [
  [{}, DOCUMENT],
  [{ a: { b: 2 } }, { ...DOCUMENT, a: { ...a, b: 2 } }],
  [
    { a: { c: null }, none: null },
    { a: { b: 1 }, list, text },
  ],
  [
    { list: [null], text: { e: { f: null } } },
    { a, list: [null], text: { e: {} }, none },
  ],
  [{ absent: null }, DOCUMENT],
  [{ constructor: { x: 1 } }, { ...DOCUMENT, constructor: { x: 1 } }],
  [[], '400 A merge patch must be a JSON object.'],
  [{ a: { b: { c: { d: {} } } } }, '400 The patched document is nested deeper than 4 levels.'],
  [{ text: 'x'.repeat(200) }, '413 The patched document is larger than 200 bytes.'],
  [JSON.parse('{"a":{"__proto__":1}}') as Json, '400 "__proto__" is not accepted as a key.'],
];

/** Returns the refusal of the only operation of a patch. */
const malformed = (what: string): string => `400 Operation 0 of the JSON Patch ${what}.`;
const failed = (op: string, path: string, why: string): string =>
  `422 Operation 0 (${op} "${path}"): ${why}.`;
const nothing = (path: string): string => `there is nothing at "${path}"`;

const OPERATIONS: Row[] = [
  [[], DOCUMENT],
  [[{ op: 'add', path: '/list/-', value: 4 }], { ...DOCUMENT, list: [1, 2, 3, 4] }],
  [[{ op: 'add', path: '/list/0', value: 0 }], { ...DOCUMENT, list: [0, 1, 2, 3] }],
  [[{ op: 'add', path: '/list/3', value: 4 }], { ...DOCUMENT, list: [1, 2, 3, 4] }],
  [[{ op: 'add', path: '/a/b', value: null }], { ...DOCUMENT, a: { ...a, b: null } }],
  [[{ op: 'add', path: '/~0~1', value: 1 }], { ...DOCUMENT, '~/': 1 }],
  [[{ op: 'add', path: '', value: {} }], {}],
  [[{ op: 'remove', path: '/list/1' }], { ...DOCUMENT, list: [1, 3] }],
  [[{ op: 'replace', path: '/list/2', value: 9 }], { ...DOCUMENT, list: [1, 2, 9] }],
  [[{ op: 'replace', path: '/none', value: 1 }], { ...DOCUMENT, none: 1 }],
  [[{ op: 'test', path: '', value: { none, text, list, a: { c: { d: 2 }, b: 1 } } }], DOCUMENT],
  [[{ op: 'copy', from: '/a/c', path: '/text' }], { ...DOCUMENT, text: { d: 2 } }],
  [[{ op: 'move', from: '/list/0', path: '/list/-' }], { ...DOCUMENT, list: [2, 3, 1] }],
  [[{ op: 'move', from: '/a', path: '/ab' }], { ab: a, list, text, none }],
  [[{ op: 'move', from: '/a', path: '/a' }], DOCUMENT],
  [
    [
      { op: 'copy', from: '/a/c', path: '/e' },
      { op: 'add', path: '/e/d', value: 3 },
    ],
    { ...DOCUMENT, e: { d: 3 } },
  ],
  [{}, '400 A JSON Patch must be an array of operations.'],
  [[1], malformed('is not an object')],
  [[{ path: '/a' }], malformed('needs "op", one of add, remove, replace, move, copy and test')],
  [[{ op: 'remove' }], malformed('needs "path", a JSON Pointer')],
  [[{ op: 'remove', path: 'a' }], malformed('has a "path" that is not a JSON Pointer: "a"')],
  [[{ op: 'copy', path: '/a', from: '/~2' }], malformed('has a "from" that is not a JSON Pointer: "/~2"')],
  ...['add', 'replace', 'test'].map((op): Row => [[{ op, path: '/a' }], malformed('needs "value"')]),
  [[{ op: 'add', path: '/__proto__', value: 1 }], '400 "__proto__" is not accepted as a key.'],
  [[{}, {}, {}, {}], '413 A JSON Patch may have 3 operations, not 4.'],
  [[{ op: 'replace', path: '/x', value: 1 }], failed('replace', '/x', nothing('/x'))],
  [[{ op: 'remove', path: '/toString' }], failed('remove', '/toString', nothing('/toString'))],
  [[{ op: 'remove', path: '/list/01' }], failed('remove', '/list/01', nothing('/list/01'))],
  [[{ op: 'test', path: '/list/3', value: 1 }], failed('test', '/list/3', nothing('/list/3'))],
  [[{ op: 'test', path: '/list', value: [1, 2] }], failed('test', '/list', 'the value is another')],
  [[{ op: 'test', path: '/a', value: { b: 1 } }], failed('test', '/a', 'the value is another')],
  [[{ op: 'test', path: '/a', value: { b: 1, c: { e: 2 } } }], failed('test', '/a', 'the value is another')],
  [[{ op: 'copy', from: '/x', path: '/y' }], failed('copy', '/y', nothing('/x'))],
  [[{ op: 'move', from: '/x', path: '/y' }], failed('move', '/y', nothing('/x'))],
  [[{ op: 'move', from: '/a', path: '/a/c' }], failed('move', '/a/c', 'a value cannot be moved into itself')],
  [
    [{ op: 'add', path: '/text/x', value: 1 }],
    failed('add', '/text/x', 'its parent is neither an object nor a list'),
  ],
  [
    [{ op: 'add', path: '/none/x', value: 1 }],
    failed('add', '/none/x', 'its parent is neither an object nor a list'),
  ],
  [
    [{ op: 'add', path: '/list/4', value: 1 }],
    failed('add', '/list/4', '"4" is not an index of a list of 3'),
  ],
  [
    [{ op: 'add', path: '/list/-/x', value: 1 }],
    failed('add', '/list/-/x', 'its parent is neither an object nor a list'),
  ],
  [[{ op: 'add', path: '/e', value: 'x'.repeat(200) }], '413 The patched document is larger than 200 bytes.'],
  [
    [
      { op: 'copy', from: '', path: '/e' },
      { op: 'copy', from: '', path: '/f' },
    ],
    '413 The patch copies more than 200 bytes.',
  ],
];

const SHORTHANDS: Row[] = [
  [{}, DOCUMENT],
  [
    { 'a.b': 2, 'a.e': 3 },
    { ...DOCUMENT, a: { ...a, b: 2, e: 3 } },
  ],
  [{ a: { e: null } }, { ...DOCUMENT, a: { e: null } }],
  [
    { 'a.c': null, none: null },
    { a: { b: 1 }, list, text },
  ],
  [{ 'e.f.g': 1 }, { ...DOCUMENT, e: { f: { g: 1 } } }],
  [{ 'e.f.g': null }, DOCUMENT],
  [
    { 'list.0': null, 'list.2': 9 },
    { ...DOCUMENT, list: [2, 9] },
  ],
  [{ 'a\\.b\\\\c\\d': 1 }, { ...DOCUMENT, 'a.b\\c\\d': 1 }],
  [[], '400 A shorthand patch must be a JSON object.'],
  [{ 'a..b': 1 }, '400 The path "a..b" has an empty part.'],
  [{ 'a.b.c.d.e': 1 }, '400 The path "a.b.c.d.e" has more than 4 parts.'],
  [{ a: 1, 'a.b': 1 }, '400 The path "a.b" overlaps with another path of the patch.'],
  [{ 'a.b': 1, a: 1 }, '400 The path "a" overlaps with another path of the patch.'],
  [{ 'a.__proto__': 1 }, '400 "__proto__" is not accepted as a key.'],
  [{ 'text.x': 1 }, '422 "text" is not an object: nothing can be set in it.'],
  [{ 'a.b.x': 1 }, '422 "a.b" is not an object: nothing can be set in it.'],
  [{ 'list.3': 1 }, '422 "3" is not an index of "list", a list of 3.'],
  [{ 'list.01': 1 }, '422 "01" is not an index of "list", a list of 3.'],
];

const PATCHES: [type: PatchMediaType, table: Row[]][] = [
  ['application/merge-patch+json', MERGES],
  ['application/json-patch+json', OPERATIONS],
  ['application/shorthand-patch+json', SHORTHANDS],
];

/** Checks each type of patch on one document, which stays as it was (specification, "Patch media types"). */
export function patchVectors(): void {
  test.each(PATCHES)('%s', (type, table) => {
    const before = JSON.stringify(DOCUMENT);
    for (const [patch, result] of table) {
      expect([patch, outcome(() => parsePatch(type, patch, LIMITS)(DOCUMENT))]).toEqual([patch, result]);
      expect(JSON.stringify(DOCUMENT)).toBe(before);
    }
  });

  test('a long list is changed in place', () => {
    const long = Array.from({ length: 5_000 }, (_, index) => index);
    const operations: Json = [
      { op: 'remove', path: '/0' },
      { op: 'add', path: '/2500', value: -1 },
      { op: 'test', path: '/4998', value: 4_998 },
      { op: 'add', path: '/-', value: -2 },
    ];
    const want = [...long.slice(1, 2_501), -1, ...long.slice(2_501), -2];
    const limits = { operations: 4, bytes: 50_000, depth: 1 };
    expect(parsePatch('application/json-patch+json', operations, limits)(long)).toEqual(want);
  });
}
