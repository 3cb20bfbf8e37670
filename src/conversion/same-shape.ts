import { isDeepStrictEqual } from 'node:util';
import type { FieldType } from '../model';
import type { Types } from './slot';

/** The kinds that JSON has: a timestamp is a string. */
export function scalar(type: FieldType): string {
  return type.kind === 'timestamp' ? 'string' : type.kind;
}

/**
 * Whether a value of one type can be copied to the other: the same fields at every depth, with the same defaults.
 * `ruled` tells which pairs of shared types have rules of their own; those are never copied whole.
 */
export function sameShape(
  one: FieldType,
  other: FieldType,
  types: Types,
  ruled: (one: string, other: string) => boolean,
  seen = new Set<string>(),
): boolean {
  if (one.kind === 'ref' && other.kind === 'ref') {
    const pair = `${one.name} ${other.name}`;
    if (ruled(one.name, other.name)) return false;
    if (seen.has(pair)) return true;
    seen.add(pair);
  }
  const [fields, others] = [types.fields(one), types.fields(other)];
  if (fields !== undefined && others !== undefined) {
    return (
      fields.length === others.length &&
      fields.every((field) => {
        const twin = others.find(({ name }) => name === field.name);
        return (
          twin !== undefined &&
          isDeepStrictEqual(field.default, twin.default) &&
          sameShape(field.type, twin.type, types, ruled, seen)
        );
      })
    );
  }
  if (one.kind === 'list' && other.kind === 'list')
    return sameShape(one.items.type, other.items.type, types, ruled, seen);
  if (one.kind === 'map' && other.kind === 'map')
    return sameShape(one.values.type, other.values.type, types, ruled, seen);
  return (
    fields === undefined &&
    others === undefined &&
    scalar(one) === scalar(other) &&
    one.kind !== 'list' &&
    one.kind !== 'map'
  );
}
