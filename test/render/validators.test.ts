import type { Schema } from '../../src/model/json-schema';
import type { Failure } from '../../templates/runtime/model/problem';
import { beginValidation } from '../../templates/runtime/model/rules/pattern-steps';
import type { JsonObject } from '../../templates/runtime/model/schema';
import { SETTINGS } from '../../templates/runtime/settings/settings';
import { validateFields } from '../../templates/runtime/validation/field-rules';
import { growth, LINEAR } from '../support/growth';
import { compileValidators } from './compile-validators';

const types: { [name: string]: Schema } = {
  Node: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      nodes: { type: 'array', items: { $ref: '#/$defs/Node' } },
      byName: { type: 'object', additionalProperties: { $ref: '#/$defs/Node' } },
    },
    required: ['name'],
    additionalProperties: false,
  },
};

const spec: Schema = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 3 },
    code: { type: 'string', pattern: '^\\p{Lu}+$' },
    slow: { type: 'string', pattern: '[ab]*a[ab]{500}c' },
    slows: { type: 'array', items: { type: 'string', pattern: '[ab]*a[ab]{500}c' } },
    evil: { type: 'string', pattern: '^(?:[0-9a-f]{64}|[0-9a-f]{128})+$' },
    color: { type: 'string', enum: ['red', 'green'] },
    size: { type: 'integer', enum: [1, 2] },
    count: { type: 'integer', minimum: 0, maximum: 10 },
    big: { type: 'integer' },
    least: { type: 'integer', maximum: Number.MIN_SAFE_INTEGER },
    wide: { type: 'number', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    ratio: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    ready: { type: 'boolean' },
    when: { type: 'string', format: 'date-time' },
    mail: { type: 'string', format: 'email' },
    link: { type: 'string', format: 'url' },
    address: { type: 'string', format: 'ip' },
    tags: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, maxItems: 2 },
    limits: { type: 'object', additionalProperties: { type: 'integer' }, minProperties: 1, maxProperties: 2 },
    keyed: {
      type: 'array',
      'x-list-key': 'id',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, size: { type: 'integer' } },
        additionalProperties: false,
      },
    },
    node: { $ref: '#/$defs/Node' },
    any: {},
    'my-field': { type: 'string' },
    toString: { type: 'string' } satisfies Schema,
    valueOf: { type: 'string' } satisfies Schema,
  },
  additionalProperties: false,
};
const strict: Schema = {
  type: 'object',
  properties: {
    toString: {},
    hasOwnProperty: { type: 'string' } satisfies Schema,
    'a/b~c': { type: 'string' },
  },
  required: ['toString', 'hasOwnProperty'],
  additionalProperties: false,
};

const { validateSpec, validateStatus } = compileValidators({ spec, status: strict, types });

function failures(value: JsonObject): Failure[] {
  beginValidation(SETTINGS.MAX_PATTERN_STEPS.fallback);
  return validateFields(validateSpec, { schema: spec, types }, value, '/spec', () => false);
}

test.each<[string, JsonObject]>([
  ['nothing', {}],
  ['characters, not code units', { text: '😀😀😀' }],
  ['bounds themselves', { text: 'a', count: 10, tags: ['a', 'b'], limits: { a: 1, b: 2 } }],
  ['a pattern with Unicode classes', { code: 'ÄÖ' }],
  ['the largest exact integers', { big: 9007199254740991, limits: { low: -9007199254740991 } }],
  ['an integer written as 1.0', { count: 1.0 }],
  ['different keys', { keyed: [{ id: 'a' }, { id: 'b' }, {}, {}] }],
  ['recursion', { node: { name: 'a', nodes: [{ name: 'b', byName: { c: { name: 'c' } } }] } }],
  ['any', { any: [null, { deep: 1 }] }],
  ['a member of every object', { toString: 'text' }],
])('valid: %s', (_, value) => {
  expect(failures(value)).toEqual([]);
});

test.each<[rule: string, pointer: string, value: JsonObject, detail: string]>([
  ['min=1', '/spec/text', { text: '' }, 'text must have at least 1 character'],
  ['max=3', '/spec/text', { text: '😀😀😀😀' }, 'text must have at most 3 characters'],
  ['pattern=^\\p{Lu}+$', '/spec/code', { code: 'a' }, 'code must match ^\\p{Lu}+$'],
  ['oneof=red green', '/spec/color', { color: 'blue' }, 'color must be one of red, green'],
  ['oneof=1 2', '/spec/size', { size: 3 }, 'size must be one of 1, 2'],
  ['min=0', '/spec/count', { count: -1 }, 'count must be at least 0'],
  ['max=10', '/spec/count', { count: 11 }, 'count must be at most 10'],
  ['gt=0', '/spec/ratio', { ratio: 0 }, 'ratio must be greater than 0'],
  ['lt=1', '/spec/ratio', { ratio: 1 }, 'ratio must be less than 1'],
  ['email', '/spec/mail', { mail: 'a' }, 'mail must be an email address'],
  ['url', '/spec/link', { link: 'a' }, 'link must be an absolute URL with a host'],
  ['ip', '/spec/address', { address: 'a' }, 'address must be an IPv4 or IPv6 address'],
  ['min=1', '/spec/tags', { tags: [] }, 'tags must have at least 1 element'],
  ['max=2', '/spec/tags', { tags: ['a', 'b', 'c'] }, 'tags must have at most 2 elements'],
  ['min=1', '/spec/tags/1', { tags: ['a', ''] }, 'tags[1] must have at least 1 character'],
  ['min=1', '/spec/limits', { limits: {} }, 'limits must have at least 1 member'],
  ['max=2', '/spec/limits', { limits: { a: 1, b: 2, c: 3 } }, 'limits must have at most 2 members'],
  ['type', '/spec/limits/a~1b~0c', { limits: { 'a/b~c': 'x' } }, 'a/b~c must be an integer'],
  ['type', '/spec/text', { text: 1 }, 'text must be a string'],
  ['type', '/spec/count', { count: 1.5 }, 'count must be an integer'],
  ['type', '/spec/big', { big: 9007199254740992 }, 'big must be an integer between ±9007199254740991'],
  ['type', '/spec/big', { big: 1e300 }, 'big must be an integer between ±9007199254740991'],
  ['max=-9007199254740991', '/spec/least', { least: 0 }, 'least must be at most -9007199254740991'],
  ['max=9007199254740991', '/spec/wide', { wide: 1e17 }, 'wide must be at most 9007199254740991'],
  ['min=-9007199254740991', '/spec/wide', { wide: -1e17 }, 'wide must be at least -9007199254740991'],
  ['type', '/spec/ratio', { ratio: '1' }, 'ratio must be a number'],
  ['type', '/spec/ready', { ready: 'true' }, 'ready must be true or false'],
  [
    'type',
    '/spec/when',
    { when: '2024' },
    'when must be a timestamp such as 2030-01-31T12:00:00Z (RFC 3339)',
  ],
  ['type', '/spec/color', { color: 7 }, 'color must be a string'],
  ['type', '/spec/tags', { tags: {} }, 'tags must be a list'],
  ['type', '/spec/tags/0', { tags: [null] }, 'tags[0] must be a string'],
  ['type', '/spec/node', { node: [] }, 'node must be an object'],
  ['type', '/spec/limits/a', { limits: { a: null } }, 'a must be an integer'],
  [
    'key',
    '/spec/keyed/2/id',
    { keyed: [{ id: 'a' }, {}, { id: 'a' }] },
    'id repeats that of an earlier element',
  ],
  ['required', '/spec/node/name', { node: {} }, 'name is required'],
  ['required', '/spec/node/nodes/0/name', { node: { name: 'a', nodes: [{}] } }, 'name is required'],
  ['unknown', '/spec/colour', { colour: 'red' }, 'unknown field "colour"; did you mean "color"?'],
  [
    'unknown',
    '/spec/node/nodes/0/nam',
    { node: { name: 'a', nodes: [{ name: 'b', nam: 1 }] } },
    'unknown field "nam"; did you mean "name"?',
  ],
  ['unknown', '/spec/a~1b', { 'a/b': 1 }, 'unknown field "a/b"'],
])('%s at %s', (rule, pointer, value, detail) => {
  expect(failures(value)).toEqual([{ pointer, rule, detail }]);
});

test('several failures at once, in the order of the fields', () => {
  const found = failures({ mail: 'a', text: '', size: 3, extra: 1 });
  expect(found.map(({ rule }) => rule)).toEqual(['min=1', 'oneof=1 2', 'email', 'unknown']);
});

test('members that every object inherits are absent until they are sent', () => {
  const check = (value: JsonObject): string[] =>
    validateFields(validateStatus, { schema: strict, types: {} }, value, '/status', () => false).map(
      ({ pointer }) => pointer,
    );
  expect(check({})).toEqual(['/status/toString', '/status/hasOwnProperty']);
  expect(check({ toString: 1, hasOwnProperty: 'a', 'a/b~c': 'b' })).toEqual([]);
  expect(check({ toString: 1, hasOwnProperty: 'a', constructor: 1, valueOf: 2 })).toEqual([
    '/status/constructor',
    '/status/valueOf',
  ]);
});

test('a text that a pattern has no steps left for is told so', () => {
  expect(failures({ slow: 'ab'.repeat(500_000) })).toEqual([
    {
      pointer: '/spec/slow',
      rule: 'pattern=[ab]*a[ab]{500}c',
      detail: 'slow must be shorter: the request is too long for its patterns',
    },
  ]);
  expect(failures({ slow: `a${'ab'.repeat(250)}c` })).toEqual([]);
});

// Each body has about 1 MiB. Without bounds they take from 15 seconds of the processor to hours; with them, a fraction of
// a second.
describe('hostile bodies cost little', () => {
  const zeros = Array<number>(500_000).fill(0);
  const names = (count: number): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
  const long = '~'.repeat(300_000);
  let nested: JsonObject = { name: 'leaf' };
  for (let depth = 0; depth < 30; depth++)
    nested = { nodes: [...zeros.slice(0, 5_000), nested], byName: names(2_000) };

  test.each<[string, JsonObject]>([
    ['a list of wrong elements', { node: { name: 'a', nodes: zeros } }],
    ['a list of incomplete objects', { node: { name: 'a', nodes: Array<JsonObject>(300_000).fill({}) } }],
    ['a map of wrong values', { node: { name: 'a', byName: names(100_000) } }],
    ['unknown fields', names(100_000)],
    ['failures at every depth', { node: nested }],
    [
      'wrong values below a long name',
      { node: { name: 'a', byName: { [long]: { name: 'a', byName: names(50_000) } } } },
    ],
    ['repeated keys', { keyed: Array<JsonObject>(100_000).fill({ id: 'a' }) }],
    ['wrong elements of scalars', { tags: zeros }],
    ['a text for a slow pattern', { slow: 'ab'.repeat(500_000) }],
    ['many texts for a slow pattern', { slows: Array<string>(100).fill('ab'.repeat(5_000)) }],
    ['a text for a pattern that goes back without end', { evil: `${'a'.repeat(1_000_000)}!` }],
  ])('%s', (_, value) => {
    const start = process.cpuUsage();
    const found = failures(value);
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(3_000);
    expect(found.length).toBeGreaterThan(0);
    expect(found.length).toBeLessThanOrEqual(100);
  });

  test('valid elements below a long name', () => {
    const validated = (size: number) => {
      const nodes = Array<JsonObject>(size).fill({ name: 'a' });
      const value = { node: { name: 'a', byName: { ['~'.repeat(size)]: { name: 'a', nodes } } } };
      return () => expect(failures(value)).toEqual([]);
    };
    expect(growth(1_000, validated)).toBeLessThan(LINEAR);
  });

  test('values below a long name that were wrong before', () => {
    const validated = (size: number) => {
      const value = {
        node: { name: 'a', byName: { ['~'.repeat(10 * size)]: { name: 'a', byName: names(size) } } },
      };
      return () => validateFields(validateSpec, { schema: spec, types }, value, '/spec', () => true);
    };
    expect(growth(1_000, validated)).toBeLessThan(LINEAR);
  });
});
