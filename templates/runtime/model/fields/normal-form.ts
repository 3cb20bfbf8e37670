import { HttpProblem } from '../problem';
import { isObject, type Json, type Schema } from '../schema';
import { resolved, type Shape } from './shape';

interface Default {
  name: string;
  value: Json;
  /** Its length in the JSON of an object, in bytes. */
  bytes: number;
}

/** The defaults of the fields of an object, found once: a kind may have hundreds of fields, and few defaults. */
const defaults = new WeakMap<Schema, Default[]>();

/** Not a Buffer: the console normalises in the browser. */
const UTF_8 = new TextEncoder();

/**
 * Removes absent members, in place: null in a declared field. A field of type `any` preserves null unless it is required.
 * Elements of lists and values of maps preserve it too; their type check fails.
 */
export function normalise(shape: Shape, value: Json): void {
  const schema = resolved(shape);
  const { properties, required } = schema;
  if (properties !== undefined && isObject(value)) {
    for (const name of Object.keys(value)) {
      if (value[name] !== null || !Object.hasOwn(properties, name)) continue;
      if (!isAny(properties[name]) || required?.includes(name) === true) delete value[name];
    }
  }
  inside(schema, value, (member, declared) => normalise({ schema: declared, types: shape.types }, member));
}

/**
 * Fills in the declared defaults of absent fields, in place, in the objects that exist. Throws HttpProblem 413 for defaults of
 * more than `most` bytes: a list may have hundreds of thousands of objects.
 */
export function fillDefaults(shape: Shape, value: Json, most = Infinity): void {
  let left = most;
  const fill = (schema: Schema, object: Json): void => {
    if (schema.properties !== undefined && isObject(object)) {
      for (const { name, value: preset, bytes } of defaultsOf(schema)) {
        if (Object.hasOwn(object, name)) continue;
        left -= bytes;
        if (left < 0)
          throw new HttpProblem(413, `The defaults of the fields would add more than ${most} bytes.`);
        object[name] = typeof preset === 'object' ? structuredClone(preset) : preset;
      }
    }
    inside(schema, object, (member, declared) =>
      fill(resolved({ schema: declared, types: shape.types }), member),
    );
  };
  fill(resolved(shape), value);
}

/** Visits the objects and lists that are declared members of a value, with their schemas. */
function inside(schema: Schema, value: Json, visit: (member: Json, schema: Schema) => void): void {
  const { properties, items, additionalProperties: each } = schema;
  if (Array.isArray(value)) {
    if (items !== undefined) for (const element of value) if (isNested(element)) visit(element, items);
  } else if (isObject(value) && (properties !== undefined || each)) {
    for (const name of Object.keys(value)) {
      const member = value[name];
      if (!isNested(member)) continue;
      const declared = properties === undefined ? each : Object.hasOwn(properties, name) && properties[name];
      if (declared) visit(member, declared);
    }
  }
}

function isNested(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

function defaultsOf(schema: Schema): Default[] {
  let found = defaults.get(schema);
  if (found === undefined) {
    found = [];
    for (const [name, { default: value }] of Object.entries(schema.properties ?? {})) {
      if (value === undefined) continue;
      found.push({ name, value, bytes: UTF_8.encode(JSON.stringify({ [name]: value })).length });
    }
    defaults.set(schema, found);
  }
  return found;
}

function isAny({ type, $ref }: Schema): boolean {
  return type === undefined && $ref === undefined;
}
