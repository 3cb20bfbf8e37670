import { partners } from './conversion/partners';
import { list, own, same, type Maybe } from './conversion/values';
import type { Failure } from './problem';
import { isObject, type Json, type Schema } from './schema';

/** The field rules of a part, and the shared types that they refer to. */
export interface Shape {
  schema: Schema;
  types: { [name: string]: Schema };
}

/**
 * The failures of what a client has changed: a value that it sends back as it was is accepted, even where the
 * rules of this version are stricter than those it was written by. `before` is the part of the resource as the
 * client read it, undefined on create. Pointers start with the name of the part. An element of a list is compared
 * with the element that it was, wherever that stood.
 */
export function forgive(failures: Failure[], after: Json, before: Json | undefined, shape: Shape): Failure[] {
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
  const { $ref } = schema;
  const here: Schema = $ref === undefined ? schema : (types[$ref.slice('#/$defs/'.length)] ?? {});
  if (Array.isArray(after)) {
    const place = partners(after, list(before), here['x-list-key'])[Number(step)] ?? -1;
    return (
      place !== -1 &&
      wasSo(rest, after[Number(step)], list(before)[place], { schema: here.items ?? {}, types })
    );
  }
  // A field that is missing was missing before only if what holds it was there.
  if (!isObject(after) || !isObject(before)) return false;
  const { properties = {}, additionalProperties } = here;
  const below = Object.hasOwn(properties, step) ? properties[step] : additionalProperties || {};
  return wasSo(rest, own(after, step), own(before, step), { schema: below, types });
}
