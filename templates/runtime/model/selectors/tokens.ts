import { HttpProblem } from '../problem';

/** A symbol or a word of a selector. */
export interface Token {
  /** The token as it was written. */
  source: string;
  /** The text of a word, its escapes resolved; absent for a symbol. */
  word?: string;
  /** Its position in the selector, from 0. */
  at: number;
}

/** The tokens of a selector, taken one after the other. */
export class Tokens {
  #next = 0;

  /** `subject` begins the messages of errors, such as `Label selector`; `length` is that of the selector. */
  constructor(
    private readonly tokens: readonly Token[],
    private readonly subject: string,
    private readonly length: number,
  ) {}

  /** Returns whether all tokens have been taken. */
  get isAtEnd(): boolean {
    return this.#next >= this.tokens.length;
  }

  /** Takes the next token if it is written like this. Returns whether it was. */
  take(source: string): boolean {
    const found = this.#is(source);
    if (found) this.#next++;
    return found;
  }

  /** Takes a token that must be there. Throws HttpProblem 400. */
  expect(source: string): void {
    if (!this.take(source)) this.fail(`"${source}"`);
  }

  /** Takes a word. Throws HttpProblem 400 that names what is expected. */
  word(expected: string): string {
    const token = this.tokens.at(this.#next);
    if (token?.word === undefined) return this.fail(expected);
    this.#next++;
    return token.word;
  }

  /** Takes a value, which is empty where the selector goes on without one. Throws HttpProblem 400. */
  value(): string {
    return this.isAtEnd || this.#is(',') || this.#is(')') ? '' : this.word('a value');
  }

  /** Takes `(a,b)`, at least one value, and returns the different ones. Throws HttpProblem 400. */
  values(): string[] {
    this.expect('(');
    if (this.#is(')')) this.fail('a value');
    const values = [this.value()];
    while (this.take(',')) values.push(this.value());
    this.expect(')');
    return [...new Set(values)];
  }

  /** Takes terms that are separated by commas, up to the end; none where there is no token. Throws HttpProblem 400. */
  terms<Term>(parse: (tokens: Tokens) => Term): Term[] {
    if (this.isAtEnd) return [];
    const terms = [parse(this)];
    while (this.take(',')) terms.push(parse(this));
    if (!this.isAtEnd) this.fail('"," or the end');
    return terms;
  }

  /** Throws HttpProblem 400 with the position of the next token. */
  fail(expected: string): never {
    const token = this.tokens.at(this.#next);
    const found = token ? JSON.stringify(token.source.slice(0, 50)) : 'the end';
    throw unexpected(this.subject, token?.at ?? this.length, expected, found);
  }

  #is(source: string): boolean {
    return this.tokens.at(this.#next)?.source === source;
  }
}

/** Returns the problem of a selector with something else than expected at a position, from 0. */
export function unexpected(subject: string, at: number, expected: string, found: string): HttpProblem {
  return new HttpProblem(400, `${subject}, position ${at + 1}: expected ${expected}, found ${found}.`);
}
