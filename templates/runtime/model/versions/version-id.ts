import type { Resource } from '../resource';
import type { Schema } from '../schema';

/** Returns whether a string has the form of a snapshot's id. Other strings are never looked up. */
export function isVersionId(text: string): boolean {
  return /^\d{14}-\d{1,20}$/.test(text);
}

/** The part of a kind that decides who owns `status.version`. */
export interface Versioned {
  history?: object;
  versions: { [version: string]: { status: Schema } };
}

/** The part of a row that holds a resource. */
interface Stored {
  version: string;
  text: string;
}

/** Returns whether a JSON text may have the id of a snapshot in `status.version`; another field may look the same. */
export function hasVersionId(text: string): boolean {
  // Twice as fast as with the whole name: every list is searched.
  return /n":"\d{14}-\d{1,20}"/.test(text);
}

/**
 * Returns whether a stored text may hold an id in `status.version` from a time when its kind had history. It is no part of the
 * resource any more, unless the version that wrote it declares the field.
 */
export function mayHoldFormerId({ history, versions }: Versioned, { version, text }: Stored): boolean {
  if (history !== undefined || !hasVersionId(text)) return false;
  const status = Object.hasOwn(versions, version) ? versions[version].status.properties : undefined;
  return !Object.hasOwn(status ?? {}, 'version');
}

/** Returns a stored resource as an object, without an id from a time when its kind had history. */
export function storedResource(kind: Versioned, stored: Stored): Resource {
  const resource = JSON.parse(stored.text) as Resource;
  const id = resource.status?.['version'];
  if (typeof id !== 'string' || !isVersionId(id) || !mayHoldFormerId(kind, stored)) return resource;
  const { version: _, ...status } = resource.status!;
  return { ...resource, status: Object.keys(status).length > 0 ? status : undefined };
}
