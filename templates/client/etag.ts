/** ETags of the resources that clients have read, as long as they are in use. */
const tags = new WeakMap<object, string>();

/** Records the ETag of a resource's response, and returns the resource. */
export function withEtag<R extends object>(resource: R, headers: Headers): R {
  const tag = headers.get('ETag');
  if (tag !== null) tags.set(resource, tag);
  return resource;
}

/** Returns the ETag of a resource's response, quoted. Undefined for copies, and for items of lists: lists carry no tags. */
export function etagOf(resource: object): string | undefined {
  return tags.get(resource);
}

/**
 * Returns a condition: the ETag of a resource that a call of this client returned, or an ETag itself. Throws TypeError
 * for a resource without a tag.
 */
export function conditionOf(condition: string | object | undefined): string | undefined {
  if (typeof condition !== 'object') return condition;
  const tag = etagOf(condition);
  if (tag !== undefined) return tag;
  throw new TypeError(
    'this object carries no ETag: use one that get, create or a write returned, not a copy',
  );
}
