import { Document, isNode, YAMLParseError } from 'yaml';
import { yamlDocuments } from '../../../../templates/runtime/files/yaml-documents';
import { yamlText } from '../../../../templates/runtime/files/yaml-text';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import { own } from '../../../../templates/runtime/model/fields/values';
import { below, pointerKeys } from '../../../../templates/runtime/model/fragment';
import type { Failure } from '../../../../templates/runtime/model/problem';
import {
  isObject,
  type Json,
  type JsonObject,
  type Schema,
} from '../../../../templates/runtime/model/schema';
import { parseExactly } from '../../data/exact-json';
import type { Draft } from '../../data/resource';
import type { Notation } from '../../data/yaml';

/** A place in a text, in characters, and what is wrong there. */
export interface TextFailure {
  from: number;
  to: number;
  message: string;
}

/** A text as a draft, or why it is none. */
export type ReadText = { draft: Draft } | { failure: TextFailure };

/** The members of a resource. Those that are not edited may stand in a pasted text, and are ignored. */
const MEMBERS = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'expanded'];

/** Returns a draft as text. */
export function writeText(draft: Draft, notation: Notation): string {
  if (notation === 'json') return `${JSON.stringify(draft, null, 2)}\n`;
  return yamlText(draft);
}

/** Reads a text as a draft of this shape. */
export function readText(text: string, notation: Notation, { schema }: Shape): ReadText {
  const document = parsed(text);
  const [error] = document.errors;
  const json = notation === 'json' ? jsonOf(text) : undefined;
  if (json instanceof Error || (error !== undefined && json === undefined)) {
    const [from, to] = error?.pos ?? [0, 0];
    const message = json instanceof Error ? json.message : error.message;
    return { failure: { from, to: Math.max(to, from), message: firstLine(message) } };
  }
  const value = json === undefined ? yamlOf(document) : json.value;
  if (value instanceof Error) return { failure: { from: 0, to: 0, message: firstLine(value.message) } };
  const failure = isObject(value)
    ? misplaced(value, schema)
    : { pointer: '', message: 'The text must be an object' };
  if (failure !== undefined)
    return { failure: { ...rangeOf(document, failure.pointer), message: failure.message } };
  const parts = Object.keys(schema.properties ?? {});
  return { draft: Object.fromEntries(parts.map((part) => [part, own(value as JsonObject, part) ?? {}])) };
}

/** Returns the places of failures in a text. */
export function placesOf(text: string, failures: Failure[]): TextFailure[] {
  const document = parsed(text);
  return failures.map(({ pointer, detail }) => ({ ...rangeOf(document, pointer), message: detail }));
}

function parsed(text: string): Document {
  const [document = new Document(null), second] = yamlDocuments(text);
  if (second !== undefined) document.errors.push(severalDocuments(second));
  return document;
}

function severalDocuments({ range: [start, end] }: Document.Parsed): YAMLParseError {
  return new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'The text has several documents');
}

/** An alias without its anchor, within its own anchor, and too many of them, are found only here. */
function yamlOf(document: Document): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 1_000 });
    JSON.stringify(value);
    return value;
  } catch (error) {
    return error;
  }
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0].replace(/:$/, '');
}

function jsonOf(text: string): { value: Json } | Error {
  try {
    return { value: parseExactly(text) };
  } catch (error) {
    return error as Error;
  }
}

function misplaced(
  value: JsonObject,
  { properties = {}, required = [] }: Schema,
): { pointer: string; message: string } | undefined {
  const unknown = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined)
    return { pointer: `/${unknown}`, message: `A resource has no member ${unknown}` };
  for (const part of Object.keys(properties)) {
    const isMissing = (value[part] ?? null) === null && !required.includes(part);
    if (!isMissing && !isObject(value[part]))
      return { pointer: `/${part}`, message: `${part} must be an object` };
  }
  const pointer = unsayable(value, '');
  return pointer === undefined ? undefined : { pointer, message: 'This value does not exist in JSON' };
}

/** Returns the place of a value that YAML has and JSON has not, such as `.inf`. */
function unsayable(value: unknown, pointer: string): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : pointer;
  if (typeof value !== 'object')
    return typeof value === 'bigint' || value === undefined ? pointer : undefined;
  if (value === null) return undefined;
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return pointer;
  for (const [key, member] of Object.entries(value)) {
    const found = unsayable(member, below(pointer, key));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the place of the value at a pointer, or that of the nearest parent that the text has. */
function rangeOf(document: Document, pointer: string): { from: number; to: number } {
  const path = pointerKeys(pointer);
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (!isNode(node) || !node.range) continue;
    const [from, to] = node.range;
    return { from, to: Math.max(from, to) };
  }
  return { from: 0, to: 0 };
}
