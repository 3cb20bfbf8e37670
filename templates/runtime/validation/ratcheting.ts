import { partners } from '../model/fields/partners';
import { resolved, type Shape } from '../model/fields/shape';
import { list, type Maybe, own, same } from '../model/fields/values';
import type { Failure } from '../model/problem';
import { isObject, type Json } from '../model/schema';

/**
 * Returns the failures of values that a client has changed. A value that it sends back unchanged is accepted, even
 * where the rules of this version are stricter than those it was written by. `before` is the part of the resource as
 * the client read it, undefined on create. Pointers start with the name of the part. An element of a list is compared
 * with its former self, wherever that stood.
 */
export function ratchet(failures: Failure[], after: Json, before: Json | undefined, shape: Shape): Failure[] {
  if (before === undefined) return failures;
  return failures.filter(({ pointer }) => {
    const path = pointer
      .split('/')
      .slice(2)
      .map((step) => step.replace(/~1/g, '/').replace(/~0/g, '~'));
    return !wasSo(path, after, before, shape);
  });
}

function wasSo([step, ...rest]: string[], after: Maybe, before: Maybe, { schema, types }: Shape): boolean {
  if (step === undefined) return same(after, before);
  const here = resolved({ schema, types });
  if (Array.isArray(after)) {
    // Elements with a repeated key cannot be distinguished.
    if (same(after, before)) return true;
    const place = partners(after, list(before), here['x-list-key'])[Number(step)] ?? -1;
    return (
      place !== -1 &&
      wasSo(rest, after[Number(step)], list(before)[place], { schema: here.items ?? {}, types })
    );
  }
  // A field is missing before, too, only if its parent was there.
  if (!isObject(after) || !isObject(before)) return false;
  const { properties = {}, additionalProperties } = here;
  const below = Object.hasOwn(properties, step) ? properties[step] : additionalProperties || {};
  return wasSo(rest, own(after, step), own(before, step), { schema: below, types });
}
