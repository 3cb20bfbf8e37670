import { own } from '../model/fields/values';
import { HttpProblem } from '../model/problem';
import { isObject, type Json, type JsonObject } from '../model/schema';
import { parseJsonPatch, type PatchDialect } from './json-patch';
import { copyJson, ownKey } from './json-value';
import { checkPatched, type PatchLimits } from './limits';
import { parseShorthand } from './shorthand';

/** The patch formats (specification, "Patch media types"), in the order of Accept-Patch. */
export const PATCH_MEDIA_TYPES = [
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/shorthand-patch+json',
] as const;

export type PatchMediaType = (typeof PATCH_MEDIA_TYPES)[number];

/**
 * A patch that has been read. Returns the patched document: any JSON value, for a patch may replace the whole. It shares
 * nothing with the given document, which stays unchanged; it may share parts with the patch. Throws HttpProblem 422 when
 * the patch does not apply, 413 or 400 when the result is too large or too deep.
 */
export type Patch = (document: Json) => Json;

type Parser = (body: Json, limits: PatchLimits, dialect?: PatchDialect) => Patch;

const PARSERS: { [type in PatchMediaType]: Parser } = {
  'application/merge-patch+json': parseMergePatch,
  'application/json-patch+json': parseJsonPatch,
  'application/shorthand-patch+json': parseShorthand,
};

/**
 * Parses a patch from a request body. Errors that do not depend on the document are thrown here, before conditions are
 * evaluated: HttpProblem 400 for a malformed patch, 413 for too many operations.
 */
export function parsePatch(
  mediaType: PatchMediaType,
  body: Json,
  limits: PatchLimits,
  dialect?: PatchDialect,
): Patch {
  return PARSERS[mediaType](body, limits, dialect);
}

/**
 * Parses a JSON Merge Patch (RFC 7396), which must be an object here (specification, "Patch media types"). Throws
 * HttpProblem 400 for anything but an object.
 */
function parseMergePatch(body: Json, limits: PatchLimits): Patch {
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
    else merged[ownKey(key)] = isObject(value) ? merge(own(merged, key), value) : value;
  }
  return merged;
}
