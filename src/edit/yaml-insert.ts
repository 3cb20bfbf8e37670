import { type Document, isCollection, isMap, isScalar, type ParsedNode, type YAMLMap } from 'yaml';
import type { Path } from '../model/problem';
import type { Json } from '../model/project';
import { indent, renderBlock, renderFlow } from './yaml-render';
import {
  columnOf,
  endOf,
  findPair,
  lineAfter,
  lineEnding,
  lineStart,
  nextLine,
  type SourceCollection,
  type SourceEntry,
  type SourcePair,
  type Splice,
  splice,
  startOf,
  withoutAnchors,
} from './yaml-source';

/** An addition to a collection: a pair of a map, or an item of a list where there is no key. */
interface Addition {
  key?: string;
  value: Json;
  /** The key that the pair comes after; the last one if there is no such key. */
  after?: string;
}

/** A pair of the map at `path` to copy: its key, and that of the copy. */
export interface PairCopy {
  path: Path;
  from: string;
  to: string;
}

type SourceMap = YAMLMap.Parsed;

/**
 * The splices that add to the end of the collection at `path`, in the style it is written in. A collection that
 * is missing, empty or null is made. None where the text has no place for it, an alias for example.
 */
export function insert(text: string, document: Document.Parsed, path: Path, addition: Addition): Splice[] {
  const node = document.getIn(path, true);
  const json = isJson(document);
  if (isCollection(node) && node.items.length > 0) {
    const collection = node as SourceCollection;
    const after = isMap(node) && addition.after ? findPair(node as SourceMap, addition.after) : undefined;
    if (collection.flow) return appendFlow(text, collection, flowEntry(addition, json), after);
    return appendLines(text, collection, blockEntry(text, collection, addition), after);
  }
  const name = path.at(-1);
  const parent = document.getIn(path.slice(0, -1), true);
  if (typeof name !== 'string' || !isMap(parent)) return [];
  const content = addition.key === undefined ? [addition.value] : { [addition.key]: addition.value };
  const pair = findPair(parent as SourceMap, name);
  if (pair) return fill(text, parent as SourceMap, pair, content, json);
  return insert(text, document, path.slice(0, -1), { key: name, value: content });
}

/** The splices that add to the map at `path` the pair `to` with the value of `from`, as it is written. */
export function insertCopy(text: string, document: Document.Parsed, { path, from, to }: PairCopy): Splice[] {
  const map = document.getIn(path, true);
  const pair = isMap(map) ? findPair(map as SourceMap, from) : undefined;
  if (!pair) return [];
  const collection = map as SourceMap;
  const column = columnOf(text, collection);
  const start = pair.key.range[1];
  const end = collection.flow ? endOf(pair) : lineAfter(text, pair, column);
  const anchors = withoutAnchors(text, pair).map((anchor) => ({
    ...anchor,
    start: anchor.start - start,
    end: anchor.end - start,
  }));
  const key = isScalar(pair.key) && pair.key.type === 'QUOTE_DOUBLE' ? JSON.stringify(to) : to;
  const copy = key + splice(text.slice(start, end), anchors);
  if (collection.flow) return appendFlow(text, collection, copy);
  return appendLines(text, collection, ' '.repeat(column) + copy.replace(/\r?\n$/, ''));
}

/** Returns true for a document that is written as JSON, which YAML contains. */
export function isJson(document: Document.Parsed): boolean {
  const root = document.contents;
  const key = isMap(root) ? root.items[0]?.key : undefined;
  return isCollection(root) && root.flow === true && isScalar(key) && key.type === 'QUOTE_DOUBLE';
}

/** A value for a key that has none, or an empty collection; a comment on the line stays. */
function fill(text: string, parent: SourceMap, pair: SourcePair, content: Json, json: boolean): Splice[] {
  const { value } = pair;
  if (!value || !(isCollection(value) || (isScalar(value) && value.value === null))) return [];
  const [valueStart, valueEnd] = value.range;
  const start = text.slice(0, valueStart).trimEnd().length;
  const end = valueStart === valueEnd ? start : valueEnd;
  if (parent.flow || (Array.isArray(content) && typeof content[0] === 'string')) {
    return [{ start, end, text: ` ${renderFlow(content, json)}` }];
  }
  const lines = indent(renderBlock(content), columnOf(text, parent) + 2);
  return [{ start, end, text: '' }, lineSplice(text, nextLine(text, end), lines)];
}

function blockEntry(text: string, collection: SourceCollection, { key, value }: Addition): string {
  const column = columnOf(text, collection);
  if (key !== undefined) return indent(renderBlock({ [key]: value }), column);
  const item = collection.items.at(-1) as ParsedNode;
  const dash = /^- +(?=\S)/.exec(text.slice(lineStart(text, item.range[0]) + column))?.[0] ?? '- ';
  const lines = indent(renderBlock(value), column + dash.length);
  return ' '.repeat(column) + dash + lines.trimStart();
}

function flowEntry({ key, value }: Addition, json: boolean): string {
  return key === undefined ? renderFlow(value, json) : `${renderFlow(key, json)}: ${renderFlow(value, json)}`;
}

/** Lines after an entry of a block collection; after the last one with a blank line before, where that has one. */
function appendLines(
  text: string,
  collection: SourceCollection,
  lines: string,
  after?: SourceEntry,
): Splice[] {
  const column = columnOf(text, collection);
  if (after) return [lineSplice(text, lineAfter(text, after, column), lines)];
  const entries = collection.items as SourceEntry[];
  const last = entries.at(-1)!;
  const previous = entries.at(-2);
  const between = previous ? text.slice(lineAfter(text, previous, column), startOf(last)) : '';
  const isBlockScalar = text[endOf(last) - 1] === '\n';
  const blank = !isBlockScalar && /^\s*\n/m.test(between);
  return [lineSplice(text, lineAfter(text, last, column), blank ? `\n${lines}` : lines)];
}

function lineSplice(text: string, at: number, lines: string): Splice {
  const unended = at === text.length && !text.endsWith('\n');
  const inserted = unended ? `\n${lines}` : `${lines}\n`;
  return { start: at, end: at, text: inserted.replace(/\r?\n/g, lineEnding(text)) };
}

/** An entry after the last one of a flow collection, on a line of its own where that one is the last on its line. */
function appendFlow(
  text: string,
  collection: SourceCollection,
  entry: string,
  after?: SourceEntry,
): Splice[] {
  const last = collection.items.at(-1) as SourceEntry;
  const end = endOf(after ?? last);
  const behind = { start: end, end, text: `, ${entry}` };
  if (after && after !== last) return [behind];
  const comma = commaAfter(text, end);
  const rest = text.slice(comma ?? end, collection.range[1] - 1);
  if (!rest.includes('\n')) return [behind];
  const margin = /^[ \t]*/.exec(text.slice(lineStart(text, startOf(last))))![0];
  const line = lineSplice(
    text,
    nextLine(text, comma ?? end),
    `${margin}${entry}${comma === undefined ? '' : ','}`,
  );
  return comma === undefined ? [{ start: end, end, text: ',' }, line] : [line];
}

/** Where the comma after an entry of a flow collection ends; undefined where none follows. */
export function commaAfter(text: string, offset: number): number | undefined {
  const pattern = /(?:\s|#[^\n]*\n)*,/y;
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
