import Ajv2020 from 'ajv/dist/2020';
import * as fc from 'fast-check';
import { arbitrary } from '../../templates/laws/arbitrary';
import type { Schema } from '../../templates/runtime/schema';

/** Rules that leave little room, and what a client may send under them. */
const SCHEMAS: [title: string, schema: Schema][] = [
  ['a number between two integers', { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }],
  ['one number', { type: 'number', minimum: 0.5, maximum: 0.5 }],
  ['one integer', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 3 }],
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
