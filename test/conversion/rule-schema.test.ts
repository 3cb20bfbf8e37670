import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { type Form, FORMS, membersOf } from '../../src/conversion/rules/rule';
import schema from '../../src/load/project.schema.json';

// Editors complete and check rules by project.schema.json, svcgen by their forms: both say the same.

const ajv = new Ajv({ allowUnionTypes: true }).addVocabulary(['patternErrorMessage']);
const valid = ajv.addSchema(schema, 'project').getSchema('project#/definitions/conversionRule')!;
const rules = schema.definitions.conversionRule.properties as {
  [name: string]: { properties: object; required?: string[]; description: string };
};

const SIDES = { both: ['hub', 'spoke'], either: [], spoke: ['spoke'] };

test.each(Object.entries<Form>(FORMS))('%s', (name, form) => {
  const { sides, needs = [], example } = form;
  const { properties, required = [] } = rules[name];
  const given = sides === 'spoke' ? ['spoke'] : ['hub', 'spoke'];
  expect(Object.keys(properties).sort()).toEqual([...given, ...membersOf(form)].sort());
  expect([...required].sort()).toEqual([...SIDES[sides], ...needs].sort());
  expect(valid(parse(example))).toBe(true);
});

test('every rule is there', () => {
  expect(Object.keys(rules).sort()).toEqual(Object.keys(FORMS).sort());
});

const FOLDER = join(__dirname, '../../fixtures/conversion');

test.each(readdirSync(FOLDER))('the rules of %s', (name) => {
  const whole = ajv.getSchema('project')!;
  expect([whole(parse(readFileSync(join(FOLDER, name, 'project.yaml'), 'utf8'))), whole.errors]).toEqual([
    true,
    null,
  ]);
});

test.each([
  '{ rename: { hub: spec.a } }',
  '{ rename: { hub: [spec.a], spoke: spec.b } }',
  '{ map: { hub: spec.a, spoke: spec.b } }',
  '{ scale: { hub: spec.a, spoke: spec.b, factor: ten } }',
  '{ cast: { hub: spec.a, spoke: spec.b, otherwise: { both: 0 } } }',
  '{ join: { hub: [spec.a, spec.b], spoke: spec.c } }',
  '{ default: { hub: spec.a, spoke: spec.b, value: 1 } }',
  '{ default: { value: 1 } }',
  '{ drop: { hub: spec.a } }',
  '{ custom: { hub: [spec.a], spoke: [spec.b] } }',
  '{ renam: { hub: spec.a, spoke: spec.b } }',
])('%s is wrong', (rule) => expect(valid(parse(rule))).toBe(false));
