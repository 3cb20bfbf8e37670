import { HttpProblem } from '../problem';
import { isObject, type Json, type JsonObject } from '../schema';
import { child, excerpt, isIndex, ownKey } from './json-value';
import { checkPatched, type PatchLimits } from './limits';

/** All changes below one value, by the next part of their paths. */
type Branch = Map<string, Branch | Leaf>;

/** What is put at the end of a path; null removes what is there. */
interface Leaf {
  value: Json;
}

/**
 * Reads a shorthand patch: an object whose keys are dot paths from the document's root (requirement, "Patch
 * media types"). `\.` is a literal dot and `\\` a literal backslash; any other backslash stands for itself.
 *
 * The function it returns applies all keys as one change: their order does not matter, and indices mean the
 * list as it was, removals included. Missing parents are created as objects. It throws HttpProblem 422 where
 * a parent is no object or an index is not in the list, 413 and 400 for an outcome beyond the limits.
 *
 * Throws HttpProblem 400 for what is no object, an empty part, a path that ends where another goes on, and one
 * with more parts than the document may have levels.
 */
export function parseShorthand(body: Json, limits: PatchLimits): (document: Json) => Json {
  if (!isObject(body)) throw new HttpProblem(400, 'A shorthand patch must be a JSON object.');
  const root: Branch = new Map();
  for (const key of Object.keys(body)) plant(root, key, body[key], limits);
  return (document) => {
    const patched = change(document, root, '');
    checkPatched(patched, limits);
    return patched;
  };
}

function plant(root: Branch, key: string, value: Json, limits: PatchLimits): void {
  const parts = splitKey(key);
  if (parts.length > limits.depth) {
    throw new HttpProblem(400, `The path ${excerpt(key)} has more than ${limits.depth} parts.`);
  }
  if (parts.includes('')) throw new HttpProblem(400, `The path ${excerpt(key)} has an empty part.`);
  const last = parts.pop()!;
  let branch = root;
  for (const part of parts) {
    let next = branch.get(ownKey(part));
    if (next === undefined) branch.set(part, (next = new Map()));
    if (!(next instanceof Map)) throw overlap(key);
    branch = next;
  }
  if (branch.has(ownKey(last))) throw overlap(key);
  branch.set(last, { value });
}

/** The parts of a dot path, unescaped. */
function splitKey(key: string): string[] {
  if (!key.includes('\\')) return key.split('.');
  const parts: string[] = [];
  let part = '';
  for (const [piece] of key.matchAll(/\\[.\\]|[^.\\]+|[.\\]/g)) {
    if (piece === '.') {
      parts.push(part);
      part = '';
    } else {
      part += piece === '\\.' || piece === '\\\\' ? piece[1] : piece;
    }
  }
  return [...parts, part];
}

function overlap(key: string): HttpProblem {
  return new HttpProblem(400, `The path ${excerpt(key)} overlaps with another path of the patch.`);
}

/** The changed value, on a copy of every object and list along the way. */
function change(target: Json, branch: Branch, path: string): Json {
  if (Array.isArray(target)) return changeList(target, branch, path);
  if (!isObject(target)) {
    throw new HttpProblem(
      422,
      `${path === '' ? 'The document' : excerpt(path)} is no object: nothing can be set in it.`,
    );
  }
  const changed: JsonObject = { ...target };
  for (const [part, next] of branch) {
    if (!(next instanceof Map)) {
      if (next.value === null) delete changed[part];
      else changed[part] = next.value;
      continue;
    }
    const present = child(changed, part);
    const below = change(present === undefined ? {} : present, next, join(path, part));
    // Removals alone create no parent.
    if (present !== undefined || Object.keys(below as JsonObject).length > 0) changed[part] = below;
  }
  return changed;
}

function changeList(target: Json[], branch: Branch, path: string): Json[] {
  const changed = [...target];
  const removed = new Set<number>();
  for (const [part, next] of branch) {
    if (!isIndex(part) || Number(part) >= target.length) {
      throw new HttpProblem(
        422,
        `${excerpt(part)} is no index of ${excerpt(path)}, a list of ${target.length}.`,
      );
    }
    const index = Number(part);
    if (next instanceof Map) changed[index] = change(target[index], next, join(path, part));
    else if (next.value === null) removed.add(index);
    else changed[index] = next.value;
  }
  return removed.size === 0 ? changed : changed.filter((_, index) => !removed.has(index));
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`;
}
