import { own } from '../model/fields/values';
import { HttpProblem } from '../model/problem';
import { isObject, type Json, type JsonObject } from '../model/schema';
import { copyJson, excerpt, isIndex, ownKey } from './json-value';
import { checkPatched, type PatchLimits } from './limits';

/** Maximum number of path parts in one patch: each may make an object of a few bytes of the patch. */
const MAX_PARTS = 250_000;

/** All changes below one value, by the next part of their paths. */
interface Branch {
  [part: string]: Branch | Leaf;
}

/** The value at the end of a path; null removes the present one. */
class Leaf {
  constructor(readonly value: Json) {}
}

/**
 * Parses a shorthand patch: an object whose keys are dot paths from the document's root (specification, "Patch media
 * types"). `\.` is a literal dot and `\\` a literal backslash; any other backslash stands for itself.
 *
 * The returned function applies all keys as one change: their order does not matter, and indices mean the list before
 * the patch, removals included. Missing parents are created as objects. It throws HttpProblem 422 where a parent is no
 * object or an index is not in the list, 413 and 400 for a result beyond the limits.
 *
 * Throws HttpProblem 400 for a body that is no object, an empty part, a path that ends within another, and one with
 * more parts than the document may have levels; 413 for too many parts in all.
 */
export function parseShorthand(body: Json, limits: PatchLimits): (document: Json) => Json {
  if (!isObject(body)) throw new HttpProblem(400, 'A shorthand patch must be a JSON object.');
  const root: Branch = {};
  let partsLeft = MAX_PARTS;
  for (const key of Object.keys(body)) {
    const parts = splitKey(key);
    check(key, parts, limits);
    partsLeft -= parts.length;
    if (partsLeft < 0) throw new HttpProblem(413, `The paths of a patch may have ${MAX_PARTS} parts in all.`);
    if (!plant(root, parts, body[key])) {
      throw new HttpProblem(400, `The path ${excerpt(key)} overlaps with another path of the patch.`);
    }
  }
  return (document) => {
    const patched = change(copyJson(document), root, '');
    checkPatched(patched, limits);
    return patched;
  };
}

function check(key: string, parts: string[], limits: PatchLimits): void {
  if (parts.length > limits.depth) {
    throw new HttpProblem(400, `The path ${excerpt(key)} has more than ${limits.depth} parts.`);
  }
  if (parts.includes('')) throw new HttpProblem(400, `The path ${excerpt(key)} has an empty part.`);
  parts.forEach(ownKey);
}

/** Adds a path. Returns false if another path ends within it or extends it. */
function plant(root: Branch, parts: string[], value: Json): boolean {
  let branch = root;
  for (let level = 0; level < parts.length - 1; level++) {
    const part = parts[level];
    const next = Object.hasOwn(branch, part) ? branch[part] : (branch[part] = {});
    if (next instanceof Leaf) return false;
    branch = next;
  }
  const last = parts[parts.length - 1];
  if (Object.hasOwn(branch, last)) return false;
  branch[last] = new Leaf(value);
  return true;
}

/** Returns the unescaped parts of a dot path. */
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

/** Returns the changed value, on a copy of every object and list along the way. */
function change(target: Json, branch: Branch, path: string): Json {
  if (Array.isArray(target)) return changeList(target, branch, path);
  if (!isObject(target)) {
    throw new HttpProblem(
      422,
      `${path === '' ? 'The document' : excerpt(path)} is not an object: nothing can be set in it.`,
    );
  }
  const changed: JsonObject = { ...target };
  for (const part of Object.keys(branch)) {
    const next = branch[part];
    if (next instanceof Leaf) {
      if (next.value === null) delete changed[part];
      else changed[part] = next.value;
      continue;
    }
    const present = own(changed, part);
    const below = present === undefined ? create(next) : change(present, next, join(path, part));
    if (below !== undefined) changed[part] = below;
  }
  return changed;
}

/** Returns the replacement of a missing parent: undefined where the patch only removes something below it. */
function create(branch: Branch): JsonObject | undefined {
  let created: JsonObject | undefined;
  for (const part in branch) {
    const next = branch[part];
    const below = next instanceof Leaf ? next.value : create(next);
    if (below === undefined || below === null) continue;
    created ??= {};
    created[part] = below;
  }
  return created;
}

function changeList(target: Json[], branch: Branch, path: string): Json[] {
  const changed = [...target];
  const removed = new Set<number>();
  for (const part of Object.keys(branch)) {
    const next = branch[part];
    if (!isIndex(part) || Number(part) >= target.length) {
      throw new HttpProblem(
        422,
        `${excerpt(part)} is not an index of ${excerpt(path)}, a list of ${target.length}.`,
      );
    }
    const index = Number(part);
    if (!(next instanceof Leaf)) changed[index] = change(target[index], next, join(path, part));
    else if (next.value === null) removed.add(index);
    else changed[index] = next.value;
  }
  return removed.size === 0 ? changed : changed.filter((_, index) => !removed.has(index));
}

function join(path: string, part: string): string {
  return path === '' ? part : `${path}.${part}`;
}
