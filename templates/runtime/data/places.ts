import { below } from '../model/fragment';
import type { KindDefinition } from '../model/kinds/kind';
import { versioningOf } from '../model/kinds/versioning';
import type { Json } from '../model/schema';
import { isTooLong } from '../store/indexing/key';

/** Returns the JSON Pointer of a path. */
export function pointerOf(path: readonly string[]): string {
  return path.reduce(below, '');
}

/** Returns the pointer into the document of a version for one into the hub's. */
export function pointerIn(kind: KindDefinition, version: string, hubPointer: string): string {
  return versioningOf(kind).pointerIn(kind, version, hubPointer);
}

/** Returns the failure of a field of the hub in words for a client of a version, where the field may have another name. */
export function inTermsOf({ storageVersion }: KindDefinition, version: string, detail: string): string {
  return version === storageVersion ? detail : `in ${storageVersion}, ${detail}`;
}

/** Returns the pointers of the strings in a field that are too long for an index: of the field, or of elements of its list. */
export function tooLongAt(value: Json | undefined, pointer: string): string[] {
  if (!Array.isArray(value)) return isTooLong(value) ? [pointer] : [];
  return value.flatMap((element, index) =>
    typeof element === 'string' && isTooLong(element) ? [below(pointer, index)] : [],
  );
}
