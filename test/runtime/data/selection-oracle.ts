import type { SelectableField } from '../../../templates/runtime/model/kinds/kind-data';
import type { Resource } from '../../../templates/runtime/model/resource';

/** A term of a field selector, before it is written. */
export interface Term {
  field: SelectableField;
  operator: '=' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'notin' | 'present' | 'absent';
  values: string[];
}

/** An order of a list, before it is written. */
export interface Order {
  field: SelectableField;
  descending: boolean;
  newestFirst: boolean;
}

type Comparable = string | number | boolean;

/** Returns the text of a term. */
export function termText({ field, operator, values }: Term): string {
  const name = field.path.join('.');
  const [first] = values.map(escaped);
  if (operator === 'present') return name;
  if (operator === 'absent') return `!${name}`;
  // An empty value is no list of values.
  if (operator === 'in' && values.join() === '') return `${name}=`;
  if (operator === 'notin' && values.join() === '') return `${name}!=`;
  if (operator === 'in' || operator === 'notin')
    return `${name} ${operator} (${values.map(escaped).join(',')})`;
  return name + operator + first;
}

/** Returns the text of an order. */
export function orderText({ field, descending, newestFirst }: Order): string {
  const isCreation = field.path.join('.') === 'metadata.createdAt';
  const more = newestFirst && !isCreation ? ',-metadata.createdAt' : '';
  return `${descending ? '-' : ''}${field.path.join('.')}${more}`;
}

/** Returns the resources that all terms select, in an order. `all` is in order of creation, as a version shows them. */
export function expected(all: readonly Resource[], terms: readonly Term[], order?: Order): Resource[] {
  const found = all.filter((resource) => terms.every((term) => matches(resource, term)));
  if (order === undefined) return found;
  const { field, descending } = order;
  if (field.path.join('.') === 'metadata.createdAt') return descending ? found.toReversed() : found;
  const keyed = found.map((resource, index) => ({ resource, index, value: valuesOf(resource, field)[0] }));
  const newest = order.newestFirst ? -1 : 1;
  return keyed
    .sort((a, b) => (descending ? -1 : 1) * byValue(a.value, b.value) || newest * (a.index - b.index))
    .map(({ resource }) => resource);
}

/** Absent values are the largest. */
function byValue(one: Comparable | undefined, other: Comparable | undefined): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  return compare(one, other);
}

function matches(resource: Resource, { field, operator, values }: Term): boolean {
  const own = valuesOf(resource, field);
  const wanted = values.map((text) => parsed(text, field)!);
  const is = (value: Comparable): boolean => wanted.some((each) => compare(value, each) === 0);
  switch (operator) {
    case 'present':
      return isPresent(resource, field);
    case 'absent':
      return !isPresent(resource, field);
    case '!=':
    case 'notin':
      return !own.some(is);
    case '<':
      return own.some((value) => compare(value, wanted[0]) < 0);
    case '<=':
      return own.some((value) => compare(value, wanted[0]) <= 0);
    case '>':
      return own.some((value) => compare(value, wanted[0]) > 0);
    case '>=':
      return own.some((value) => compare(value, wanted[0]) >= 0);
    default:
      return own.some(is);
  }
}

/** A list without elements is present. */
function isPresent(resource: Resource, field: SelectableField): boolean {
  return field.isList ? Array.isArray(valueOf(resource, field)) : valuesOf(resource, field).length > 0;
}

function valueOf(resource: Resource, { path }: SelectableField): unknown {
  return path.reduce<unknown>(
    (parent, name) => (parent as { [name: string]: unknown } | undefined)?.[name],
    resource,
  );
}

/** Returns the values of a field that have its type; several for a list. */
export function valuesOf(resource: Resource, field: SelectableField): Comparable[] {
  const value = valueOf(resource, field);
  const all: unknown[] = field.isList ? (Array.isArray(value) ? value : []) : [value];
  return all.flatMap((each) => {
    if (field.type === 'timestamp') {
      const time = typeof each === 'string' ? Date.parse(each) : NaN;
      return Number.isNaN(time) ? [] : [time];
    }
    if (field.type === 'integer') return Number.isInteger(each) ? [each as number] : [];
    return typeof each === field.type ? [each as Comparable] : [];
  });
}

function parsed(text: string, { type }: SelectableField): Comparable | undefined {
  if (type === 'number' || type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  return type === 'timestamp' ? Date.parse(text) : text;
}

/** Compares strings by their code points, everything else by value. */
function compare(one: Comparable, other: Comparable): number {
  if (typeof one !== 'string') return Number(one) - Number(other);
  const [a, b] = [one, other as string].map((text) =>
    [...text].map((character) => character.codePointAt(0)!),
  );
  const at = a.findIndex((point, index) => point !== b[index]);
  if (at < 0) return a.length - b.length;
  return b[at] === undefined ? 1 : a[at] - b[at];
}

function escaped(text: string): string {
  return text.replace(/[ ,=!<>()\\]/g, '\\$&');
}
