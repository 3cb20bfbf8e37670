import { isDeepStrictEqual } from 'node:util';
import { type Document, parseDocument } from 'yaml';
import type { Json } from '../model/project';
import { ProjectError } from '../model/problem';
import { insert, insertCopy, type YamlPath } from './yaml-insert';
import { itemRemoval, removal, replacement } from './yaml-replace';
import { splice, type Splice } from './yaml-source';

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

/** Adds to the map at `path` the pair `to` with the value of `from` as it is written, comments included. */
export function copyPair(text: string, path: YamlPath, from: string, to: string): string {
  const change = (document: Document.Parsed) => insertCopy(text, document, path, from, to);
  return edit(text, [...path, to], change, (_, map) => map[from]);
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

/** Makes the change, and sure that it did what was meant and nothing else; undefined is nothing. */
function edit(
  text: string,
  path: YamlPath,
  change: (document: Document.Parsed) => Splice[],
  meant: (before: unknown, holder: Record<string, unknown>) => unknown,
): string {
  const document = parse(text);
  const edited = splice(text, change(document));
  const result = parse(edited);
  const want = document.toJS() as unknown;
  setAt(want, path, meant);
  if (result.errors.length === 0 && isDeepStrictEqual(result.toJS(), want)) return edited;
  throw new ProjectError([
    {
      file: 'project.yaml',
      message: `${path.join('.')} cannot be edited in its current YAML form`,
      hint: 'make the change by hand',
    },
  ]);
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
  return parseDocument(text, { keepSourceTokens: true });
}
