/** The tags of what clients have read, for as long as it is in use. */
const tags = new WeakMap<object, string>();

/** Notes with which ETag a resource was answered, and gives the resource. */
export function withEtag<R extends object>(resource: R, headers: Headers): R {
  const tag = headers.get('ETag');
  if (tag !== null) tags.set(resource, tag);
  return resource;
}

/**
 * The ETag that a resource was answered with, quoted. Undefined for copies, and for items of lists: lists carry
 * no tags.
 */
export function etagOf(resource: object): string | undefined {
  return tags.get(resource);
}

/**
 * A condition: a resource as a call of this client gave it, or an ETag. Throws TypeError for one without a tag.
 */
export function conditionOf(condition: string | object | undefined): string | undefined {
  if (typeof condition !== 'object') return condition;
  const tag = etagOf(condition);
  if (tag !== undefined) return tag;
  throw new TypeError(
    'this object carries no ETag: use one that get, create or a write returned, not a copy',
  );
}
