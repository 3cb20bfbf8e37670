import Ajv2020 from 'ajv/dist/2020';
import * as fc from 'fast-check';
import { arbitrary } from '../../templates/laws/arbitrary';
import type { Schema } from '../../templates/runtime/model/schema';

/** Rules that leave little room, and what a client may send under them. */
const SCHEMAS: [title: string, schema: Schema][] = [
  ['a number between two integers', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['one number', { type: 'number', minimum: 0.5, maximum: 0.5 }],
  ['one integer', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 3 }],
  ['one integer between fractions', { type: 'integer', exclusiveMinimum: 0.5, exclusiveMaximum: 1.5 }],
  ['a large integer', { type: 'integer', minimum: 3e9, maximum: Number.MAX_SAFE_INTEGER }],
  ['a small integer', { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, exclusiveMaximum: -3e9 }],
  ['the largest integer', { type: 'integer', exclusiveMinimum: Number.MAX_SAFE_INTEGER - 1 }],
  ['a large number', { type: 'number', minimum: 5e9 }],
  ['a number near the largest', { type: 'number', exclusiveMinimum: 1.7e308 }],
  ['a small number', { type: 'number', maximum: -5e9 }],
  [
    'both kinds of a bound',
    { type: 'number', minimum: 5, exclusiveMinimum: 1, maximum: 6, exclusiveMaximum: 9 },
  ],
  ['a long list', { type: 'array', items: { type: 'boolean' }, minItems: 60 }],
  ['a list of five', { type: 'array', items: { type: 'boolean' }, minItems: 5, maxItems: 5 }],
  ['a large map', { type: 'object', additionalProperties: { type: 'boolean' }, minProperties: 60 }],
  ['a pattern', { type: 'string', pattern: '^\\p{Lu}+-\\d{4,6}$' }],
];

test.each(SCHEMAS)('%s', (_, schema) => {
  const validate = new Ajv2020({ strict: false }).compile(schema);
  for (const value of fc.sample(arbitrary(schema, {}), 100)) {
    expect([value, validate(value)]).toEqual([value, true]);
  }
});

test('a pattern that fast-check cannot make texts for gives texts', () => {
  const values = fc.sample(arbitrary({ type: 'string', pattern: '^(?=.*\\d)[a-z\\d]{3,}$' }, {}), 20);
  expect(new Set(values.map((value) => typeof value))).toEqual(new Set(['string']));
});
