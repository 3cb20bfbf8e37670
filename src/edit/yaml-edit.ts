import { isDeepStrictEqual } from 'node:util';
import { type Document, isAlias, isCollection, isNode, type Node, parseDocument, visit } from 'yaml';
import { type Path, PROJECT_FILE, ProjectError } from '../model/problem';
import type { Json } from '../model/project';
import { insert, insertCopy, type PairCopy } from './yaml-insert';
import { itemLines, removal, replacement } from './yaml-replace';
import { ANY_ALIASES, NAMES_AS_KEYS, type Splice, splice } from './yaml-source';

/**
 * Appends an item to the list at `path`; one that is missing, empty or null is made. All other lines stay byte for
 * byte. Throws ProjectError where the text cannot be edited in place, an alias for example.
 */
export function appendItem(text: string, path: Path, value: Json): string {
  return edit(text, {
    changes: [{ path, meant: (list) => [...(Array.isArray(list) ? (list as unknown[]) : []), value] }],
    splices: (document) => insert(text, document, path, { value }),
  });
}

/** Adds `key: value` to the map at `path`, behind the key `after` or else at the end; otherwise like {@link appendItem}. */
export function addPair(text: string, path: Path, key: string, value: Json, after?: string): string {
  return edit(text, {
    changes: [{ path: [...path, key], meant: () => value }],
    splices: (document) => insert(text, document, path, { key, value, after }),
  });
}

/** Replaces the value at `path`; comments next to it stay. Throws like {@link appendItem}. */
export function replaceValue(text: string, path: Path, value: Json): string {
  return edit(text, {
    changes: [{ path, meant: () => value }],
    splices: (document) => replacement(document, path, value),
  });
}

/**
 * Removes the value at `path` from its list, or with its key from its map; the comments in it go, too, and those around it
 * stay. Throws like {@link appendItem}.
 */
export function removeValue(text: string, path: Path): string {
  return edit(text, {
    changes: [{ path, meant: () => undefined }],
    splices: (document) => removal(text, document, path),
  });
}

/**
 * Adds to each of several maps the pair `to` with the value of `from` as it is written, comments included. Where aliases
 * repeat a map, they repeat the pair, too. Throws like {@link appendItem}.
 */
export function copyPairs(text: string, copies: PairCopy[]): string {
  return edit(text, {
    changes: copies.map(({ path, from, to }) => ({
      path: [...path, to],
      meant: (before, map) => before ?? map[from],
    })),
    splices: (document) => copies.flatMap((copy) => insertCopy(text, document, copy)),
    // An alias stays the same object as what it repeats.
    toValue: (document) => document.toJS(ANY_ALIASES) as unknown,
  });
}

/**
 * Changes each item of the list at `path`. `change` gets YAML with the item, and the path of the item there. The
 * YAML is the item alone if possible, so that many edits do not take longer in a longer file.
 */
export function editItems(
  text: string,
  path: Path,
  count: number,
  change: (text: string, path: Path, index: number) => string,
): string {
  const lines = itemLines(text, parse(text), path);
  if (lines !== undefined) {
    try {
      const changed = lines.map((item, index) => ({ ...item, text: change(item.text, [0], index) }));
      return splice(text, changed);
    } catch (error) {
      // The whole text has the place for the message.
      if (!(error instanceof ProjectError)) throw error;
    }
  }
  let edited = text;
  for (let index = 0; index < count; index++) edited = change(edited, [...path, index], index);
  return edited;
}

/** Returns the value that a place should have after an edit, undefined for none. */
type Meant = (before: unknown, holder: Record<string, unknown>) => unknown;

/** An edit of project.yaml. */
interface Edit {
  /** The values that it changes. */
  changes: { path: Path; meant: Meant }[];
  splices(document: Document.Parsed): Splice[];
  /** Makes the values that are compared of a document; by default with aliases written out. */
  toValue?: typeof writtenOut;
}

/** Makes an edit, and checks that it changed the intended values and no others, including those repeated by aliases. */
function edit(text: string, { changes, splices, toValue = writtenOut }: Edit): string {
  const document = parse(text);
  const edited = splice(text, splices(document));
  const want = toValue(document);
  for (const { path, meant } of changes) setAt(want, path, meant);
  const result = parse(edited);
  if (hasValue(result, want, toValue)) return edited;
  const { path } = changes.find(({ path }) => !result.hasIn(path)) ?? changes[0];
  const [alias] = aliasesOf(document, path);
  throw new ProjectError([
    {
      file: PROJECT_FILE,
      message: `${path.join('.')} cannot be edited in its current YAML form`,
      hint:
        alias === undefined
          ? 'make the change by hand'
          : `its value is shared by the alias *${alias}: write the value out instead of the alias`,
    },
  ]);
}

/** Returns true for a document with that value; one with an alias of something that is gone has none. */
function hasValue(document: Document.Parsed, want: unknown, toValue: typeof writtenOut): boolean {
  if (document.errors.length > 0) return false;
  try {
    return isDeepStrictEqual(toValue(document), want);
  } catch (error) {
    if (error instanceof ReferenceError) return false;
    throw error;
  }
}

/** The value of a document in which each alias has a copy of what it repeats. */
function writtenOut(document: Document.Parsed): unknown {
  return JSON.parse(JSON.stringify(document.toJS(ANY_ALIASES)));
}

/** The names of the aliases that repeat, or stand for, something at the path, above it or below it. */
function aliasesOf(document: Document.Parsed, path: Path): string[] {
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

function setAt(value: unknown, [step, ...rest]: Path, meant: Meant): void {
  const holder = value as Record<string, unknown>;
  if (rest.length === 0) {
    const value = meant(holder[step], holder);
    if (value !== undefined) holder[step] = value;
    else if (Array.isArray(holder)) holder.splice(Number(step), 1);
    else delete holder[step];
  } else {
    holder[step] ??= {};
    setAt(holder[step], rest, meant);
  }
}

function parse(text: string): Document.Parsed {
  return parseDocument(text, { keepSourceTokens: true, ...NAMES_AS_KEYS });
}
