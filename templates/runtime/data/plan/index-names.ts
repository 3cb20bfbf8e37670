/**
 * Returns the name of the index of a version's field while `hub` was the storage version. The storage version's own
 * indexes have no version in their names.
 */
export function indexName(hub: string, version: string, path: readonly string[]): string {
  const field = path.join('.');
  return version === hub ? field : `${version}:${field}`;
}

/** Returns the field that an index belongs to, as a dotted path in its version. */
export function fieldOfIndex(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
