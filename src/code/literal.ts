import type { Json } from '../model/project';

/** Something in a literal that is not JSON. */
abstract class Piece {}

/** An expression that stands in a literal as it is, such as `'x'.repeat(201)`. */
export class Code extends Piece {
  constructor(readonly text: string) {
    super();
  }
}

/** A call of a function. */
export class Call extends Piece {
  constructor(
    readonly fn: string,
    readonly args: readonly Printable[],
  ) {
    super();
  }
}

/** A function without parameters that returns a value. */
export class Thunk extends Piece {
  constructor(readonly result: Call) {
    super();
  }
}

/** The content of a literal: JSON, and code in place of a value. Undefined members are left out. */
export type Printable =
  Json | undefined | Code | Call | Thunk | readonly Printable[] | { readonly [key: string]: Printable };

type Members = { readonly [key: string]: Printable };

/** Where a literal stands in its file. */
interface Place {
  /** Spaces before the line that the literal starts on. */
  indent?: number;
  /** Characters on that line before the literal. */
  column?: number;
  /** Characters on its last line after the literal: a comma or a semicolon. */
  tail?: number;
}

const WIDTH = 110;
/** A string moves to a line of its own only below a key that is longer than this. */
const SHORT_KEY = 4;

/** The value as a TypeScript expression, in the form that Prettier gives it. */
export function literal(value: Printable, { indent = 0, column = indent, tail = 0 }: Place = {}): string {
  return new Printer(false).print(value, indent, column, tail);
}

/** The value as a JSON file, in the form that Prettier gives it: a short object stands on one line. */
export function jsonFile(value: Printable): string {
  return `${new Printer(true).print(value, 0, 0, 0)}\n`;
}

/** A string literal; characters that cannot be seen, or that turn the direction of text, are escaped. */
export function stringLiteral(text: string): string {
  const doubled = json(text);
  const quotes = text.split('"').length;
  const apostrophes = text.split("'").length;
  if (apostrophes > quotes) return doubled;
  return `'${doubled.slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`;
}

/** A member's name as it stands in an object literal or an interface. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringLiteral(name);
}

const UNSEEN = /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Strings that JSON.stringify leaves as they are. */
const PLAIN = /^[ !#-[\]-~]*$/;

function json(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : escapeUnseen(JSON.stringify(text));
}

/** JSON with the characters escaped that cannot be seen, or that turn the direction of text. */
export function escapeUnseen(text: string): string {
  return text.replace(UNSEEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

class Printer {
  constructor(private readonly asJson: boolean) {}

  print(value: Printable, indent: number, column: number, tail: number): string {
    if (value instanceof Code) return value.text;
    if (!(value instanceof Piece) && !isList(value) && !isObject(value)) return this.scalar(value);
    const line = this.line(value, WIDTH - column - tail);
    if (line !== undefined) return line;
    if (value instanceof Call) return this.brokenCall(value, indent, column, tail);
    if (value instanceof Thunk)
      return `() =>\n${pad(indent + 2)}${this.print(value.result, indent + 2, indent + 2, 1)},\n${pad(indent)}`;
    return isList(value) ? this.brokenList(value, indent) : this.brokenObject(value, indent);
  }

  /** On one line; undefined where that is longer than `room`, and where Prettier breaks it whatever its length. */
  private line(value: Printable, room: number): string | undefined {
    let line: string | undefined;
    if (value instanceof Code) line = value.text.includes('\n') ? undefined : value.text;
    else if (value instanceof Call) line = this.callLine(value, room);
    else if (value instanceof Thunk) line = this.line(value.result, room)?.replace(/^/, '() => ');
    else if (isList(value)) line = this.listLine(value, room);
    else if (isObject(value)) line = this.objectLine(value, room);
    else line = this.scalar(value);
    return line === undefined || line.length > room ? undefined : line;
  }

  private listLine(value: readonly Printable[], room: number): string | undefined {
    if (alwaysBroken(value)) return undefined;
    let line = '[';
    for (const element of value) {
      const text = this.line(element, room - line.length);
      if (text === undefined) return undefined;
      line += line === '[' ? text : `, ${text}`;
    }
    return `${line}]`;
  }

  private callLine({ fn, args }: Call, room: number): string | undefined {
    const parts = args.map((arg) => this.line(arg, room));
    return parts.includes(undefined) ? undefined : `${fn}(${parts.join(', ')})`;
  }

  /** An object or list at the end of a call stays on the line of the call; otherwise every argument has its own. */
  private brokenCall({ fn, args }: Call, indent: number, column: number, tail: number): string {
    const others = args.slice(0, -1).map((arg) => this.line(arg, WIDTH));
    const last = args.at(-1);
    if (!others.includes(undefined) && isHugged(last, args.at(-2))) {
      const head = `${fn}(${others.map((text) => `${text}, `).join('')}`;
      const text = this.print(last, indent, column + head.length, tail + 1);
      if (column + head.length + text.indexOf('\n') <= WIDTH) return `${head}${text})`;
    }
    const inner = indent + 2;
    const lines = args.map((arg) => `${pad(inner)}${this.print(arg, inner, inner, 1)},\n`);
    return `${fn}(\n${lines.join('')}${pad(indent)})`;
  }

  private objectLine(value: Members, room: number): string | undefined {
    let line = '';
    for (const name in value) {
      const member = value[name];
      if (member === undefined) continue;
      const text = this.line(member, room - line.length);
      if (text === undefined) return undefined;
      line += `${line === '' ? '{' : ','} ${this.key(name)}: ${text}`;
    }
    return line === '' ? '{}' : `${line} }`;
  }

  private scalar(value: null | boolean | number | string | undefined): string {
    if (typeof value === 'string') return this.asJson ? json(value) : stringLiteral(value);
    return String(value).replace('e+', 'e');
  }

  private key(name: string): string {
    if (this.asJson) return json(name);
    return name === '__proto__' ? "['__proto__']" : memberName(name);
  }

  private brokenObject(value: Members, indent: number): string {
    return `{\n${this.members(value, indent + 2, this.asJson ? '' : ',')}${pad(indent)}}`;
  }

  /** Returns the members of an object, each on lines of its own; `end` follows the last one. */
  private members(value: Members, indent: number, end: string): string {
    const start = pad(indent);
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    const last = names.length - 1;
    let lines = '';
    for (let index = 0; index <= last; index++) {
      const name = names[index];
      const member = value[name];
      const key = this.key(name);
      const comma = index === last ? end : ',';
      const column = indent + key.length + 2;
      const text = this.print(member, indent, column, comma.length);
      const moves = !this.asJson && typeof member === 'string' && key.length > SHORT_KEY;
      const fits = column + text.length + comma.length <= WIDTH;
      lines += `${start}${key}:${moves && !fits ? `\n${start}  ` : ' '}${text}${comma}\n`;
    }
    return lines;
  }

  private brokenList(value: readonly Printable[], indent: number): string {
    const inner = indent + 2;
    const end = this.asJson ? '' : ',';
    const elements = value.map((element, index) => {
      const comma = index < value.length - 1 ? ',' : end;
      return this.print(element, inner, inner, comma.length) + comma;
    });
    const numbers = value.length > 1 && value.every((element) => typeof element === 'number');
    const lines = numbers ? filled(elements, inner) : elements;
    return `[\n${lines.map((line) => `${pad(inner)}${line}\n`).join('')}${pad(indent)}]`;
  }
}

/** Numbers share lines. */
function filled(elements: string[], indent: number): string[] {
  const lines: string[] = [];
  for (const element of elements) {
    const longer = lines.length > 0 ? `${lines[lines.length - 1]} ${element}` : undefined;
    if (longer !== undefined && indent + longer.length <= WIDTH) lines[lines.length - 1] = longer;
    else lines.push(element);
  }
  return lines;
}

/** A list of several objects, or of several lists, that each have several members. */
function alwaysBroken(list: readonly Printable[]): boolean {
  if (list.length < 2) return false;
  return (
    list.every((element) => isList(element) && element.length > 1) ||
    list.every((element) => isObject(element) && hasSeveral(element))
  );
}

/** Returns true where the last argument of a call may begin on the line of the call. */
function isHugged(last: Printable, previous: Printable): boolean {
  if (last instanceof Thunk) return true;
  if (isList(last))
    return last.length > 0 && !isList(previous) && !last.every((one) => typeof one === 'number');
  return isObject(last) && Object.keys(last).length > 0 && !isObject(previous);
}

function hasSeveral(value: Members): boolean {
  let count = 0;
  for (const name in value) if (value[name] !== undefined && ++count > 1) return true;
  return false;
}

function isList(value: Printable): value is readonly Printable[] {
  return Array.isArray(value);
}

function isObject(value: Printable): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Piece);
}

function pad(spaces: number): string {
  return ' '.repeat(spaces);
}
