import { formats } from '../../../templates/runtime/model/rules/formats';
import { isObject } from '../../../templates/runtime/model/schema';
import type { FieldType, Json, Rules } from '../../model/project';
import { matchesPattern } from '../../pattern/pattern';

/** Returns the name of the expected type where a value has another; undefined otherwise. */
export function mismatch(type: FieldType, value: Json): string | undefined {
  switch (type.kind) {
    case 'any':
      return undefined;
    case 'string':
    case 'boolean':
    case 'number':
      return typeof value === type.kind ? undefined : `a ${type.kind}`;
    case 'integer':
      if (Number.isSafeInteger(value)) return undefined;
      return Number.isInteger(value) ? `an integer within ±${Number.MAX_SAFE_INTEGER}` : 'an integer';
    case 'timestamp':
      return typeof value === 'string' && formats['date-time'](value)
        ? undefined
        : 'a timestamp such as 2026-01-31T12:00:00Z';
    case 'list':
      return Array.isArray(value) ? undefined : 'a list';
    default:
      return isObject(value) ? undefined : 'a mapping';
  }
}

/** The rule, as declared, that a value of the right type breaks; undefined when it keeps all of them. */
export function brokenRule(value: Json, rules: Rules): string | undefined {
  const { min, max, gt, lt, format, oneof, pattern } = rules;
  const size = measure(value);
  if (min !== undefined && size < min) return `min=${min}`;
  if (max !== undefined && size > max) return `max=${max}`;
  if (gt !== undefined && size <= gt) return `gt=${gt}`;
  if (lt !== undefined && size >= lt) return `lt=${lt}`;
  if (oneof !== undefined && !(oneof as Json[]).includes(value)) return `oneof=${oneof.join(' ')}`;
  if (typeof value !== 'string') return undefined;
  if (format !== undefined && !formats[format](value)) return format;
  if (pattern !== undefined && !matchesPattern(pattern, value)) return `pattern=${pattern}`;
  return undefined;
}

/** Returns the measure that `min` and `max` bound: characters, members, or the number itself. */
function measure(value: Json): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return [...value].length;
  return value === null ? 0 : Object.keys(value).length;
}

/** Returns true where no value of the type can keep the rules' bounds. */
export function unsatisfiable(type: 'integer' | 'number' | 'length', { min, max, gt, lt }: Rules): boolean {
  const [from, to] = [min ?? -Infinity, max ?? Infinity];
  const [above, below] = [gt ?? -Infinity, lt ?? Infinity];
  if (type === 'number') return from > to || from >= below || above >= to || above >= below;
  const largest = Number.MAX_SAFE_INTEGER;
  const least = Math.max(Math.ceil(from), Math.floor(above) + 1, -largest);
  return least > Math.min(Math.floor(to), Math.ceil(below) - 1, largest);
}
