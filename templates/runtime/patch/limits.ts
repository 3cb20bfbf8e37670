import { HttpProblem } from '../model/problem';
import type { Json } from '../model/schema';

/** Maximum cost of a patch. */
export interface PatchLimits {
  /** Number of operations of one JSON Patch. */
  operations: number;
  /** Size of the patched document as JSON, and of all copies of one JSON Patch, in bytes. */
  bytes: number;
  /** Depth of the patched document. */
  depth: number;
}

/** Throws HttpProblem: 400 for a patched document that is nested too deep, 413 for one that is too large. */
export function checkPatched(document: Json, limits: PatchLimits): void {
  // The bound spares small documents, nearly all of them, a serialisation that only measures them.
  if (upperBound(document, limits.depth, limits.depth) <= limits.bytes) return;
  if (Buffer.byteLength(JSON.stringify(document)) > limits.bytes) {
    throw new HttpProblem(413, `The patched document is larger than ${limits.bytes} bytes.`);
  }
}

/** Returns the problem of a patch whose result would be nested deeper than `depth` levels. */
export function tooDeep(depth: number): HttpProblem {
  return new HttpProblem(400, `The patched document is nested deeper than ${depth} levels.`);
}

/** Returns at least the size of the value as JSON, in bytes: 6 for a UTF-16 unit, as in `\u0000`, 25 for a number. */
function upperBound(value: Json, levelsLeft: number, depth: number): number {
  if (typeof value === 'string') return 6 * value.length + 2;
  if (typeof value !== 'object' || value === null) return 25;
  if (levelsLeft === 0) throw tooDeep(depth);
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) bytes += 1 + upperBound(item, levelsLeft - 1, depth);
  } else {
    for (const key in value) {
      bytes += 6 * key.length + 4 + upperBound(value[key], levelsLeft - 1, depth);
    }
  }
  return bytes;
}
