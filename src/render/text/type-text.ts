import { literal, memberName, WIDTH } from '../../code/literal';
import type { Element, Field } from '../../model/project';

/** The members of every object that TypeScript knows. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype).filter((name) => !name.startsWith('__'));

/** An exported declaration of an object with these fields. */
export function declaration(name: string, fields: Field[], comment: string): string {
  const doc = docComment([comment], '');
  if (fields.length === 0) return `${doc}export type ${name} = ${NO_FIELDS};\n`;
  return `${doc}export interface ${name} {\n${members(fields, 2)}}\n`;
}

function members(fields: Field[], indent: number): string {
  return fields.map((field) => member(field, indent)).join('');
}

function member(field: Field, indent: number): string {
  const pad = ' '.repeat(indent);
  const preset = field.default === undefined ? '' : `Default: ${JSON.stringify(field.default)}.`;
  const optional = field.required || field.default !== undefined ? '' : '?';
  const start = `${pad}${memberName(field.name)}${optional}:`;
  const conflicts = optional !== '' && field.type.kind !== 'any' && INHERITED.includes(field.name);
  const type = conflicts ? orInherited(field, indent, start.length) : print(field, indent, start.length, 1);
  return `${docComment([field.description, preset], pad)}${start}${type};\n`;
}

/**
 * The type of an optional field that is named like a member which every object inherits: without the field, an object has
 * that one. The declarations' files import `runtime`.
 */
function orInherited(field: Field, indent: number, column: number): string {
  const inherited = `runtime.Inherited<${literal(field.name)}>`;
  const line = `${onOneLine(field)} | ${inherited}`;
  if (onOneLine(field) !== undefined && column + 1 + line.length + 1 <= WIDTH) return ` ${line}`;
  const pad = ' '.repeat(indent + 2);
  const own = isUnion(field)
    ? field.rules.oneof!.map((value) => `\n${pad}| ${literal(value)}`).join('')
    : `\n${pad}|${print(field, indent + 4, pad.length + 1, 0)}`;
  return `${own}\n${pad}| ${inherited}`;
}

/** The type after a colon: a space and the type, or a line break and the type. */
function print(element: Element, indent: number, column: number, tail: number): string {
  const line = onOneLine(element);
  if (line !== undefined && column + 1 + line.length + tail <= WIDTH) return ` ${line}`;
  const { type, rules } = element;
  const pad = ' '.repeat(indent);
  switch (type.kind) {
    case 'object':
      return ` {\n${members(type.fields, indent + 2)}${pad}}`;
    case 'map': {
      const start = `${pad}  [key: string]:`;
      return ` {\n${start}${print(type.values, indent + 2, start.length, 1)};\n${pad}}`;
    }
    case 'list': {
      const items = print(type.items, indent, column + (isUnion(type.items) ? 1 : 0), tail + 2);
      return isUnion(type.items) ? ` (${items}\n${pad})[]` : `${items}[]`;
    }
    default:
      if (!isUnion(element)) return ` ${line}`;
      return rules.oneof!.map((value) => `\n${pad}  | ${literal(value)}`).join('');
  }
}

/** On one line; undefined for what takes several whatever its length. */
function onOneLine({ type, rules }: Element): string | undefined {
  switch (type.kind) {
    case 'any':
      return 'unknown';
    case 'ref':
      return type.name;
    case 'object':
      return type.fields.length === 0 ? NO_FIELDS : undefined;
    case 'map': {
      const values = onOneLine(type.values);
      return values && `{ [key: string]: ${values} }`;
    }
    case 'list': {
      const items = onOneLine(type.items);
      return items && (isUnion(type.items) ? `(${items})[]` : `${items}[]`);
    }
    case 'timestamp':
      return 'string';
    case 'boolean':
      return 'boolean';
    default:
      if (rules.oneof !== undefined) return rules.oneof.map((value) => literal(value)).join(' | ');
      return type.kind === 'string' ? 'string' : 'number';
  }
}

const NO_FIELDS = '{ [key: string]: never }';

function isUnion({ rules }: Element): boolean {
  return rules.oneof !== undefined && rules.oneof.length > 1;
}

/** Returns a doc comment of these texts; empty without any. No text can end the comment. */
export function docComment(texts: string[], pad: string): string {
  const lines = texts
    .flatMap((text) => text.split(/\r\n|[\n\r\u2028\u2029]/))
    .map((line) =>
      line
        .replace(/\*\//g, '*\\/')
        .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, ' ')
        .trim(),
    )
    .filter((line) => line !== '');
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${pad}/** ${lines[0]} */\n`;
  return `${pad}/**\n${lines.map((line) => `${pad} * ${line}\n`).join('')}${pad} */\n`;
}
