import { HttpProblem } from '../problem';
import { type Token, Tokens } from './tokens';

/** Labels of a resource. */
export interface Labels {
  [key: string]: string;
}

/** One condition of a label selector; `notin` holds for a resource without the key, as in Kubernetes. */
export interface Requirement {
  key: string;
  operator: 'in' | 'notin' | 'exists' | 'absent';
  /** Empty for `exists` and `absent`. */
  values: string[];
}

/** Returns whether labels meet every requirement. */
export function matches(labels: Labels, selector: Requirement[]): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (operator === 'exists') return value !== undefined;
    if (operator === 'absent') return value === undefined;
    return (value !== undefined && values.includes(value)) === (operator === 'in');
  });
}

/** Maximum number of requirements of one request, and of their values in all. */
const MAX_REQUIREMENTS = 100;
const MAX_VALUES = 1_000;

/**
 * Returns the requirements of several label selectors and short forms together. Throws HttpProblem 400 for an invalid one, and
 * for more requirements than a store should check.
 */
export function parseSelectors(
  selectors: readonly string[] = [],
  labels: readonly string[] = [],
): Requirement[] {
  const selector = [...selectors.flatMap(parseSelector), ...labels.map(parseLabel)];
  const values = selector.reduce((sum, requirement) => sum + requirement.values.length, 0);
  if (selector.length <= MAX_REQUIREMENTS && values <= MAX_VALUES) return selector;
  throw new HttpProblem(
    400,
    `Labels may be selected by ${MAX_REQUIREMENTS} requirements with ${MAX_VALUES} values in all.`,
  );
}

/**
 * Parses a label selector in the grammar of Kubernetes: requirements separated by commas, each one of `key`, `!key`,
 * `key=value`, `key==value`, `key!=value`, `key in (a,b)` and `key notin (a,b)`. A value may be empty. Keys and values
 * are strings without white space and the characters `,=!()<>`. An empty selector has no requirements and matches
 * everything. Throws HttpProblem 400 that names the position of an error.
 */
export function parseSelector(text: string): Requirement[] {
  const tokens = [...text.matchAll(/(==|!=|[,=!()<>])|[^\s,=!()<>]+/g)].map(
    ({ 0: source, 1: symbol, index: at }): Token => ({
      source,
      at,
      ...(symbol === undefined && { word: source }),
    }),
  );
  return new Tokens(tokens, 'Label selector', text.length).terms(parseRequirement);
}

/** Parses the short form: `key=value`, split at the first `=`, or `key`. Throws HttpProblem 400 without a key. */
export function parseLabel(text: string): Requirement {
  const [key] = text.split('=', 1);
  if (key === '') throw new HttpProblem(400, 'The query parameter "label" must be key=value or key.');
  return key === text
    ? { key, operator: 'exists', values: [] }
    : { key, operator: 'in', values: [text.slice(key.length + 1)] };
}

function parseRequirement(tokens: Tokens): Requirement {
  if (tokens.take('!')) return { key: tokens.word('a label key'), operator: 'absent', values: [] };
  const key = tokens.word('a label key');
  if (tokens.take('=') || tokens.take('==')) return { key, operator: 'in', values: [tokens.value()] };
  if (tokens.take('!=')) return { key, operator: 'notin', values: [tokens.value()] };
  for (const operator of ['in', 'notin'] as const)
    if (tokens.take(operator)) return { key, operator, values: tokens.values() };
  return { key, operator: 'exists', values: [] };
}
