import Ajv from 'ajv';
import { SHAPE_OPTIONS } from '../../src/load/check-shape';
import schema from '../../src/load/project.schema.json';

test('project.schema.json is a JSON Schema', () => {
  const ajv = new Ajv({ ...SHAPE_OPTIONS, validateSchema: true, meta: true });
  ajv.addVocabulary(['patternErrorMessage']);
  expect([ajv.validateSchema(schema), ajv.errors ?? []]).toEqual([true, []]);
  expect(ajv.validateSchema({ ...schema, definitions: { a: { type: 'text' } } })).toBe(false);
});
