import type { Schema } from '../../src/model/json-schema';
import { exampleOf } from '../../src/openapi/example';

const text = (schema: Schema): Schema => ({ type: 'string', ...schema });

test.each<[schema: Schema, want: string | undefined]>([
  [text({}), 'name'],
  [text({ format: 'email' }), 'someone@example.com'],
  [text({ format: 'email', maxLength: 8 }), 'a@b.co'],
  [text({ format: 'email', minLength: 30 }), `someone${'x'.repeat(11)}@example.com`],
  // What stands before the @ has 64 characters at most.
  [text({ format: 'email', minLength: 90 }), undefined],
  [text({ format: 'email', maxLength: 5 }), undefined],
  [text({ format: 'url' }), 'https://example.com/'],
  [text({ format: 'url', maxLength: 10 }), 'http://a/'],
  [text({ format: 'url', minLength: 25, maxLength: 25 }), 'https://example.com/xxxxx'],
  [text({ format: 'ip' }), '192.0.2.1'],
  [text({ format: 'ip', maxLength: 3 }), '::1'],
  [text({ format: 'ip', minLength: 20 }), '2001:0db8:0000:0000:0000:0000:0000:0001'],
  [text({ format: 'ip', pattern: ':.*8' }), '2001:db8::1'],
])('an example of %j', (schema, want) => {
  expect(exampleOf(schema, {}, 'name')).toBe(want);
});

const keyed = (id: Schema, minItems: number): Schema => ({
  type: 'array',
  minItems,
  'x-list-key': 'id',
  items: { type: 'object', properties: { id, on: { type: 'boolean' } }, required: ['id'] },
});

test.each<[schema: Schema, want: unknown[] | undefined]>([
  [{ type: 'string' }, ['id1', 'id2', 'id3']],
  [{ type: 'string', default: 'x' }, ['id1', 'id2', 'id3']],
  [{ type: 'integer' }, [1, 2, 3]],
  [{ type: 'integer', maximum: 2 }, undefined],
  [{ type: 'integer', minimum: 7 }, [7, 8, 9]],
  [{ type: 'string', enum: ['a', 'b', 'c', 'd'] }, ['a', 'b', 'c']],
  [{ type: 'string', enum: ['a', 'b'] }, undefined],
  [{ type: 'boolean' }, undefined],
])('elements identified by %j', (id, want) => {
  const example = exampleOf(keyed(id, 3), {}, 'list');
  expect(example).toEqual(want?.map((id) => ({ id, on: true })));
});
