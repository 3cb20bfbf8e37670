import type { Declarations, Element, Field, FieldType, SharedType } from './project';

/** The types of single values, which can be compared. */
export const SCALARS = ['string', 'integer', 'number', 'boolean', 'timestamp'] as const;

/** The parts of a resource that have declared fields. */
export const PARTS = ['spec', 'status'] as const;

/** The keys of a field that only one type has. */
export const TYPE_KEYS = { fields: 'object', items: 'list', key: 'list', values: 'map' } as const;

/** Returns true for the type of a single value. */
export function isScalar({ kind }: Pick<FieldType, 'kind'>): boolean {
  return (SCALARS as readonly string[]).includes(kind);
}

/** Returns a type as messages name it. */
export function typeWords(kind: FieldType['kind']): string {
  return kind === 'ref' ? 'a shared type' : `the type ${kind}`;
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

/** Returns the fields of an object, shared or not; undefined for another type. */
export function fieldsOf(type: FieldType, types: SharedType[]): Field[] | undefined {
  if (type.kind === 'object') return type.fields;
  return type.kind === 'ref' ? types.find(({ name }) => name === type.name)?.fields : undefined;
}

/** Returns the fields on a path, the outermost first; undefined where one of them does not exist. */
export function fieldsAlong(
  [name, ...rest]: readonly string[],
  fields: Field[],
  types: SharedType[],
): Field[] | undefined {
  const field = fields.find((one) => one.name === name);
  if (field === undefined || rest.length === 0) return field && [field];
  const below = fieldsAlong(rest, fieldsOf(field.type, types) ?? [], types);
  return below && [field, ...below];
}

/** Returns the field at the end of a path; undefined where there is none. */
export function fieldAt(path: readonly string[], fields: Field[], types: SharedType[]): Field | undefined {
  return fieldsAlong(path, fields, types)?.at(-1);
}

/** Returns true for a field that lists can be selected by: references and unique fields are selectable. */
export function isSelectable({ selectable, unique, ref }: Declarations): boolean {
  return selectable === true || unique === true || ref !== undefined;
}
