import { isCollection, isMap, type ParsedNode, parseDocument, Parser } from 'yaml';
import { type Maybe, own } from '../../templates/runtime/model/fields/values';
import { isObject } from '../../templates/runtime/model/schema';
import type { RawRule } from '../conversion/rules/invert-rule';
import type { Path } from '../model/problem';
import type { Json } from '../model/project';
import { renderFlow } from './yaml-render';
import { pairsOf } from './yaml-replace';
import {
  columnOf,
  endOf,
  entryOf,
  lineAfter,
  lineEnding,
  lineStart,
  type SourceCollection,
  type SourceEntry,
  splice,
  startOf,
} from './yaml-source';

/** A comment in a rule. */
interface Comment {
  /** The member that it belongs to: its keys from the rule on. */
  path: string[];
  /** On a line above its member, behind it on the same line, or on the last line inside it. */
  where: 'above' | 'behind' | 'below';
  /** With the space before it where it is behind its member. */
  text: string;
}

/** The comments in the rule at `path`, and on whole lines above it; none where rules do not stand on lines of their own. */
export function commentsOf(text: string, path: Path): Comment[] {
  const place = placeOf(text, path);
  if (place === undefined) return [];
  const above: Comment[] = [];
  let start = place.start;
  while (start > 0) {
    const line = text.slice(lineStart(text, start - 1), start);
    const margin = /^ *(?=#)/.exec(line)?.[0];
    if (line.trim() !== '' && (margin === undefined || margin.length > place.column)) break;
    if (margin !== undefined) above.unshift({ path: [], where: 'above', text: line.trim() });
    start -= line.length;
  }
  return [...above, ...commentsInside(text, place)];
}

/**
 * Returns the comments of a rule at the members of another rule that is made of it, its inverse for example. Those of
 * members that the other rule lacks are above the next member around them.
 */
export function commentsFor(rule: RawRule, comments: Comment[], isInverse: boolean): Comment[] {
  const [[name, members]] = Object.entries(rule);
  return comments.map(({ path: [old, ...rest], where, text }) => {
    if (old === undefined) return { path: [], where, text };
    const steps = isInverse ? inverseSteps(rest, members.values) : rest;
    const valueOf = (path: string[]): Maybe => path.reduce<Maybe>(own, members);
    const found = steps.findIndex((_, index) => valueOf(steps.slice(0, index + 1)) === undefined);
    const isLost = found !== -1 || (where === 'below' && !isObject(valueOf(steps)));
    if (!isLost) return { path: [name, ...steps], where, text };
    const around = found === -1 ? steps : steps.slice(0, found);
    return { path: [name, ...around], where: 'above', text: text.trim() };
  });
}

/** The text with the rule at `path` written with these comments, where it stands on lines of its own. */
export function withComments(text: string, path: Path, rule: RawRule, comments: Comment[]): string {
  const place = placeOf(text, path);
  if (place === undefined || comments.length === 0) return text;
  const isLine = ({ path, where }: Comment) => path.length < 2 && where === 'above';
  const inner = comments.filter((one) => !isLine(one));
  const isShort = inner.every(({ path, where }) => path.length < 2 && where === 'behind') && inner.length < 2;
  const lines = isShort ? [pairsOf(rule) + (inner[0]?.text ?? '')] : linesOf(rule, [], inner);
  const margin = ' '.repeat(place.content - place.start);
  const above = comments.filter(isLine).map((one) => `${' '.repeat(place.column)}${one.text.trim()}`);
  const ending = lineEnding(text);
  return splice(text, [
    { start: place.start, end: place.start, text: above.map((line) => line + ending).join('') },
    { start: place.content, end: place.end, text: lines.join(ending + margin) },
  ]);
}

/** The comments below the value at `path`, in the order of the text; none below an alias. */
export function commentsBelow(text: string, path: Path): string[] {
  const parent = parseDocument(text).getIn(path.slice(0, -1), true);
  if (!isCollection(parent)) return [];
  const collection = parent as SourceCollection;
  const entry = entryOf(collection, path.at(-1)!);
  if (entry === undefined) return [];
  const column = columnOf(text, collection);
  const end = collection.flow ? endOf(entry) : lineAfter(text, entry, column);
  return tokensIn(text, startOf(entry), end).map(({ source }) => source);
}

/**
 * The text with comments on lines after the last entry of the collection at `path`; where that is on one line, above the
 * entry that it stands in.
 */
export function appendComments(text: string, path: Path, comments: string[]): string {
  const document = parseDocument(text);
  let place = { at: 0, column: 0 };
  path.forEach((_, length) => {
    const collection = document.getIn(path.slice(0, length), true) as SourceCollection;
    if (collection.flow) return;
    const start = startOf(entryOf(collection, path[length])!);
    place = { at: lineStart(text, start), column: columnOf(text, collection) };
  });
  const last = document.getIn(path, true) as SourceCollection;
  if (!last.flow) {
    const column = columnOf(text, last);
    place = { at: lineAfter(text, last.items.at(-1) as SourceEntry, column), column };
  }
  const ending = lineEnding(text);
  const lines = comments.map((comment) => ' '.repeat(place.column) + comment);
  const isUnended = place.at === text.length && !text.endsWith('\n');
  const added = isUnended ? ending + lines.join(ending) : lines.map((line) => line + ending).join('');
  return splice(text, [{ start: place.at, end: place.at, text: added }]);
}

/** Where a rule stands in its list. */
interface Place {
  rule: ParsedNode;
  /** The start of its first line. */
  start: number;
  /** The column of its dash. */
  column: number;
  /** Where it starts behind its dash. */
  content: number;
  /** Where it ends, with the comments that are its own. */
  end: number;
}

function placeOf(text: string, path: Path): Place | undefined {
  const rule = parseDocument(text).getIn(path, true) as ParsedNode | undefined;
  if (!rule?.range) return undefined;
  const [content] = rule.range;
  const start = lineStart(text, content);
  const dash = /^( *)- +$/.exec(text.slice(start, content));
  if (dash === null) return undefined;
  const column = dash[1].length;
  const own = text.slice(0, lineAfter(text, rule, column)).trimEnd();
  return { rule, start, column, content, end: Math.max(own.length, endOf(rule)) };
}

function commentsInside(text: string, { rule, content, end }: Place): Comment[] {
  return tokensIn(text, content, end).map(({ offset, source }) => {
    const before = text.slice(lineStart(text, offset), offset);
    if (before.trim() !== '') {
      const [space] = /[ \t]*$/.exec(before)!;
      return { path: ownerOf(rule, offset), where: 'behind', text: space + source };
    }
    const next = pathsIn(rule).find(({ start }) => start > offset);
    if (next !== undefined) return { path: next.path, where: 'above', text: source };
    const owner = ownerOf(rule, offset);
    return { path: owner.length > 1 ? owner.slice(0, -1) : owner, where: 'below', text: source };
  });
}

/** The last member that starts before an offset, without those of a flow collection that ends before it. */
function ownerOf(rule: ParsedNode, offset: number): string[] {
  const owner = pathsIn(rule).findLast(({ start, until }) => start < offset && offset < until);
  return owner?.path ?? [Object.keys(rule.toJSON() as RawRule)[0]];
}

interface Member {
  path: string[];
  start: number;
  /** Where the flow collection that holds it ends. */
  until: number;
}

/** The members of a rule at every depth, those of lists apart. */
function pathsIn(node: ParsedNode | null, path: string[] = [], until = Infinity): Member[] {
  if (!isMap(node)) return [];
  const end = node.flow ? Math.min(until, node.range[1]) : until;
  return node.items.flatMap((pair) => {
    const below = [...path, String(pair.key)];
    return [{ path: below, start: startOf(pair), until: end }, ...pathsIn(pair.value, below, end)];
  });
}

const INVERSE: { readonly [member: string]: string } = {
  hub: 'spoke',
  spoke: 'hub',
  name: 'inverse',
  inverse: 'name',
};

function inverseSteps([member, ...rest]: string[], values: Json | undefined): string[] {
  if (member === undefined) return [];
  if (member === 'otherwise') return [member, ...rest.map((side) => INVERSE[side] ?? side)];
  const [value] = rest;
  if (member !== 'values' || value === undefined) return [INVERSE[member] ?? member, ...rest];
  const same = Object.entries(values ?? {}).find(([, all]) => [all].flat().map(String).includes(value));
  return [member, same?.[0] ?? value];
}

/** A map on lines of their own, with comments; values without any are on one line. */
function linesOf(value: Json, path: string[], comments: Comment[]): string[] {
  return Object.entries(value as { [key: string]: Json }).flatMap(([key, inner]) => {
    const here = [...path, key];
    const below = comments.filter((one) => here.every((step, index) => one.path[index] === step));
    const own = below.filter((one) => one.path.length === here.length);
    const texts = (where: Comment['where']) =>
      own.filter((one) => one.where === where).map(({ text }) => text);
    const [behind, ...more] = texts('behind');
    const name = `${renderFlow(key)}:`;
    const inside = texts('below');
    const isNested = below.length > own.length || inside.length > 0 || here.length === 1;
    return [
      ...[...more, ...texts('above')].map((text) => text.trim()),
      `${name}${isNested ? '' : ` ${renderFlow(inner)}`}${behind ?? ''}`,
      ...(isNested ? [...linesOf(inner, here, comments), ...inside].map((line) => `  ${line}`) : []),
    ];
  });
}

/** The comments between two offsets. */
function tokensIn(text: string, start: number, end: number): { offset: number; source: string }[] {
  const found: { offset: number; source: string }[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, offset, source } = value as { type?: string; offset: number; source: string };
    if (type === 'comment' && offset >= start && offset < end)
      found.push({ offset, source: source.trimEnd() });
    Object.values(value).forEach(visit);
  };
  for (const token of new Parser().parse(text)) visit(token);
  return found.sort((one, other) => one.offset - other.offset);
}
