import { resolved, type Shape } from '../../../../templates/runtime/model/fields/shape';
import type { Maybe } from '../../../../templates/runtime/model/fields/values';
import { isObject, type Json, type Schema } from '../../../../templates/runtime/model/schema';

/** The ways in which a form shows a value. */
export type Widget = 'choice' | 'number' | 'time' | 'text' | 'object' | 'map' | 'list' | 'json';

/** Values that nest deeper are shown as JSON. */
const DEEPEST = 8;

/** Returns the way to show a value. One of another type than the declared one is shown as JSON, so nothing is lost. */
export function widgetOf(shape: Shape | undefined, value: Maybe, depth: number): Widget {
  const schema = shape && resolved(shape);
  if (schema?.type === undefined) return 'json';
  const widget = declared(schema);
  if (GROUPS.includes(widget) && depth > DEEPEST) return 'json';
  return value === undefined || fits(widget, schema, value) ? widget : 'json';
}

/** Returns whether a value is shown as fields or elements of its own. */
export function isGroup(shape: Shape | undefined, value: Maybe, depth: number): boolean {
  return GROUPS.includes(widgetOf(shape, value, depth));
}

const GROUPS: Widget[] = ['list', 'map', 'object'];

function declared({ type, enum: values, format, properties }: Schema): Widget {
  if (values !== undefined || type === 'boolean') return 'choice';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return 'list';
  if (type === 'object') return properties === undefined ? 'map' : 'object';
  return format === 'date-time' ? 'time' : 'text';
}

function fits(widget: Widget, { type }: Schema, value: Json): boolean {
  if (widget === 'list') return Array.isArray(value);
  if (widget === 'object' || widget === 'map') return isObject(value);
  // An element of a list or a map is null while its field is empty.
  if (widget === 'number') return typeof value === 'number' || value === null;
  return typeof value === (type === 'integer' ? 'number' : type);
}

/** Returns the value that a new element of a list or map starts with. */
export function firstValue(shape: Shape): Json {
  const schema = resolved(shape);
  if (schema.default !== undefined) return structuredClone(schema.default);
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.format === 'date-time') return new Date().toISOString();
  const { type = 'any' } = schema;
  return structuredClone(FIRST[type]);
}

/** Returns the value of an element whose field is emptied: lists and maps have no absent ones. */
export function emptyLike(element: Shape | undefined, value: Json, depth: number): Json {
  const widget = widgetOf(element, value, depth + 1);
  return widget === 'text' || widget === 'time' ? '' : null;
}

const FIRST: { [type: string]: Json } = {
  string: '',
  integer: 0,
  number: 0,
  boolean: false,
  object: {},
  array: [],
  any: null,
};
