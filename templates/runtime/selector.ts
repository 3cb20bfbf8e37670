import { HttpProblem } from './problem';
import type { Labels } from './store/store';

/** One condition of a label selector; `notin` holds for a resource without the key, as in Kubernetes. */
export interface Requirement {
  key: string;
  operator: 'in' | 'notin' | 'exists' | 'absent';
  /** Empty for `exists` and `absent`. */
  values: string[];
}

/** Whether labels meet every requirement. */
export function matches(labels: Labels, selector: Requirement[]): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    if (operator === 'exists') return value !== undefined;
    if (operator === 'absent') return value === undefined;
    return (value !== undefined && values.includes(value)) === (operator === 'in');
  });
}

/** How many requirements one request may have, and how many values in all. */
const MAX_REQUIREMENTS = 100;
const MAX_VALUES = 1_000;

/** Throws HttpProblem 400 for more requirements than a store should be asked to check. */
export function checkSelectorSize(selector: Requirement[]): void {
  const values = selector.reduce((sum, requirement) => sum + requirement.values.length, 0);
  if (selector.length <= MAX_REQUIREMENTS && values <= MAX_VALUES) return;
  throw new HttpProblem(
    400,
    `Labels may be selected by ${MAX_REQUIREMENTS} requirements with ${MAX_VALUES} values in all.`,
  );
}

/**
 * Reads a label selector in the grammar of Kubernetes: requirements separated by commas, each one of `key`,
 * `!key`, `key=value`, `key==value`, `key!=value`, `key in (a,b)` and `key notin (a,b)`. A value may be empty.
 * Keys and values are any text without white space and the characters `,=!()<>`. An empty selector has no
 * requirements and matches everything. Throws HttpProblem 400 that names the position of an error.
 */
export function parseSelector(text: string): Requirement[] {
  const tokens = new Tokens(text);
  if (tokens.peek() === undefined) return [];
  const requirements = [parseRequirement(tokens)];
  while (tokens.take(',')) requirements.push(parseRequirement(tokens));
  tokens.end();
  return requirements;
}

/** Reads the short form: `key=value`, split at the first `=`, or `key`. Throws HttpProblem 400 without a key. */
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
  for (const operator of ['in', 'notin'] as const) {
    if (tokens.take(operator)) return { key, operator, values: parseValues(tokens) };
  }
  return { key, operator: 'exists', values: [] };
}

function parseValues(tokens: Tokens): string[] {
  tokens.expect('(');
  if (tokens.peek() === ')') tokens.fail('a value');
  const values = [tokens.value()];
  while (tokens.take(',')) values.push(tokens.value());
  tokens.expect(')');
  return [...new Set(values)];
}

/** The tokens of a selector, taken one after the other. */
class Tokens {
  private readonly tokens: RegExpExecArray[];
  private next = 0;

  constructor(private readonly text: string) {
    this.tokens = [...text.matchAll(/==|!=|[,=!()<>]|[^\s,=!()<>]+/g)];
  }

  /** The next token, or undefined at the end. */
  peek(): string | undefined {
    return this.tokens[this.next]?.[0];
  }

  /** Takes the next token if it is this one. */
  take(token: string): boolean {
    const found = this.peek() === token;
    if (found) this.next++;
    return found;
  }

  expect(token: string): void {
    if (!this.take(token)) this.fail(`"${token}"`);
  }

  /** Takes a key or value. */
  word(what: string): string {
    const token = this.peek();
    if (token === undefined || /^[,=!()<>]/.test(token)) return this.fail(what);
    this.next++;
    return token;
  }

  /** Takes a value, which is empty where the selector goes on without one. */
  value(): string {
    const token = this.peek();
    return token === undefined || token === ',' || token === ')' ? '' : this.word('a value');
  }

  end(): void {
    if (this.peek() !== undefined) this.fail('"," or the end');
  }

  /** Throws HttpProblem 400. */
  fail(expected: string): never {
    const token = this.tokens[this.next];
    const found = token ? JSON.stringify(token[0].slice(0, 50)) : 'the end';
    const position = (token?.index ?? this.text.length) + 1;
    throw new HttpProblem(400, `Label selector, position ${position}: expected ${expected}, found ${found}.`);
  }
}
