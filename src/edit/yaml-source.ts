import {
  type CST,
  isCollection,
  isScalar,
  type Pair,
  parse,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { Path } from '../model/problem';

/** A replacement of the characters from `start` to before `end`. */
export interface Splice {
  start: number;
  end: number;
  text: string;
}

/** A map or a list as it was parsed. */
export type SourceCollection = YAMLMap.Parsed | YAMLSeq.Parsed;

/** A pair of a map. */
export type SourcePair = Pair<ParsedNode, ParsedNode | null>;

/** A pair of a map, or an item of a list. */
export type SourceEntry = SourcePair | ParsedNode;

/** Lets aliases repeat as much as they like: what they repeat is shared, and the loader limits it. */
export const ANY_ALIASES = { maxAliasCount: -1 };

/** Keys are names, whatever they look like, as for the loader. */
export const NAMES_AS_KEYS = { stringKeys: true };

/** The value of a YAML text. */
export function yamlValue(text: string): unknown {
  return parse(text, { ...ANY_ALIASES, ...NAMES_AS_KEYS });
}

/** The value at a path of a YAML text; undefined where there is none. */
export function valueAt(text: string, path: Path): unknown {
  return path.reduce<unknown>(
    (at, step) => (at as { [step: string]: unknown } | null | undefined)?.[step],
    yamlValue(text),
  );
}

/** The text with all the splices made; they must not overlap. */
export function splice(text: string, splices: Splice[]): string {
  let edited = text;
  for (const { start, end, text: inserted } of splices.toSorted((a, b) => b.start - a.start))
    edited = edited.slice(0, start) + inserted + edited.slice(end);
  return edited;
}

/** The line ending that the text uses. */
export function lineEnding(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Where the line that holds `offset` starts. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Where the line after the one that holds `offset` starts; the length of the text after the last line. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end === -1 ? text.length : end + 1;
}

/** Returns the indentation of a block collection: the column of its dashes or keys, from 0. */
export function columnOf(text: string, collection: SourceCollection): number {
  const start = collection.range[0];
  return start - Math.max(lineStart(text, start), text.startsWith('\uFEFF') ? 1 : 0);
}

/** The pair of a map with that key. */
export function findPair(map: YAMLMap.Parsed, name: string): SourcePair | undefined {
  return map.items.find(({ key }) => isScalar(key) && key.value === name);
}

/** The pair of a map with that key, or the item of a list at that index. */
export function entryOf(collection: SourceCollection, step: string | number): SourceEntry | undefined {
  return typeof step === 'number'
    ? (collection.items as SourceEntry[])[step]
    : findPair(collection as YAMLMap.Parsed, step);
}

/** Where an entry starts: a pair at its key. */
export function startOf(entry: SourceEntry): number {
  return 'key' in entry ? entry.key.range[0] : entry.range[0];
}

/** Where the last value below the entry ends; trailing comments and blank lines are not part of it. */
export function endOf(entry: SourceEntry): number {
  if ('key' in entry) return entry.value ? endOf(entry.value) : entry.key.range[1];
  const last = isCollection(entry) && !entry.flow ? entry.items.at(-1) : undefined;
  return last ? endOf(last) : entry.range[1];
}

/** The start of the line after an entry of a block collection; comments indented deeper than it are its own, blank lines or not. */
export function lineAfter(text: string, entry: SourceEntry, column: number): number {
  const end = endOf(entry);
  const comment = new RegExp(`(?:\\s*\\n)? {${column + 1},}#.*`, 'y');
  let next = text[end - 1] === '\n' ? end : nextLine(text, end);
  for (comment.lastIndex = next; comment.test(text); comment.lastIndex = next)
    next = nextLine(text, comment.lastIndex);
  return next;
}

/** The removal of the anchors (`&name`) in the value of a pair, each with the space before it. */
export function withoutAnchors(text: string, pair: Pair): Splice[] {
  return anchorTokens(pair.srcToken as CST.CollectionItem).map(({ offset, source }) => ({
    start: text[offset - 1] === ' ' ? offset - 1 : offset,
    end: offset + source.length,
    text: '',
  }));
}

function anchorTokens({ start, sep = [], value }: CST.CollectionItem): CST.SourceToken[] {
  const inner = value && 'items' in value ? value.items.flatMap(anchorTokens) : [];
  return [...[...start, ...sep].filter(({ type }) => type === 'anchor'), ...inner];
}
