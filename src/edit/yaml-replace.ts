import { type Document, isCollection, isMap, isSeq, type ParsedNode, visit, type YAMLSeq } from 'yaml';
import type { Path } from '../model/problem';
import type { Json } from '../model/project';
import { commaAfter, isJson } from './yaml-insert';
import { renderFlow } from './yaml-render';
import {
  columnOf,
  endOf,
  entryOf,
  lineAfter,
  lineStart,
  type SourceCollection,
  type SourceEntry,
  type Splice,
  startOf,
} from './yaml-source';

/** The splices that replace the value at `path`, on one line. None where the text has no place for it. */
export function replacement(document: Document.Parsed, path: Path, value: Json): Splice[] {
  const node = document.getIn(path, true) as ParsedNode | undefined;
  if (!node?.range) return [];
  const json = isJson(document);
  const isBlock = isMap(node) && !node.flow;
  const text = isBlock ? pairsOf(value) : renderFlow(value, json);
  return [{ start: node.range[0], end: endOf(node), text }];
}

/** A map of one pair that stands in a block collection: `rename: { hub: spec.a, spoke: spec.b }`. */
export function pairsOf(value: Json): string {
  const entries = Object.entries(value as { [key: string]: Json });
  if (entries.length !== 1) return renderFlow(value);
  const [[key, inner]] = entries as [[string, Json]];
  return `${renderFlow(key)}: ${renderFlow(inner)}`;
}

/** The splices that remove the value at `path`, with its key in a map. */
export function removal(text: string, document: Document.Parsed, path: Path): Splice[] {
  const holder = document.getIn(path.slice(0, -1), true);
  if (!isCollection(holder)) return [];
  const collection = holder as SourceCollection;
  const entry = entryOf(collection, path.at(-1)!);
  if (entry === undefined) return [];
  if (collection.flow) {
    const entries = collection.items as SourceEntry[];
    const place = entries.indexOf(entry);
    const [previous, next] = [entries[place - 1], entries[place + 1]];
    const [from, to] = [previous ? endOf(previous) : startOf(entry), next ? startOf(next) : endOf(entry)];
    const around = text.slice(from, startOf(entry)) + text.slice(endOf(entry), to);
    if (around.includes('#')) return betweenComments(text, entry);
    return [{ start: from, end: previous ? endOf(entry) : to, text: '' }];
  }
  const start = lineStart(text, dashOf(collection, entry) ?? startOf(entry));
  // The first pair of an item stands behind its dash.
  if ('key' in entry && text.slice(start, startOf(entry)).trim() !== '') return [];
  return [{ start, end: lineAfter(text, entry, columnOf(text, collection)), text: '' }];
}

/**
 * Returns where the items of a list stand, in lines of their own; undefined for a list that is on one line, and where an
 * alias may connect an item with the rest of the text.
 */
export function itemLines(text: string, document: Document.Parsed, path: Path): Splice[] | undefined {
  const list = document.getIn(path, true);
  if (!isSeq(list) || list.flow) return undefined;
  let hasAlias = false;
  visit(document, { Alias: () => ((hasAlias = true), visit.BREAK) });
  if (hasAlias) return undefined;
  const collection = list as YAMLSeq.Parsed;
  const column = columnOf(text, collection);
  return collection.items.map((item) => {
    const start = lineStart(text, dashOf(collection, item) ?? startOf(item));
    const end = lineAfter(text, item, column);
    return { start, end, text: text.slice(start, end) };
  });
}

/** Where the dash of an item stands: on a line above it perhaps. */
function dashOf({ items, srcToken }: SourceCollection, entry: SourceEntry): number | undefined {
  if (srcToken?.type !== 'block-seq') return undefined;
  const { start } = srcToken.items[(items as SourceEntry[]).indexOf(entry)];
  return start.find(({ type }) => type === 'seq-item-ind')?.offset;
}

/** The removal of an entry of a flow collection and of its comma; the comments before and behind it stay. */
function betweenComments(text: string, entry: SourceEntry): Splice[] {
  const [start, end] = [startOf(entry), endOf(entry)];
  const comma = commaAfter(text, end);
  const isLast = /^[ \t]*,?[ \t]*\r?\n/.test(text.slice(end));
  return [
    { start: isLast ? text.slice(0, start).trimEnd().length : start, end, text: '' },
    ...(comma === undefined ? [] : [{ start: comma - 1, end: comma, text: '' }]),
  ];
}
