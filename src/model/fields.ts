import type { Declarations, FieldType } from './project';

/** The types of single values, which can be compared. */
export const SCALARS = ['string', 'integer', 'number', 'boolean', 'timestamp'] as const;

/** Returns true for the type of a single value. */
export function isScalar({ kind }: Pick<FieldType, 'kind'>): boolean {
  return (SCALARS as readonly string[]).includes(kind);
}

/** Returns true for a field that lists can be selected by: references and unique fields are selectable. */
export function isSelectable({ selectable, unique, ref }: Declarations): boolean {
  return selectable === true || unique === true || ref !== undefined;
}
