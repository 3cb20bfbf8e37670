import { literal, memberName, type Printable } from '../literal';

/** The width of a line, as Prettier is set. */
const WIDTH = 110;

/** Names that every object inherits: reading one needs an own-property check. */
const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** Lines of a function, each statement in the form that Prettier gives it. */
export class Block {
  readonly lines: string[] = [];

  constructor(readonly indent: number) {}

  /** Whether a name occurs in it. */
  uses(name: string): boolean {
    return this.lines.some((line) => occurs(line, name));
  }

  /** Removes the constants for reading that nothing reads. */
  dropUnused(): void {
    for (let at = this.lines.length - 1; at >= 0; at--) {
      const [, name] = /^ *const (\w+) = object\(/.exec(this.lines[at]) ?? [];
      if (name === undefined) continue;
      if (!this.lines.some((line, other) => other !== at && occurs(line, name))) this.lines.splice(at, 1);
    }
  }

  /** A statement as it is. */
  line(text: string): void {
    this.lines.push(' '.repeat(this.indent) + text);
  }

  /** `start fn(args) end`, broken into one argument a line where it is too long. */
  call(start: string, fn: string, args: string[], end = ';'): void {
    const flat = `${start}${fn}(${args.join(', ')})${end}`;
    if (this.indent + flat.length <= WIDTH) return this.line(flat);
    const moved = /^(.*) = $/.exec(start);
    const rest = `${fn}(${args.join(', ')})${end}`;
    if (moved && args.length === 1 && this.indent + 2 + rest.length <= WIDTH) {
      this.line(`${moved[1]} =`);
      return this.line(`  ${rest}`);
    }
    this.line(`${start}${fn}(`);
    for (const arg of args) this.line(`  ${arg},`);
    this.line(`)${end}`);
  }
}

function occurs(line: string, name: string): boolean {
  return new RegExp(`(?<![\\w']|(?<!\\.\\.)\\.)${name}(?![\\w'])`).test(line);
}

/** A member of an object as an expression. */
export function member(object: string, name: string, use: (helper: string) => string): string {
  if (INHERITED.has(name)) return `${use('own')}(${object}, ${literal(name)})`;
  const key = memberName(name);
  return key === name ? `${object}.${name}` : `${object}[${key}]`;
}

/** Parts as one camel-case identifier: `spec`, `ports[].number` → `specPortsNumber`. */
export function camel(...parts: string[]): string {
  const words = parts
    .join(' ')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  return words
    .map((word, i) => (i === 0 ? lowerFirst(word) : word[0].toUpperCase() + word.slice(1)))
    .join('');
}

/** The first letter large: for the name of a type. */
export function upperFirst(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function lowerFirst(word: string): string {
  return word.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
}

/** A value as a TypeScript literal on one line. */
export function inline(value: Printable): string {
  return literal(value, { column: -10000 });
}
