import { HttpProblem } from '../model/problem';
import { isObject, type Json, type JsonObject } from '../model/schema';
import { child, copyJson, ownKey } from './json-value';
import { checkPatched, type PatchLimits } from './limits';

/**
 * Parses a JSON Merge Patch (RFC 7396), which must be an object here (requirement, "Patch media types"). The returned
 * function applies the patch; it throws HttpProblem 413 and 400 for a result beyond the limits. Throws HttpProblem 400
 * for anything but an object.
 */
export function parseMergePatch(body: Json, limits: PatchLimits): (document: Json) => Json {
  if (!isObject(body)) throw new HttpProblem(400, 'A merge patch must be a JSON object.');
  return (document) => {
    const patched = merge(copyJson(document), body);
    checkPatched(patched, limits);
    return patched;
  };
}

/** Merges as RFC 7396 §2 does, on a copy of every object along the way. */
function merge(target: Json | undefined, patch: JsonObject): JsonObject {
  const merged: JsonObject = isObject(target) ? { ...target } : {};
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) delete merged[key];
    else merged[ownKey(key)] = isObject(value) ? merge(child(merged, key), value) : value;
  }
  return merged;
}
