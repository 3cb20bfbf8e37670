import type { Json } from '../../../templates/runtime/model/schema';
import { parsePatch, type PatchMediaType } from '../../../templates/runtime/patch/apply-patch';
import type { PatchLimits } from '../../../templates/runtime/patch/limits';

/** The limits of a service without settings. */
export const PATCH_LIMITS: PatchLimits = { operations: 1_000, bytes: 4 * 1024 * 1024, depth: 64 };

/** Parses and applies a patch. */
export function applyPatch(
  type: PatchMediaType,
  document: Json,
  patch: Json,
  limits: PatchLimits = PATCH_LIMITS,
): Json {
  return parsePatch(type, patch, limits)(document);
}
