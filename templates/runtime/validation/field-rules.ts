import { resolved, type Shape, shapeBelow } from '../model/fields/shape';
import { below, pointerKeys } from '../model/fragment';
import type { Validator, ValidatorError } from '../model/kinds/kind';
import { type Failure, MAX_FAILURES } from '../model/problem';
import { forgetSteps } from '../model/rules/pointer-steps';
import type { Bounds, JsonObject, Schema } from '../model/schema';
import { unknownMember } from '../model/unknown-member';

/** Number of errors from which on a generated validator does not look for others: hostile bodies must not cost more. */
export const MAX_ERRORS = 10_000;

/** Maximum length of the paths of all errors: each may be as long as a body. */
const MAX_PATHS = 4_194_304;

/**
 * Returns every rule that a spec or status breaks, at most 100; empty when it is valid. `prefix` is the JSON Pointer of
 * the value in the request's document. Failures that are accepted are left out, unless there are so many
 * that others may not have been found.
 */
export function validateFields(
  validator: Validator,
  shape: Shape,
  value: JsonObject,
  prefix: '/spec' | '/status',
  isAccepted: (failure: Failure) => boolean,
): Failure[] {
  const isValid = validator(value);
  forgetSteps();
  if (isValid) return [];
  const errors = validator.errors ?? [];
  const isWhole = errors.length < MAX_ERRORS && lengthOf(errors) < MAX_PATHS;
  const failures: Failure[] = [];
  let room = MAX_PATHS;
  for (const error of errors) {
    const failure = failureOf(error, shape, prefix);
    room -= error.instancePath.length;
    if (isWhole && isAccepted(failure)) continue;
    if (failures.push(failure) === MAX_FAILURES || room < 0) break;
  }
  return failures;
}

function lengthOf(errors: ValidatorError[]): number {
  return errors.reduce((sum, { instancePath }) => sum + instancePath.length, 0);
}

function failureOf(error: ValidatorError, shape: Shape, prefix: string): Failure {
  const { keyword, instancePath, params } = error;
  const place = `${prefix}${instancePath}`;
  if (keyword === 'required') {
    const name = String(params['missingProperty']);
    return { pointer: below(place, name), rule: 'required', detail: `${name} is required` };
  }
  if (keyword === 'additionalProperties') {
    const declared = schemaAt(shape, instancePath).properties ?? {};
    return unknownMember(place, String(params['additionalProperty']), Object.keys(declared));
  }
  if (keyword === 'x-list-key') {
    const key = String(params['key']);
    const pointer = below(`${place}/${String(params['index'])}`, key);
    return { pointer, rule: 'key', detail: `${key} repeats that of an earlier element` };
  }
  const isInteger = (): boolean => schemaAt(shape, instancePath).type === 'integer';
  const [rule, demand] = DEMANDS[keyword as Keyword](params, isInteger);
  return { pointer: place, rule, detail: `${nameOf(pointerKeys(place))} must ${demand}` };
}

type Demand = (params: ValidatorError['params'], isInteger: () => boolean) => [rule: string, demand: string];

/** The keywords of errors about the value of a field. */
type Keyword = keyof Bounds | 'enum' | 'pattern' | 'format' | 'type';

/** The declared rule and its demand on the field. */
const DEMANDS: { [keyword in Keyword]: Demand } = {
  minLength: ({ limit }) => [`min=${limit}`, `have at least ${count(limit, 'character')}`],
  maxLength: ({ limit }) => [`max=${limit}`, `have at most ${count(limit, 'character')}`],
  minItems: ({ limit }) => [`min=${limit}`, `have at least ${count(limit, 'element')}`],
  maxItems: ({ limit }) => [`max=${limit}`, `have at most ${count(limit, 'element')}`],
  minProperties: ({ limit }) => [`min=${limit}`, `have at least ${count(limit, 'member')}`],
  maxProperties: ({ limit }) => [`max=${limit}`, `have at most ${count(limit, 'member')}`],
  minimum: ({ limit }, isInteger) =>
    limit === Number.MIN_SAFE_INTEGER && isInteger() ? INTEGER : [`min=${limit}`, `be at least ${limit}`],
  maximum: ({ limit }, isInteger) =>
    limit === Number.MAX_SAFE_INTEGER && isInteger() ? INTEGER : [`max=${limit}`, `be at most ${limit}`],
  exclusiveMinimum: ({ limit }) => [`gt=${limit}`, `be greater than ${limit}`],
  exclusiveMaximum: ({ limit }) => [`lt=${limit}`, `be less than ${limit}`],
  enum: ({ allowedValues }) => oneof(allowedValues as unknown[]),
  pattern: ({ pattern, exhausted }) => [
    `pattern=${pattern}`,
    exhausted ? 'be shorter: the request is too long for its patterns' : `match ${pattern}`,
  ],
  format: ({ format }) => FORMATS[format as keyof typeof FORMATS],
  type: ({ type }) => ['type', TYPES[type as keyof typeof TYPES]],
};

/** Integers that a JavaScript number does not hold exactly would not be stored as they were sent. */
const INTEGER: [string, string] = ['type', `be an integer between ±${Number.MAX_SAFE_INTEGER}`];

const FORMATS: { [format in NonNullable<Schema['format']>]: [rule: string, demand: string] } = {
  'date-time': ['type', 'be a timestamp such as 2030-01-31T12:00:00Z (RFC 3339)'],
  email: ['email', 'be an email address'],
  url: ['url', 'be an absolute URL with a host'],
  ip: ['ip', 'be an IPv4 or IPv6 address'],
};

const TYPES: { [type in NonNullable<Schema['type']>]: string } = {
  string: 'be a string',
  integer: 'be an integer',
  number: 'be a number',
  boolean: 'be true or false',
  object: 'be an object',
  array: 'be a list',
};

function count(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`;
}

function oneof(values: unknown[]): [string, string] {
  const few = values.length <= 10;
  return [
    `oneof=${values.join(' ')}`,
    few ? `be one of ${values.join(', ')}` : 'be one of the declared values',
  ];
}

/** Returns the field's name; an element is named by its list. */
function nameOf(path: string[]): string {
  const name = path.findLastIndex((part) => !/^\d+$/.test(part));
  return `${path[name]}${path
    .slice(name + 1)
    .map((index) => `[${index}]`)
    .join('')}`;
}

/** Returns the schema of the value that a JSON Pointer names. */
function schemaAt(shape: Shape, pointer: string): Schema {
  return resolved(pointerKeys(pointer).reduce(shapeBelow, shape));
}
