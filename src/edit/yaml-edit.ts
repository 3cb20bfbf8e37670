import { isDeepStrictEqual } from 'node:util';
import { type Document, isAlias, isCollection, isNode, type Node, parseDocument, visit } from 'yaml';
import { ProjectError } from '../model/problem';
import type { Json } from '../model/project';
import { insert, insertCopy, type YamlPath } from './yaml-insert';
import { itemRemoval, removal, replacement } from './yaml-replace';
import { ANY_ALIASES, NAMES_AS_KEYS, type Splice, splice } from './yaml-source';

/**
 * Appends an item to the list at `path`; one that is missing, empty or null is made. All other lines stay byte for
 * byte. Throws ProjectError where the text cannot be edited in place, an alias for example.
 */
export function appendItem(text: string, path: YamlPath, value: Json): string {
  const change = (document: Document.Parsed) => insert(text, document, path, { value });
  return edit(text, path, change, (list) => [...(Array.isArray(list) ? (list as unknown[]) : []), value]);
}

/** Adds `key: value` to the map at `path`, behind the key `after` or else at the end; otherwise like {@link appendItem}. */
export function addPair(text: string, path: YamlPath, key: string, value: Json, after?: string): string {
  const change = (document: Document.Parsed) => insert(text, document, path, { key, value, after });
  return edit(text, [...path, key], change, () => value);
}

/** Replaces the value at `path`; comments next to it stay. Throws like {@link appendItem}. */
export function replaceValue(text: string, path: YamlPath, value: Json): string {
  return edit(
    text,
    path,
    (document) => replacement(document, path, value),
    () => value,
  );
}

/** Removes the pair `key` from the map at `path`, with the comments in its value. Throws like {@link appendItem}. */
export function removePair(text: string, path: YamlPath, key: string): string {
  return edit(
    text,
    [...path, key],
    (document) => removal(text, document, path, key),
    () => undefined,
  );
}

/**
 * Adds to the map at `path` the pair `to` with the value of `from` as it is written, comments included. Where aliases
 * repeat the map, they repeat the pair, too. Throws like {@link appendItem}.
 */
export function copyPair(text: string, path: YamlPath, from: string, to: string): string {
  const change = (document: Document.Parsed) => insertCopy(text, document, path, from, to);
  return edit(text, [...path, to], change, (_, map) => map[from], repeated);
}

/** Removes an item from the list at `path`; comments around it stay. Throws like {@link appendItem}. */
export function removeItem(text: string, path: YamlPath, index: number): string {
  return edit(
    text,
    path,
    (document) => itemRemoval(text, document, path, index),
    (list) => (list as Json[]).toSpliced(index, 1),
  );
}

/**
 * Makes the change, and sure that it did what was meant and nothing else, in the values that aliases repeat, too.
 * `meant` returns the new value, undefined for none.
 */
function edit(
  text: string,
  path: YamlPath,
  change: (document: Document.Parsed) => Splice[],
  meant: (before: unknown, holder: Record<string, unknown>) => unknown,
  valueOf = writtenOut,
): string {
  const document = parse(text);
  const edited = splice(text, change(document));
  const want = valueOf(document);
  setAt(want, path, meant);
  if (hasValue(parse(edited), want, valueOf)) return edited;
  const [alias] = aliasesOf(document, path);
  throw new ProjectError([
    {
      file: 'project.yaml',
      message: `${path.join('.')} cannot be edited in its current YAML form`,
      hint:
        alias === undefined
          ? 'make the change by hand'
          : `its value is shared by the alias *${alias}: write the value out instead of the alias`,
    },
  ]);
}

/** Returns true for a document with that value; one with an alias of something that is gone has none. */
function hasValue(document: Document.Parsed, want: unknown, valueOf: typeof writtenOut): boolean {
  if (document.errors.length > 0) return false;
  try {
    return isDeepStrictEqual(valueOf(document), want);
  } catch (error) {
    if (error instanceof ReferenceError) return false;
    throw error;
  }
}

/** The value of a document in which an alias is the same object as what it repeats. */
function repeated(document: Document.Parsed): unknown {
  return document.toJS(ANY_ALIASES);
}

/** The value of a document in which each alias has a copy of what it repeats. */
function writtenOut(document: Document.Parsed): unknown {
  return JSON.parse(JSON.stringify(document.toJS(ANY_ALIASES)));
}

/** The names of the aliases that repeat, or stand for, something at the path, above it or below it. */
function aliasesOf(document: Document.Parsed, path: YamlPath): string[] {
  const used = new Set<string>();
  visit(document, { Alias: (_, { source }) => void used.add(source) });
  const names: string[] = [];
  const look = (node: Node): void => {
    const name = isAlias(node) ? node.source : node.anchor;
    if (name !== undefined && used.has(name)) names.push(name);
  };
  let node: unknown = document.contents;
  for (const step of path) {
    if (!isNode(node)) return names;
    look(node);
    const target: Node | undefined = isAlias(node) ? node.resolve(document) : node;
    node = isCollection(target) ? target.get(step, true) : undefined;
  }
  if (isNode(node)) visit(node, { Node: (_, each) => look(each) });
  return names;
}

function setAt(
  value: unknown,
  [step, ...rest]: YamlPath,
  meant: (before: unknown, holder: Record<string, unknown>) => unknown,
): void {
  const holder = value as Record<string, unknown>;
  if (rest.length === 0) {
    const value = meant(holder[step], holder);
    if (value === undefined) delete holder[step];
    else holder[step] = value;
  } else {
    holder[step] ??= {};
    setAt(holder[step], rest, meant);
  }
}

function parse(text: string): Document.Parsed {
  return parseDocument(text, { keepSourceTokens: true, ...NAMES_AS_KEYS });
}
