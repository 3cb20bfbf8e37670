import Ajv, { type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { pointerKeys } from '../../templates/runtime/model/fragment';
import { TYPE_KEYS } from '../model/fields';
import type { Mistake, Path } from '../model/problem';
import type { Json } from '../model/project';
import { didYouMean, quoted, textOf } from '../model/quoted';
import { BARE_RULES, RULES_WITH_VALUE } from '../model/rule-names';
import schema from './project.schema.json';
import type { Report, YamlFile } from './yaml/yaml-file';

/** The kinds of file that a project consists of. */
type FileShape = 'project' | 'types';

const REFERENCES: { [shape in FileShape]: string } = {
  project: 'project.yaml',
  types: 'project.yaml#/definitions/typesFile',
};

let ajv: Ajv | undefined;

/** The options of the validator of project.yaml. */
export const SHAPE_OPTIONS: Options = {
  ...{ allErrors: true, verbose: true, ownProperties: true, allowUnionTypes: true },
  // It runs once: to check the schema itself, which a test does, and to optimize its code take longer than to run it.
  ...{ validateSchema: false, meta: false, code: { optimize: false } },
};

/** Compiled on first use: most commands need none. */
function validator(shape: FileShape): ValidateFunction {
  ajv ??= new Ajv(SHAPE_OPTIONS).addVocabulary(['patternErrorMessage']).addSchema(schema, REFERENCES.project);
  return ajv.getSchema(REFERENCES[shape])!;
}

/** Reports what the JSON Schema of project.yaml does not allow: unknown keys, missing ones, wrong types and names. */
export function checkShape(file: YamlFile, shape: FileShape, report: Report): void {
  const validate = validator(shape);
  validate(file.data);
  for (const error of validate.errors ?? []) {
    const explain = EXPLANATIONS[error.keyword];
    if (explain === undefined || isInsideRule(error)) continue;
    const path = pointerKeys(error.instancePath);
    const { message, hint, key } = explain(error, path, file.written(path));
    const position = key === undefined ? file.value(path) : file.key([...path, ...key]);
    report({ ...position, message, hint });
  }
}

/**
 * Returns true for errors inside a conversion rule: the schema of a rule is for editors, rules are checked with their
 * fields.
 */
function isInsideRule({ instancePath, keyword }: ErrorObject): boolean {
  const [, below] = /\/conversion\/\d+\/[^/]+(.*)$/.exec(instancePath) ?? [];
  return below !== undefined && (below !== '' || keyword !== 'type');
}

interface Explanation extends Mistake {
  /** Points at a key, these steps from the value; at the value itself when it is undefined. */
  key?: Path;
}

/** `written` is the value as it stands in the file without quotes. */
type Explain = (error: ErrorObject, path: Path, written: string | undefined) => Explanation;

const EXPLANATIONS: { [keyword: string]: Explain } = {
  type: ({ data, parentSchema }, path, written) => {
    const type = parentSchema!.type as string | string[];
    return {
      message: `${label(path)} must be ${wanted(type)}, not ${given(data as Json, type)}`,
      hint: typeHint(data as Json, type, written),
    };
  },
  required: ({ params: { missingProperty }, data, parentSchema }, path) => ({
    message: `${quoted(missingProperty)} is missing`,
    hint: missingHint(missingProperty, data as object, parentSchema!),
    key: typeof path.at(-1) === 'string' ? [] : undefined,
  }),
  additionalProperties: ({ params: { additionalProperty }, parentSchema }, path) => ({
    message: `unknown key ${quoted(additionalProperty)}`,
    hint: unknownHint(additionalProperty, Object.keys(parentSchema!.properties as object), path),
    key: [additionalProperty],
  }),
  pattern: badName,
  maxLength: badName,
  enum: ({ data, params: { allowedValues } }, path) => ({
    message: `${label(path)} must be one of ${allowedValues.join(', ')}`,
    hint: didYouMean(textOf(data as Json), allowedValues),
  }),
  minItems: (_, path) => ({ message: `${label(path)} must not be empty` }),
  minimum: ({ params: { limit } }, path) => ({ message: `${label(path)} must be at least ${limit}` }),
  minProperties: () => ({ message: 'a conversion rule has no name', hint: ruleHint }),
  maxProperties: ({ data }) => ({
    message: `a conversion rule is one key, not ${Object.keys(data as object).length}`,
    hint: 'start each rule with its own "-"',
  }),
};

const ruleHint = `the rules are ${Object.keys(schema.definitions.conversionRule.properties).join(', ')}`;

function badName({ data, parentSchema, propertyName }: ErrorObject): Explanation {
  const { description, patternErrorMessage } = parentSchema as SchemaPart;
  const what = String(description)
    .replace(/^The /, 'the ')
    .replace(/[.:].*$/s, '');
  return {
    message: `${quoted(propertyName ?? (data as Json))} cannot be ${what}`,
    hint: `use ${patternErrorMessage}`,
    key: propertyName === undefined ? undefined : [propertyName],
  };
}

type SchemaPart = { [keyword: string]: unknown };

function label(path: Path): string {
  const last = path.at(-1);
  if (last === undefined) return 'the file';
  return /^\d+$/.test(String(last)) ? `an item of ${quoted(String(path.at(-2)))}` : quoted(String(last));
}

const TYPES: { [type: string]: string[] } = {
  string: ['a string'],
  object: ['a mapping'],
  array: ['a list'],
  boolean: ['true', 'false'],
  integer: ['a whole number'],
  null: [],
};

function wanted(type: string | string[]): string {
  const all = [type].flat().flatMap((one) => TYPES[one]);
  return [all.slice(0, -1).join(', '), all.at(-1)].filter((part) => part !== '').join(' or ');
}

function given(value: Json, type: string | string[]): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number' && type === 'integer') return textOf(value);
  return { string: 'a string', number: 'a number', boolean: textOf(value), object: 'a mapping' }[
    typeof value as 'string' | 'number' | 'boolean' | 'object'
  ];
}

function typeHint(value: Json, type: string | string[], written = textOf(value)): string | undefined {
  const types = [type].flat();
  if (types.includes('boolean') && /^(yes|on|true)$/i.test(textOf(value))) return 'write true';
  if (types.includes('boolean') && /^(no|off|false)$/i.test(textOf(value))) return 'write false';
  if (types.includes('array')) return typeof value === 'string' ? `write [${value.slice(0, 40)}]` : undefined;
  if (type !== 'string') return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return `quote it: "${written}"`;
  const [[name, argument] = []] = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (name?.startsWith('pattern='))
    return `write it in single quotes: '${`${name}: ${argument}`.replaceAll("'", "''")}'`;
  return typeof argument === 'number' ? `write ${name}=${argument}` : undefined;
}

function missingHint(name: string, data: object, { properties }: SchemaPart): string {
  if (name === 'type') {
    const holder = Object.entries(TYPE_KEYS).find(([key]) => Object.hasOwn(data, key));
    if (holder) return `"${holder[0]}" goes with type: ${holder[1]}`;
    if (Object.hasOwn(data, 'ref')) return 'a reference is a string: add type: string';
  }
  const { $ref = '', description } = (
    properties as { [name: string]: { $ref?: string; description?: string } }
  )[name];
  const definitions: { [name: string]: { description?: string } } = schema.definitions;
  return (description ?? definitions[$ref.replace('#/definitions/', '')].description!).replace(/\.$/, '');
}

function unknownHint(key: string, known: string[], path: Path): string | undefined {
  const element = ['items', 'values'].includes(String(path.at(-1)));
  const version = path.at(-2) === 'groups' || (path.at(-2) === 'versions' && path.includes('kinds'));
  if (key === 'deprecated' && version) return DEPRECATED_HINT;
  if (element && key === 'default') return 'an element is never absent, so it has no default';
  if (element && key === 'selectable') return 'write it at the list, next to items';
  const rule = known.includes('rules') && !element ? ruleNamed(key) : undefined;
  if (rule !== undefined) return `it is a rule: write rules: [${rule}]`;
  const all =
    known.length === 1 ? `the only key here is ${known[0]}` : `the keys here are ${known.join(', ')}`;
  return didYouMean(key, known, all);
}

/** Returns how the rule of that name is written; undefined where there is none. */
function ruleNamed(key: string): string | undefined {
  if ((BARE_RULES as readonly string[]).includes(key)) return key;
  return (RULES_WITH_VALUE as readonly string[]).includes(key) ? `${key}=…` : undefined;
}

const DEPRECATED_HINT =
  'a version is marked where the group lists it: "versions: [v1, { name: v1beta1, deprecated: { since: 2026-01-31 } }]"';
