import { withProperties } from '../../templates/runtime/model/rules/unicode-property';
import type { Mistake } from '../model/problem';
import { quoted } from '../model/quoted';
import { NotLinear } from './repeat';
import type { LinearPattern } from './translate';

/** The result of examining a pattern. */
type Examined =
  { problem: Mistake } | { problem?: undefined; linear: LinearPattern; matches: (text: string) => boolean };

/** Messages of the service show the whole of a pattern. */
const MAX_LENGTH = 1_000;

/** A match that takes more steps fails, as in a service. */
const MAX_WORK = 50_000_000;

const known = new Map<string, Examined>();

/** Returns what is wrong with a regular expression as a rule; undefined when nothing is. */
export function patternProblem(pattern: string): Mistake | undefined {
  return examined(pattern).problem;
}

/** Returns a pattern without a problem for the linear engine. */
export function linearPattern(pattern: string): LinearPattern {
  return sound(pattern).linear;
}

/** Determines whether a sound pattern occurs in a string, in linear time. */
export function matchesPattern(pattern: string, text: string): boolean {
  return sound(pattern).matches(text);
}

function sound(pattern: string): Examined & { problem?: undefined } {
  const found = examined(pattern);
  if (found.problem !== undefined) throw new Error(found.problem.message);
  return found;
}

function examined(pattern: string): Examined {
  const found = known.get(pattern) ?? examine(pattern);
  known.set(pattern, found);
  return found;
}

function examine(pattern: string): Examined {
  try {
    if (pattern.length > MAX_LENGTH) {
      throw new NotLinear(`has ${pattern.length} characters; at most ${MAX_LENGTH} are allowed`);
    }
    // Loaded here, since most projects have no patterns.
    const { translate } = require('./translate') as typeof import('./translate');
    const linear = translate(pattern);
    return { linear, matches: matcher(linear) };
  } catch (error) {
    return { problem: problemOf(pattern, error as Error) };
  }
}

function matcher({ all, none, steps }: LinearPattern): (text: string) => boolean {
  const { RE2Set } = require('re2js') as typeof import('re2js');
  const set = new RE2Set();
  for (const source of [...all, ...none]) set.add(withProperties(source));
  set.compile();
  return (text) => {
    if (text.length * steps > MAX_WORK) return false;
    const found = set.match(text);
    return found.length === all.length && found.every((number) => number < all.length);
  };
}

function problemOf(pattern: string, error: Error): Mistake {
  const { syntaxMessage } = require('./parse') as typeof import('./parse');
  const invalid = syntaxMessage(error);
  if (invalid !== undefined) {
    const hint = 'patterns are regular expressions of JavaScript with the flag u';
    return { message: `${quoted(pattern)} is not a regular expression: ${invalid}`, hint };
  }
  if (error instanceof NotLinear) return { message: `${quoted(pattern)} ${error.message}`, hint: error.hint };
  const reason = error.message.replace(/^error parsing regexp: /, '');
  return {
    message: `${quoted(pattern)} cannot be matched in linear time: ${reason}`,
    hint: 'simplify the pattern',
  };
}
