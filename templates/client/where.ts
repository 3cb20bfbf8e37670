/** The members of metadata that every kind with selectable fields can be selected and sorted by. */
export type MetadataField = 'metadata.name' | 'metadata.uid' | 'metadata.createdAt' | 'metadata.updatedAt';

/** Conditions on fields of resources `R`, by the names of the fields; all of them hold. */
export type Where<R, Field extends string> = {
  [F in Field | MetadataField]?: Condition<Element<At<R, F>>>;
};

/** The order of a list of resources `R`: a field that is not a list, descending after `-`. */
export type Sort<R, Field extends string> =
  Order<R, Field | MetadataField> | `${Order<R, Exclude<Field | MetadataField, CreatedAt>>},-${CreatedAt}`;

/** A condition on a field: its value, or operators, all of which hold. Of a list, one element meets each of them. */
export type Condition<Value> = Value | Operators<Value>;

/** The operators of a condition. */
export interface Operators<Value> {
  eq?: Value;
  /** True also where the field is absent. */
  ne?: Value;
  in?: readonly Value[];
  /** True also where the field is absent. */
  notIn?: readonly Value[];
  gt?: Value;
  gte?: Value;
  lt?: Value;
  lte?: Value;
  /** True for resources in which the field has a value. */
  exists?: boolean;
}

type CreatedAt = 'metadata.createdAt';

type Order<R, Field extends string> = `${'' | '-'}${Scalars<R, Field>}`;

type Scalars<R, Field extends string> = {
  [F in Field]: At<R, F> extends readonly unknown[] ? never : F;
}[Field];

type Element<Value> = Value extends readonly (infer Each)[] ? Each : Value;

/** The type of a field by its dotted path. */
type At<T, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? At<Member<T, Name>, Rest>
  : Member<T, Path>;

type Member<T, Name extends string> = NonNullable<NonNullable<T>[Name & keyof NonNullable<T>]>;

/** A value that a field is compared with. */
type Value = string | number | boolean;

const COMPARISONS = { eq: '=', ne: '!=', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
const SETS = { in: 'in', notIn: 'notin' } as const;

/**
 * Returns conditions as a field selector, for requests that take one as a string, such as `events`. Throws TypeError for a
 * condition that is undefined: without it, more would be selected than is meant.
 */
export function fieldSelector(where: { [field: string]: unknown }): string {
  return Object.entries(where).flatMap(termsOf).join(',');
}

function termsOf([field, condition]: [field: string, condition: unknown]): string[] {
  if (isValue(condition)) return [termOf(field, 'eq', condition)];
  if (typeof condition !== 'object' || condition === null)
    throw new TypeError(`where: ${field} has the condition ${String(condition)}`);
  return Object.entries(condition).map(([operator, operand]) => termOf(field, operator, operand));
}

function termOf(field: string, operator: string, operand: unknown): string {
  if (isNameOf(COMPARISONS, operator) && isValue(operand))
    return `${field}${COMPARISONS[operator]}${escaped(operand)}`;
  if (isNameOf(SETS, operator) && Array.isArray(operand) && operand.every(isValue)) {
    // A list of values cannot consist of the empty one.
    if (operand.length === 1) return termOf(field, operator === 'in' ? 'eq' : 'ne', operand[0]);
    return `${field} ${SETS[operator]} (${operand.map(escaped).join(',')})`;
  }
  if (operator === 'exists' && typeof operand === 'boolean') return `${operand ? '' : '!'}${field}`;
  throw new TypeError(`where: ${field} has the condition ${operator}: ${String(operand)}`);
}

function isNameOf<T extends object>(table: T, name: string): name is string & keyof T {
  return Object.hasOwn(table, name);
}

function isValue(value: unknown): value is Value {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function escaped(value: Value): string {
  return String(value).replace(/[ ,=!<>()\\]/g, '\\$&');
}
