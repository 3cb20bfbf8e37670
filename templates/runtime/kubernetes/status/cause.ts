import { stepInto } from '../../model/fields/values';
import { fromFragment, pointerKeys } from '../../model/fragment';
import type { Failure } from '../../model/problem';
import type { Json, JsonObject } from '../../model/schema';
import type { Cause } from './problem';

/** The reasons of causes by the name of the rule that failed; all others are invalid values. */
const REASONS: { [rule: string]: string } = {
  required: 'FieldValueRequired',
  unique: 'FieldValueDuplicate',
  key: 'FieldValueDuplicate',
  oneof: 'FieldValueNotSupported',
  type: 'FieldValueTypeInvalid',
  forbidden: 'FieldValueForbidden',
};

/** Returns a failed rule as the cause of a Status; `sent` is the object that breaks it. */
export function causeOf({ pointer, rule, detail }: Failure, sent: JsonObject): Cause {
  const [name] = rule.split('=', 1);
  const steps = pointerKeys(fromFragment(pointer));
  const failed = steps.reduce<Json | undefined>(stepInto, sent) ?? null;
  const reason = reasonOf(name, failed);
  const text = JSON.stringify(failed);
  const value = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const messages: { [reason: string]: string } = {
    FieldValueRequired: 'Required value',
    FieldValueForbidden: `Forbidden: ${detail}`,
    FieldValueTooLong: `Too long: ${detail}`,
    FieldValueTooMany: `Too many: ${detail}`,
    FieldValueDuplicate: `Duplicate value: ${value}`,
    FieldValueNotSupported: `Unsupported value: ${value}: supported values: ${supported(rule)}`,
  };
  return { reason, message: messages[reason] ?? `Invalid value: ${value}: ${detail}`, field: fieldOf(steps) };
}

function reasonOf(rule: string, failed: Json): string {
  if (rule === 'max' && typeof failed === 'string') return 'FieldValueTooLong';
  if (rule === 'max' && typeof failed === 'object') return 'FieldValueTooMany';
  return REASONS[rule] ?? 'FieldValueInvalid';
}

/** Maximum length of a value in a message: values within one another may all fail. */
export const LONGEST = 1_000;

function supported(rule: string): string {
  const values = rule.slice('oneof='.length).split(' ');
  return values.map((value) => JSON.stringify(value)).join(', ');
}

/** Returns a path in the form of Kubernetes, such as `spec.ports[0].number`. */
export function fieldOf(steps: readonly (string | number)[]): string {
  return steps.reduce<string>((path, step) => {
    if (/^\d+$/.test(String(step))) return `${path}[${step}]`;
    return path === '' ? String(step) : `${path}.${step}`;
  }, '');
}
