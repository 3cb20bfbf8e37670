import specTests from 'json-patch-test-suite/spec_tests.json';
import tests from 'json-patch-test-suite/tests.json';
import type { Json, JsonObject } from '../../../templates/runtime/model/schema';

// The effects of patches, as tables: used on the functions alone and through HTTP.

/** A row of json-patch-test-suite. */
export interface Vector {
  comment?: string;
  doc: Json;
  patch: Json;
  /** The document stays as it is where there is none. */
  expected?: Json;
  error?: string;
}

/** Two operations of the same name in one object: JSON.parse has kept one of them, nothing is left to refuse. */
const NOT_JSON = ['duplicate ops', 'A.13 Invalid JSON Patch Document'];

/** json-patch-test-suite, with a name for each row. */
export const JSON_PATCH_SUITE = ([...specTests, ...tests] as Vector[])
  .filter(({ comment = '' }) => !NOT_JSON.includes(comment))
  .map((vector, index) => [`${index}: ${vector.comment ?? JSON.stringify(vector.patch)}`, vector] as const);

/** JSON Patches that are malformed: 400. */
export const MALFORMED: [name: string, operations: Json][] = [
  ['an object', {}],
  ['null', null],
  ['a string', 'remove'],
  ['an operation that is null', [null]],
  ['an operation that is a list', [['add', '/a', 1]]],
  ['no op', [{ path: '/a' }]],
  ['an unknown op', [{ op: 'increment', path: '/a' }]],
  ['a name of Object.prototype as op', [{ op: 'constructor', path: '/a' }]],
  ['an op that is a list', [{ op: ['add'], path: '/a', value: 1 }]],
  ['no path', [{ op: 'remove' }]],
  ['a path that is a number', [{ op: 'remove', path: 0 }]],
  ['a path without a slash', [{ op: 'remove', path: 'a' }]],
  ['a URI fragment', [{ op: 'remove', path: '#/a' }]],
  ['a tilde alone', [{ op: 'remove', path: '/a~' }]],
  ['an unknown escape', [{ op: 'remove', path: '/a~2b' }]],
  ['no value: add', [{ op: 'add', path: '/b' }]],
  ['no value: replace', [{ op: 'replace', path: '/a' }]],
  ['no value: test', [{ op: 'test', path: '/a' }]],
  ['no from: move', [{ op: 'move', path: '/b' }]],
  ['no from: copy', [{ op: 'copy', path: '/b' }]],
  ['a malformed from', [{ op: 'copy', path: '/b', from: 'a' }]],
  ['a malformed operation after one that fails', [{ op: 'remove', path: '/none' }, { op: 'x' }]],
  ['__proto__ at the end of a path', [{ op: 'add', path: '/__proto__', value: {} }]],
  ['__proto__ within a path', [{ op: 'add', path: '/a/__proto__/polluted', value: 1 }]],
  ['__proto__ in from', [{ op: 'copy', path: '/b', from: '/__proto__' }]],
  ['__proto__ in a value', [{ op: 'add', path: '/b', value: JSON.parse('{"__proto__":{"polluted":1}}') }]],
];

/** The document of `INAPPLICABLE`. */
export const TARGET: JsonObject = { a: { b: 1 }, list: [1, 2, 3], text: 'abc', none: null };

/** Operations of JSON Patch that cannot be applied to `TARGET`: 422. */
export const INAPPLICABLE: [name: string, operation: JsonObject][] = [
  ['leading zero', { op: 'replace', path: '/list/01', value: 0 }],
  ['leading zero, add', { op: 'add', path: '/list/00', value: 0 }],
  ['no number', { op: 'remove', path: '/list/x' }],
  ['empty index', { op: 'add', path: '/list/', value: 0 }],
  ['negative', { op: 'remove', path: '/list/-1' }],
  ['exponent', { op: 'test', path: '/list/1e0', value: 2 }],
  ['hexadecimal', { op: 'test', path: '/list/0x1', value: 2 }],
  ['space', { op: 'test', path: '/list/ 1', value: 2 }],
  ['beyond 2^32', { op: 'test', path: '/list/4294967297', value: 2 }],
  ['beyond 2^53', { op: 'test', path: '/list/99999999999999999999', value: 2 }],
  ['length of the list', { op: 'test', path: '/list/length', value: 3 }],
  ['a method of the list', { op: 'copy', path: '/c', from: '/list/push' }],
  ['beyond the end, add', { op: 'add', path: '/list/4', value: 0 }],
  ['beyond the end, replace', { op: 'replace', path: '/list/3', value: 0 }],
  ['removing -', { op: 'remove', path: '/list/-' }],
  ['replacing -', { op: 'replace', path: '/list/-', value: 0 }],
  ['testing -', { op: 'test', path: '/list/-', value: 3 }],
  ['copying from -', { op: 'copy', path: '/c', from: '/list/-' }],
  ['- within a path', { op: 'add', path: '/list/-/x', value: 0 }],
  ['missing parent', { op: 'add', path: '/x/y', value: 0 }],
  ['missing member, remove', { op: 'remove', path: '/x' }],
  ['missing member, replace', { op: 'replace', path: '/x', value: 0 }],
  ['missing member, test', { op: 'test', path: '/x', value: null }],
  ['missing member, move', { op: 'move', path: '/y', from: '/x' }],
  ['missing member, move to itself', { op: 'move', path: '/x', from: '/x' }],
  ['inherited member, test', { op: 'test', path: '/constructor/name', value: 'Object' }],
  ['inherited member, remove', { op: 'remove', path: '/toString' }],
  ['inherited member, parent', { op: 'add', path: '/constructor/prototype/polluted', value: 1 }],
  ['into a string', { op: 'add', path: '/text/x', value: 1 }],
  ['character of a string', { op: 'test', path: '/text/0', value: 'a' }],
  ['into null', { op: 'add', path: '/none/x', value: 1 }],
  ['move into itself', { op: 'move', path: '/a/b', from: '/a' }],
  ['move the root into itself', { op: 'move', path: '/a', from: '' }],
  ['move within a list beyond its new end', { op: 'move', path: '/list/3', from: '/list/0' }],
  ['failed test', { op: 'test', path: '/a', value: { b: 2 } }],
  ['test of a string with a number', { op: 'test', path: '/a/b', value: '1' }],
  ['test of a list with an object', { op: 'test', path: '/list', value: { 0: 1, 1: 2, 2: 3 } }],
  ['test with one member more', { op: 'test', path: '/a', value: { b: 1, c: 1 } }],
  ['test with one member less', { op: 'test', path: '/a', value: {} }],
];

/** JSON Patches and what they make of a document; null where nothing is left. */
export const APPLICABLE: [name: string, document: Json, operations: Json, want: Json][] = [
  ['the whole document', { a: 1 }, [{ op: 'replace', path: '', value: [1] }], [1]],
  ['removing the whole document', { a: 1 }, [{ op: 'remove', path: '' }], null],
  [
    'after the root is gone',
    { a: 1 },
    [
      { op: 'remove', path: '' },
      { op: 'add', path: '', value: {} },
    ],
    {},
  ],
  ['testing the whole document', { a: 1 }, [{ op: 'test', path: '', value: { a: 1 } }], { a: 1 }],
  ['copying a part to the root', { a: { b: 1 } }, [{ op: 'copy', path: '', from: '/a' }], { b: 1 }],
  ['moving a part to the root', { a: { b: 1 } }, [{ op: 'move', path: '', from: '/a' }], { b: 1 }],
  ['moving the root to itself', { a: 1 }, [{ op: 'move', path: '', from: '' }], { a: 1 }],
  ['copying the root below itself', { a: 1 }, [{ op: 'copy', path: '/b', from: '' }], { a: 1, b: { a: 1 } }],
  [
    'constructor as data',
    {},
    [
      { op: 'add', path: '/constructor', value: {} },
      { op: 'add', path: '/constructor/prototype', value: 1 },
    ],
    { constructor: { prototype: 1 } },
  ],
  [
    'hasOwnProperty as data',
    { a: { hasOwnProperty: 1 } },
    [{ op: 'test', path: '/a', value: { hasOwnProperty: 1 } }],
    { a: { hasOwnProperty: 1 } },
  ],
  ['numbers by value', { a: 0 }, [{ op: 'test', path: '/a', value: -0 }], { a: 0 }],
  ['a key of a number', { a: {} }, [{ op: 'add', path: '/a/01', value: 1 }], { a: { '01': 1 } }],
  ['- as a key', { a: {} }, [{ op: 'add', path: '/a/-', value: 1 }], { a: { '-': 1 } }],
  ['move to the end of its list', [1, 2, 3], [{ op: 'move', path: '/-', from: '/0' }], [2, 3, 1]],
  ['move to an index of what is left', [1, 2, 3], [{ op: 'move', path: '/2', from: '/0' }], [2, 3, 1]],
  ['move into what follows in the list', [1, {}], [{ op: 'move', path: '/0/a', from: '/0' }], 422],
  ['move over what is there', { a: 1, b: { c: 2 } }, [{ op: 'move', path: '/b', from: '/a' }], { b: 1 }],
  ['move to a longer name', { a: 1 }, [{ op: 'move', path: '/ab', from: '/a' }], { ab: 1 }],
  [
    'a value changed later',
    {},
    [
      { op: 'add', path: '/a', value: {} },
      { op: 'add', path: '/a/b', value: 1 },
    ],
    { a: { b: 1 } },
  ],
  [
    'a copy changed later',
    { a: [] },
    [
      { op: 'copy', path: '/b', from: '/a' },
      { op: 'add', path: '/b/-', value: 1 },
    ],
    { a: [], b: [1] },
  ],
];

/** RFC 7396, appendix A. */
export const APPENDIX_A: [document: Json, patch: Json, want: Json][] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
];

const items = [{ n: 0 }, { n: 1 }, { n: 2 }];

/** Shorthand patches, and the document that they make or the status that refuses them. */
export const SHORTHAND: [name: string, document: Json, patch: Json, want: Json][] = [
  ['sets a member', { spec: { a: 1 } }, { 'spec.a': 2 }, { spec: { a: 2 } }],
  ['sets a member of the root', { a: 1 }, { a: 2 }, { a: 2 }],
  ['an empty patch', { a: 1 }, {}, { a: 1 }],
  ['replaces, never merges', { a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3 } }],
  ['keeps nulls within a value', {}, { a: { b: null } }, { a: { b: null } }],
  ['creates parents', {}, { 'a.b.c': 1 }, { a: { b: { c: 1 } } }],
  ['creates an object for a number', {}, { 'a.0': 1 }, { a: { '0': 1 } }],
  [
    'several paths with one parent',
    {},
    { 'a.b': 1, 'a.c': 2, 'a.d.e': 3 },
    { a: { b: 1, c: 2, d: { e: 3 } } },
  ],
  ['removes', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['removes deeper', { a: { b: 1, c: 2 } }, { 'a.b': null }, { a: { c: 2 } }],
  ['removes what is absent', { a: {} }, { 'a.b': null, c: null }, { a: {} }],
  ['null below a missing parent', {}, { 'a.b.c': null }, {}],
  ['null and a value below a missing parent', {}, { 'a.b': null, 'a.c': 1, 'd.e.f': null }, { a: { c: 1 } }],
  ['an empty object below a missing parent', {}, { 'a.b': {} }, { a: { b: {} } }],
  ['a present parent is kept, emptied', { a: { b: 1 } }, { 'a.b': null }, { a: {} }],
  [
    'a number is a plain key of an object',
    { a: { '0': 1 } },
    { 'a.0': 2, 'a.01': 3 },
    { a: { '0': 2, '01': 3 } },
  ],
  ['- is a plain key of an object', { a: {} }, { 'a.-': 1 }, { a: { '-': 1 } }],
  ['a prefix of a name is no overlap', {}, { ab: 1, 'a.b': 2 }, { ab: 1, a: { b: 2 } }],
  ['a literal dot', {}, { 'a.b\\.c/d': 1 }, { a: { 'b.c/d': 1 } }],
  ['literal dots at both ends', {}, { '\\.a\\.': 1 }, { '.a.': 1 }],
  ['a literal backslash before a dot', {}, { 'a\\\\.b': 1 }, { 'a\\': { b: 1 } }],
  ['a literal backslash and a literal dot', {}, { 'a\\\\\\.b': 1 }, { 'a\\.b': 1 }],
  ['a backslash alone', {}, { 'a\\b': 1, 'c\\': 2 }, { 'a\\b': 1, 'c\\': 2 }],
  ['spaces and other letters', {}, { ' a . é ': 1 }, { ' a ': { ' é ': 1 } }],
  [
    'names of Object.prototype are data',
    {},
    { 'constructor.prototype.x': 1, toString: 2 },
    { constructor: { prototype: { x: 1 } }, toString: 2 },
  ],
  ['an element', { l: [1, 2] }, { 'l.1': 3 }, { l: [1, 3] }],
  [
    'a member of an element',
    { l: items },
    { 'l.1.n': 5, 'l.1.m': 6 },
    { l: [{ n: 0 }, { n: 5, m: 6 }, { n: 2 }] },
  ],
  ['an element of an element', { l: [[1, 2]] }, { 'l.0.1': 3 }, { l: [[1, 3]] }],
  ['removes an element', { l: [1, 2, 3] }, { 'l.1': null }, { l: [1, 3] }],
  [
    'removes elements by their first indices',
    { l: [1, 2, 3, 4] },
    { 'l.0': null, 'l.1': null, 'l.3': 9 },
    { l: [3, 9] },
  ],
  ['the same in another order', { l: [1, 2, 3, 4] }, { 'l.3': 9, 'l.1': null, 'l.0': null }, { l: [3, 9] }],
  ['a list made by the same patch', {}, { l: [1] }, { l: [1] }],
  // 422: it does not fit the document
  ['an index at the end', { l: [1] }, { 'l.1': 2 }, 422],
  ['an index beyond the end', { l: [1] }, { 'l.5.a': 2 }, 422],
  ['removal beyond the end', { l: [1] }, { 'l.1': null }, 422],
  ['- on a list', { l: [1] }, { 'l.-': 2 }, 422],
  ['a leading zero', { l: [1, 2] }, { 'l.01': 2 }, 422],
  ['no number', { l: [1] }, { 'l.x': 2 }, 422],
  ['length', { l: [1] }, { 'l.length': 0 }, 422],
  ['a parent that is a string', { a: 'x' }, { 'a.b': 1 }, 422],
  ['a parent that is a string, removal', { a: 'x' }, { 'a.b': null }, 422],
  ['a parent that is null', { a: null }, { 'a.b': 1 }, 422],
  ['a parent that is false', { a: { b: false } }, { 'a.b.c.d': 1 }, 422],
  ['an element that is a number', { l: [1] }, { 'l.0.a': 1 }, 422],
  // 400: it fits no document
  ['a list', {}, [], 400],
  ['null', {}, null, 400],
  ['a string', {}, 'a', 400],
  ['an empty key', {}, { '': 1 }, 400],
  ['a leading dot', {}, { '.a': 1 }, 400],
  ['a trailing dot', {}, { 'a.': 1 }, 400],
  ['two dots', {}, { 'a..b': 1 }, 400],
  ['only a dot', {}, { '.': 1 }, 400],
  ['an overlap', {}, { a: {}, 'a.b': 1 }, 400],
  ['an overlap, the other way round', {}, { 'a.b': 1, a: {} }, 400],
  ['an overlap far below', {}, { 'a.b.c.d': 1, 'a.b': null }, 400],
  ['an overlap of removals', { a: {} }, { 'a.b': null, a: null }, 400],
  ['one path in two spellings', {}, { 'a\\\\b': 1, 'a\\b': 2 }, 400],
  ['__proto__', {}, JSON.parse('{"__proto__":1}'), 400],
  ['__proto__ as a parent', {}, { '__proto__.polluted': 1 }, 400],
  ['__proto__ below', {}, { 'a.__proto__': { polluted: 1 } }, 400],
  ['more parts than levels', {}, { [Array(65).fill('a').join('.')]: 1 }, 400],
  ['a path and a value that are too deep together', {}, { [Array(64).fill('a').join('.')]: {} }, 400],
];
