import { fillDefaults, normalise } from '../../../templates/runtime/model/fields/normal-form';
import type { JsonObject, Schema } from '../../../templates/runtime/model/schema';

const types: { [name: string]: Schema } = {
  Node: {
    type: 'object',
    properties: {
      size: { type: 'integer', default: 1 },
      label: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/$defs/Node' } },
      byName: { type: 'object', additionalProperties: { $ref: '#/$defs/Node' } },
    },
    additionalProperties: false,
  },
  Plain: { type: 'object', properties: { text: { type: 'string' } }, additionalProperties: false },
};

const schema: Schema = {
  type: 'object',
  properties: {
    root: { $ref: '#/$defs/Node' },
    plain: { $ref: '#/$defs/Plain' },
    any: {},
    needed: {},
    tags: { type: 'array', items: { type: 'string' }, default: ['a'] },
    config: { type: 'object', additionalProperties: { type: 'string' } },
    toString: { type: 'string', default: 'text' } satisfies Schema,
  },
  required: ['needed'],
  additionalProperties: false,
};

type Case = { given: JsonObject; want: JsonObject };

test.each<[string, Case]>([
  ['a declared field', { given: { tags: null, toString: null }, want: {} }],
  ['any keeps it', { given: { any: null }, want: { any: null } }],
  ['any that is required does not', { given: { needed: null }, want: {} }],
  ['what is not declared keeps it', { given: { other: null }, want: { other: null } }],
  ['inside any it is data', { given: { any: { root: null } }, want: { any: { root: null } } }],
  [
    'elements and values keep it',
    { given: { tags: [null], config: { a: null } }, want: { tags: [null], config: { a: null } } },
  ],
  [
    'at any depth of recursive types',
    {
      given: {
        root: { label: null, children: [null, { label: null }], byName: { a: { size: null }, b: null } },
      },
      want: { root: { children: [null, {}], byName: { a: {}, b: null } } },
    },
  ],
  [
    'a value of another shape is left alone',
    { given: { root: ['x'], plain: 7 }, want: { root: ['x'], plain: 7 } },
  ],
])('null: %s', (_, { given, want }) => {
  normalise({ schema, types }, given);
  expect(given).toEqual(want);
});

test.each<[string, Case]>([
  ['what is absent', { given: {}, want: { tags: ['a'], toString: 'text' } }],
  ['not what is there', { given: { tags: [], toString: '' }, want: { tags: [], toString: '' } }],
  [
    'in nested objects that are there',
    { given: { root: {} }, want: { root: { size: 1 }, tags: ['a'], toString: 'text' } },
  ],
  [
    'in elements and values',
    {
      given: { root: { children: [{ size: 2 }, {}], byName: { a: {} } } },
      want: {
        root: { size: 1, children: [{ size: 2 }, { size: 1 }], byName: { a: { size: 1 } } },
        tags: ['a'],
        toString: 'text',
      },
    },
  ],
  [
    'not in any',
    { given: { any: { root: {} } }, want: { any: { root: {} }, tags: ['a'], toString: 'text' } },
  ],
])('defaults: %s', (_, { given, want }) => {
  fillDefaults({ schema, types }, given);
  expect(given).toEqual(want);
});

test('defaults are not shared', () => {
  const [first, second]: JsonObject[] = [{}, {}];
  fillDefaults({ schema, types }, first);
  (first['tags'] as string[]).push('b');
  fillDefaults({ schema, types }, second);
  expect(second['tags']).toEqual(['a']);
});

test('defaults of more than so many bytes in all are refused', () => {
  const listed: Schema = {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'string', default: 'x'.repeat(100) } } },
      },
    },
  };
  const filled = (count: number) => () =>
    fillDefaults({ schema: listed, types: {} }, { items: Array.from({ length: count }, () => ({})) }, 1_000);
  expect(filled(9)).not.toThrow();
  expect(filled(10)).toThrow('more than 1000 bytes');
});
