import type { Json, Schema } from '../../../templates/runtime/model/schema';
import { unchangedIn } from '../../../templates/runtime/validation/ratcheting';

const types: { [name: string]: Schema } = {
  Port: { type: 'object', properties: { name: { type: 'string' }, number: { type: 'integer' } } },
};
const schema: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    net: { type: 'object', properties: { host: { type: 'string' } } },
    ports: { type: 'array', items: { $ref: '#/$defs/Port' }, 'x-list-key': 'name' },
    tags: { type: 'array', items: { type: 'string' } },
    limits: { type: 'object', additionalProperties: { $ref: '#/$defs/Port' } },
  },
};

type Case = { before: Json; after: Json; pointer: string; forgiven: boolean };

test.each<[string, Case]>([
  [
    'a value that stayed',
    { before: { name: 'a' }, after: { name: 'a' }, pointer: '/spec/name', forgiven: true },
  ],
  [
    'a value that changed',
    { before: { name: 'a' }, after: { name: 'b' }, pointer: '/spec/name', forgiven: false },
  ],
  ['a field that was missing', { before: {}, after: {}, pointer: '/spec/name', forgiven: true }],
  ['a field that was removed', { before: { name: 'a' }, after: {}, pointer: '/spec/name', forgiven: false }],
  [
    'a field missing in what is new',
    { before: {}, after: { net: {} }, pointer: '/spec/net/host', forgiven: false },
  ],
  [
    'an element that moved up',
    {
      before: { ports: [{ name: 'a' }, { name: 'b', number: -1 }] },
      after: { ports: [{ name: 'b', number: -1 }] },
      pointer: '/spec/ports/0/number',
      forgiven: true,
    },
  ],
  [
    'an element that stands where a bad one stood',
    {
      before: { ports: [{ name: 'a', number: -1 }] },
      after: { ports: [{ name: 'b', number: -1 }] },
      pointer: '/spec/ports/0/number',
      forgiven: false,
    },
  ],
  [
    'an element without a key that moved',
    {
      before: { tags: ['x', 'bad'] },
      after: { tags: ['bad', 'x'] },
      pointer: '/spec/tags/0',
      forgiven: true,
    },
  ],
  [
    'one more of a bad element',
    { before: { tags: ['bad'] }, after: { tags: ['bad', 'bad'] }, pointer: '/spec/tags/1', forgiven: false },
  ],
  [
    'a list that stayed',
    { before: { tags: ['a'] }, after: { tags: ['a'] }, pointer: '/spec/tags', forgiven: true },
  ],
  [
    'an entry of a map',
    {
      before: { limits: { 'a/b': { number: -1 }, toString: { number: 1 } } },
      after: { limits: { 'a/b': { number: -1 } } },
      pointer: '/spec/limits/a~1b/number',
      forgiven: true,
    },
  ],
  [
    'a name that objects inherit',
    { before: {}, after: { toString: 1 }, pointer: '/spec/toString', forgiven: false },
  ],
])('%s', (_, { before, after, pointer, forgiven }) => {
  const failure = { pointer, rule: 'min=0', detail: '' };
  expect(unchangedIn(after, before, { schema, types })(failure)).toBe(forgiven);
});
