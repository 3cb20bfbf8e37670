import type { Json } from '../model/project';
import { escapeUnseen } from '../model/quoted';

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

/** Length of the longest line of generated code. */
export const WIDTH = 110;
/** A string moves to a line of its own only below a key that is longer than this. */
const SHORT_KEY = 4;

/** The value as a TypeScript expression, in the form that Prettier gives it. */
export function literal(value: Printable, { indent = 0, column = indent, tail = 0 }: Place = {}): string {
  return print(value, indent, column, tail);
}

/** Returns a value as a JSON file, with a line for each member. */
export function jsonFile(value: object): string {
  return `${escapeUnseen(JSON.stringify(value, null, 2))}\n`;
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

/** Strings that JSON.stringify leaves as they are. */
const PLAIN = /^[ !#-[\]-~]*$/;

function json(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : escapeUnseen(JSON.stringify(text));
}

/** Returns a value that starts at `column` of a line with `indent` spaces, and that `tail` characters follow. */
function print(value: Printable, indent: number, column: number, tail: number): string {
  if (value instanceof Code) return value.text;
  if (!(value instanceof Piece) && !isList(value) && !isObject(value)) return scalar(value);
  const line = onOneLine(value, WIDTH - column - tail);
  if (line !== undefined) return line;
  if (value instanceof Call) return brokenCall(value, indent, column, tail);
  if (value instanceof Thunk)
    return `() =>\n${pad(indent + 2)}${print(value.result, indent + 2, indent + 2, 1)},\n${pad(indent)}`;
  return isList(value) ? brokenList(value, indent) : brokenObject(value, indent);
}

/** Returns a value on one line; undefined where that is longer than `room`, and where Prettier breaks it whatever its length. */
function onOneLine(value: Printable, room: number): string | undefined {
  let line: string | undefined;
  if (value instanceof Code) line = value.text.includes('\n') ? undefined : value.text;
  else if (value instanceof Call) line = callLine(value, room);
  else if (value instanceof Thunk) line = onOneLine(value.result, room)?.replace(/^/, '() => ');
  else if (isList(value)) line = listLine(value, room);
  else if (isObject(value)) line = objectLine(value, room);
  else line = scalar(value);
  return line === undefined || line.length > room ? undefined : line;
}

function listLine(value: readonly Printable[], room: number): string | undefined {
  if (alwaysBroken(value)) return undefined;
  let line = '[';
  for (const element of value) {
    const text = onOneLine(element, room - line.length);
    if (text === undefined) return undefined;
    line += line === '[' ? text : `, ${text}`;
  }
  return `${line}]`;
}

function callLine({ fn, args }: Call, room: number): string | undefined {
  const parts = args.map((arg) => onOneLine(arg, room));
  return parts.includes(undefined) ? undefined : `${fn}(${parts.join(', ')})`;
}

/** An object or list at the end of a call stays on the line of the call; otherwise every argument has its own. */
function brokenCall({ fn, args }: Call, indent: number, column: number, tail: number): string {
  const others = args.slice(0, -1).map((arg) => onOneLine(arg, WIDTH));
  const last = args.at(-1);
  if (!others.includes(undefined) && isHugged(last, args.at(-2))) {
    const head = `${fn}(${others.map((text) => `${text}, `).join('')}`;
    const text = print(last, indent, column + head.length, tail + 1);
    if (column + head.length + text.indexOf('\n') <= WIDTH) return `${head}${text})`;
  }
  const inner = indent + 2;
  const lines = args.map((arg) => `${pad(inner)}${print(arg, inner, inner, 1)},\n`);
  return `${fn}(\n${lines.join('')}${pad(indent)})`;
}

function objectLine(value: Members, room: number): string | undefined {
  let line = '';
  for (const name in value) {
    const member = value[name];
    if (member === undefined) continue;
    const text = onOneLine(member, room - line.length);
    if (text === undefined) return undefined;
    line += `${line === '' ? '{' : ','} ${keyOf(name)}: ${text}`;
  }
  return line === '' ? '{}' : `${line} }`;
}

function scalar(value: null | boolean | number | string | undefined): string {
  return typeof value === 'string' ? stringLiteral(value) : String(value).replace('e+', 'e');
}

function keyOf(name: string): string {
  return name === '__proto__' ? "['__proto__']" : memberName(name);
}

/** Returns an object with each member on lines of its own. */
function brokenObject(value: Members, indent: number): string {
  const start = pad(indent + 2);
  let lines = '';
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === undefined) continue;
    const key = keyOf(name);
    const column = start.length + key.length + 2;
    const text = print(member, start.length, column, 1);
    const moves = typeof member === 'string' && key.length > SHORT_KEY;
    const fits = column + text.length + 1 <= WIDTH;
    lines += `${start}${key}:${moves && !fits ? `\n${start}  ` : ' '}${text},\n`;
  }
  return `{\n${lines}${pad(indent)}}`;
}

function brokenList(value: readonly Printable[], indent: number): string {
  const inner = indent + 2;
  const elements = value.map((element) => `${print(element, inner, inner, 1)},`);
  const numbers = value.length > 1 && value.every((element) => typeof element === 'number');
  const lines = numbers ? filled(elements, inner) : elements;
  return `[\n${lines.map((line) => `${pad(inner)}${line}\n`).join('')}${pad(indent)}]`;
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
