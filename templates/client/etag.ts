/** ETags of the resources that clients have read, as long as they are in use. */
const tags = new WeakMap<object, string>();

/**
 * Returns the ETag of a resource's response. The service sends strong ones only; a proxy that compresses responses, such as
 * nginx, makes them weak, and no If-Match accepts a weak one.
 */
export function tagIn(headers: Headers): string | undefined {
  return headers.get('ETag')?.replace(/^W\//, '');
}

/** Records the ETag of a resource's response, and returns the resource. */
export function withEtag<R extends object>(resource: R, headers: Headers): R {
  const tag = tagIn(headers);
  if (tag !== undefined) tags.set(resource, tag);
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
    'this object carries no ETag: use one that get, create or a write returned, not a copy; to pages of other origins, ' +
      'the service must expose the header ETag',
  );
}
