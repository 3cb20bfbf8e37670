import { below } from '../model/fragment';
import type { KindDefinition } from '../model/kinds/kind';
import { versioningOf } from '../model/kinds/versioning';

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
