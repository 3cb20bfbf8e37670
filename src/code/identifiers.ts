/** Hands out names that are unique in one module or document. */
export class Identifiers {
  private readonly taken: Set<string>;

  constructor(taken: Iterable<string> = []) {
    this.taken = new Set(taken);
  }

  /** The name itself, or the longer one, if need be with the first number that makes it unique. */
  claim(name: string, longer = name): string {
    let free = this.taken.has(name) ? longer : name;
    for (let number = 2; this.taken.has(free); number++) free = `${longer}${number}`;
    this.taken.add(free);
    return free;
  }
}

/** A kind's name as the start of an identifier: `Device` → `device`, `URLMap` → `urlMap`. */
export function camelCase(kind: string): string {
  return kind.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

/** Returns words as one identifier: `ports[].number` → `portsNumber`. */
export function camelWords(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  return words.map((word, i) => (i === 0 ? camelCase(word) : upperFirst(word))).join('');
}

/** Returns a word with a capital: `name` → `Name`. */
export function upperFirst(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
