import { isIP } from 'node:net';
import fc from 'fast-check';
import { FieldSchemas } from '../../src/openapi/field-schemas';
import { everything } from './openapi-projects';

const fields = new FieldSchemas(everything.groups[0], true);

test('the pattern of an IP address accepts what the service accepts', () => {
  const { pattern } = fields.schema({ type: 'string', format: 'ip' }) as { pattern: string };
  const expression = new RegExp(pattern, 'u');
  const edited = fc
    .tuple(
      fc.oneof(fc.ipV4(), fc.ipV6()),
      fc.nat(40),
      fc.nat(2),
      fc.constantFrom('', ':', '::', '.', '0', 'f', '25', 'g', '%'),
    )
    .map(([text, at, length, insert]) => text.slice(0, at) + insert + text.slice(at + length));
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), edited), (text) => {
      expect([text, expression.test(text)]).toEqual([text, !text.includes('%') && isIP(text) !== 0]);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  [{ type: 'integer' }, { type: 'integer', format: 'int64', minimum: -(2 ** 53 - 1), maximum: 2 ** 53 - 1 }],
  [
    { type: 'integer', minimum: 1 },
    { type: 'integer', format: 'int64', minimum: 1, maximum: 2 ** 53 - 1 },
  ],
  [
    { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 3 },
    { type: 'integer', format: 'int64', exclusiveMinimum: 1, exclusiveMaximum: 3 },
  ],
  [
    { type: 'number', minimum: 2, exclusiveMinimum: 2, maximum: 3, exclusiveMaximum: 4 },
    { type: 'number', exclusiveMinimum: 2, maximum: 3 },
  ],
  [
    { type: 'string', format: 'url' },
    { type: 'string', format: 'uri', pattern: '^[A-Za-z][A-Za-z0-9+.-]*://' },
  ],
  [
    { type: 'string', format: 'url', pattern: '^https:' },
    {
      type: 'string',
      pattern: '^https:',
      format: 'uri',
      allOf: [{ pattern: '^[A-Za-z][A-Za-z0-9+.-]*://' }],
    },
  ],
  [
    { type: 'string', format: 'email', pattern: 'example' },
    { type: 'string', format: 'email', pattern: 'example' },
  ],
  [{ $ref: '#/$defs/Condition' }, { $ref: '#/components/schemas/ConditionType' }],
] as const)('the schema of %j', (schema, want) => {
  expect(fields.schema(schema)).toEqual(want);
});

test('a merge patch may leave out every field and remove those that are not required', () => {
  const schema = {
    type: 'object',
    required: ['name', 'size'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1 },
      size: { type: 'number', default: 3 },
      mode: { type: 'string', enum: ['a', 'b'] },
      labels: { type: 'object', additionalProperties: { type: 'string' }, maxProperties: 2 },
      list: { type: 'array', items: { $ref: '#/$defs/Condition' } },
      tree: { $ref: '#/$defs/Tree' },
      any: {},
    },
  } as const;
  expect(fields.patch(schema as never)).toEqual({
    type: 'object',
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1 },
      size: { type: ['number', 'null'] },
      mode: { anyOf: [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }] },
      labels: { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
      list: { type: ['array', 'null'], items: { $ref: '#/components/schemas/ConditionType' } },
      tree: { $ref: '#/components/schemas/TreeTypePatch' },
      any: {},
    },
  });
});

test('a required field with a default may be left out', () => {
  const properties = { name: { type: 'string' }, size: { type: 'number', default: 3 } } as const;
  expect(fields.schema({ type: 'object', required: ['name', 'size'], properties })).toEqual({
    type: 'object',
    required: ['name'],
    properties,
  });
  expect(fields.schema({ type: 'object', required: ['size'], properties })).toEqual({
    type: 'object',
    properties,
  });
});
