import type { Json } from '../../model/schema';
import { codec, type Lens } from '../lenses/lens';
import { durationText, parseDuration } from './durations';

/** The type of value that a string stands for; a duration is a number of seconds. */
type Meaning = 'integer' | 'number' | 'boolean' | 'duration' | 'duration in whole seconds';

/** The rule `cast` where the hub has the string. `otherwise` is shown for a string that does not stand for such a value. */
export function castFromText(meaning: Meaning, otherwise: Json): Lens {
  return codec({
    rule: 'cast',
    fromHub: (text) => (typeof text === 'string' ? (parse(text, meaning) ?? otherwise) : text),
    toHub: (value) => textOf(value, meaning),
  });
}

/**
 * The rule `cast` where the spoke has the string. A client writes it in the canonical form. With `otherwise`, the hub's
 * value for any other string, it may write any form.
 */
export function castToText(meaning: Meaning, otherwise?: Json): Lens {
  return codec({
    rule: 'cast',
    fromHub: (value) => textOf(value, meaning),
    toHub(text) {
      if (typeof text !== 'string') return text;
      const value = parse(text, meaning);
      if (otherwise !== undefined) return value ?? otherwise;
      if (value === undefined) throw new Error(`must be ${examples[meaning]}`);
      const canonical = textOf(value, meaning);
      if (canonical !== text) throw new Error(`must be written as ${JSON.stringify(canonical)}`);
      return value;
    },
  });
}

const examples: { [meaning in Meaning]: string } = {
  integer: 'an integer such as "8080"',
  number: 'a number such as "0.5"',
  boolean: '"true" or "false"',
  duration: 'a duration such as "1h30m"',
  'duration in whole seconds': 'a duration in whole seconds such as "1h30m"',
};

/** Returns what a string stands for; undefined for none, and for an integer that a field of the type cannot have. */
function parse(text: string, meaning: Meaning): number | boolean | undefined {
  if (meaning === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  if (meaning === 'duration') return parseDuration(text);
  if (meaning === 'duration in whole seconds') {
    const seconds = Math.round(parseDuration(text) ?? NaN);
    return Number.isSafeInteger(seconds) ? seconds + 0 : undefined;
  }
  const number = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(number)) return undefined;
  return meaning === 'number' || Number.isSafeInteger(number) ? number + 0 : undefined;
}

function textOf(value: Json, meaning: Meaning): Json {
  if (typeof value === 'boolean') return meaning === 'boolean' ? String(value) : value;
  if (typeof value !== 'number' || meaning === 'boolean') return value;
  return meaning === 'integer' || meaning === 'number' ? String(value) : durationText(value);
}
