import type { Declarations, Element, Field, FieldType } from './project';

/** The types of single values, which can be compared. */
export const SCALARS = ['string', 'integer', 'number', 'boolean', 'timestamp'] as const;

/** Returns true for the type of a single value. */
export function isScalar({ kind }: Pick<FieldType, 'kind'>): boolean {
  return (SCALARS as readonly string[]).includes(kind);
}

/** Returns the fields of an object, the elements of a list or the values of a map; nothing of a shared type, which is only named. */
export function partsOf(type: FieldType): readonly (Field | Element)[] {
  switch (type.kind) {
    case 'object':
      return type.fields;
    case 'list':
      return [type.items];
    case 'map':
      return [type.values];
    default:
      return [];
  }
}

/** Returns true for a field that lists can be selected by: references and unique fields are selectable. */
export function isSelectable({ selectable, unique, ref }: Declarations): boolean {
  return selectable === true || unique === true || ref !== undefined;
}
