/** Hands out names that are unique in one module. */
export class Identifiers {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  /** The name itself, or with the suffix, or with the first number that makes it unique. */
  claim(name: string, suffix = ''): string {
    let free = this.taken.has(name) ? `${name}${suffix}` : name;
    for (let number = 2; this.taken.has(free); number++) free = `${name}${suffix}${number}`;
    this.taken.add(free);
    return free;
  }
}

/** A kind's name as the start of an identifier: `Device` → `device`, `URLMap` → `urlMap`. */
export function camelCase(kind: string): string {
  return kind.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

/** The words that TypeScript keeps for itself where a type is named. */
export const TYPE_WORDS = (
  'any as asserts async await bigint boolean break case catch class const continue debugger declare default delete do ' +
  'else enum export extends false finally for function if implements import in infer instanceof interface is keyof let ' +
  'never new null number object package private protected public readonly return static string super switch symbol this ' +
  'throw true try type typeof undefined unique unknown var void while with yield'
).split(' ');
