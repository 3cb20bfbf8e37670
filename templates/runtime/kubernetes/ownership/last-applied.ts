import type { FieldManager } from '../../controllers/field-manager';
import { object } from '../../model/fields/members';
import { below } from '../../model/fragment';
import type { JsonObject } from '../../model/schema';

/** The annotation in which kubectl notes what it has applied without server-side apply. */
const ANNOTATION = 'kubectl.kubernetes.io/last-applied-configuration';

/** The pointer of this annotation. */
export const LAST_APPLIED = below('/metadata/annotations', ANNOTATION);

/** Returns whether a write updates the annotation: a server-side apply of kubectl that does not send the annotation itself. */
export function notesLastApplied({ name, applied }: FieldManager): boolean {
  return name === 'kubectl' && applied !== undefined && !(ANNOTATION in annotationsOf(applied.wanted));
}

/**
 * Notes what kubectl applies, as a kube-apiserver does, where an object has the annotation. A later apply of the client removes
 * the fields that are noted and that it no longer names: they may belong to others by then.
 */
export function noteLastApplied(applied: JsonObject, manager: FieldManager): void {
  const annotations = annotationsOf(applied);
  if (ANNOTATION in annotations && notesLastApplied(manager))
    annotations[ANNOTATION] = `${JSON.stringify(manager.applied!.wanted)}\n`;
}

function annotationsOf({ metadata }: JsonObject): JsonObject {
  return object(object(metadata)['annotations']);
}
