import type { KindDefinition } from '../../model/kinds/kind';
import { versioningOf } from '../../model/kinds/versioning';

/**
 * Returns ids of fields as another version than that of the fields knows them: with the fields of the storage version that
 * other versions divide into several, of which these are some.
 */
export function withWholes(kind: KindDefinition, version: string, ids: Iterable<string>): string[] {
  return [...ids].flatMap((id) => [id, ...wholesOf(kind, version, id)]);
}

/** Returns the fields of the storage version that a field of a version other than `version` is a part of. */
export function wholesOf(kind: KindDefinition, version: string, id: string): string[] {
  const start = id.indexOf('/');
  const own = id.slice(0, start);
  return own === '' || own === version ? [] : versioningOf(kind).wholesOf(kind, own, id.slice(start));
}
