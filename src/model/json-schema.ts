import type { Schema } from '../../templates/runtime/model/schema';
import { partsOf } from './fields';
import { reachable } from './graph';
import type { Element, Field, FieldType, Group, Kind, KindVersion, SharedType } from './project';

export type { Bounds, Schema } from '../../templates/runtime/model/schema';

/** Schemas by name. */
export interface Schemas {
  [name: string]: Schema;
}

/** The start of every `$ref`; the name of the shared type follows. */
export const TYPE_REF = '#/$defs/';

/** Returns the name of the shared type that a `$ref` stands for. */
export function typeOfRef($ref: string): string {
  return $ref.slice(TYPE_REF.length);
}

/** Returns the schema itself, or that of the shared type that it refers to. */
export function resolved(schema: Schema, types: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const name = typeOfRef(schema.$ref);
  return Object.hasOwn(types, name) ? types[name] : {};
}

/** Returns the same names with other schemas. */
export function mapSchemas(schemas: Schemas, change: (schema: Schema) => Schema): Schemas {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]));
}

/** Returns a schema with others in place of the schemas inside it, which are its last members. */
export function mapInside(
  { properties, items, additionalProperties, ...others }: Schema,
  change: (inside: Schema) => Schema,
): Schema {
  return {
    ...others,
    ...(properties && { properties: mapSchemas(properties, change) }),
    ...(items && { items: change(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: additionalProperties && change(additionalProperties),
    }),
  };
}

/** The fields of a kind in one version, as schemas. */
export interface VersionSchemas {
  spec: Schema;
  status: Schema;
  /** The shared types that the two refer to, directly or not, in the order of the group. */
  types: Schemas;
}

/** The schemas of a kind in one version. `$ref` is always `#/$defs/<type name>`. */
export function versionSchemas(group: Group, kind: Kind, version: KindVersion): VersionSchemas {
  const status = statusFields(kind, version);
  const used = usedTypes(group.types, [...version.spec, ...status]);
  return {
    spec: objectSchema(version.spec),
    status: objectSchema(status),
    types: Object.fromEntries(used.map(({ name, fields }) => [name, objectSchema(fields)])),
  };
}

/**
 * Returns the status of responses: with spec version history it has the server's own `version` (specification, "Spec
 * version history").
 */
export function statusFields(kind: Pick<Kind, 'history'>, { status }: KindVersion): Field[] {
  if (kind.history === undefined || status.some(({ name }) => name === 'version')) return status;
  const description = 'The newest snapshot of the spec; set by the server.';
  const type = { kind: 'string' } as const;
  return [...status, { name: 'version', type, rules: {}, required: false, default: undefined, description }];
}

/** Returns the status that clients write and rules convert: with spec version history, `version` is the server's. */
export function writtenStatus({ history }: Pick<Kind, 'history'>, { status }: KindVersion): Field[] {
  return history === undefined ? status : status.filter(({ name }) => name !== 'version');
}

/** Returns the shared types that fields refer to, directly or through other types, in the order of the group. */
export function usedTypes(types: SharedType[], fields: Field[]): SharedType[] {
  const byName = new Map(types.map((type) => [type.name, type]));
  const used = reachable(refsIn(fields), (name) => refsIn(byName.get(name)!.fields));
  return types.filter(({ name }) => used.has(name));
}

/** Returns the shared types that have fields with something, directly or through other types, in the order of the group. */
export function typesWith(types: SharedType[], has: (fields: Field[]) => boolean): SharedType[] {
  const users = new Map<string, string[]>();
  for (const { name, fields } of types)
    for (const used of refsIn(fields)) users.set(used, [...(users.get(used) ?? []), name]);
  const direct = types.filter(({ fields }) => has(fields)).map(({ name }) => name);
  const found = reachable(direct, (name) => users.get(name) ?? []);
  return types.filter(({ name }) => found.has(name));
}

/** Returns the names of the shared types that fields refer to directly, at any depth. */
export function refsIn(fields: Field[]): Set<string> {
  const names = new Set<string>();
  const visit = ({ type }: Field | Element): void => {
    if (type.kind === 'ref') names.add(type.name);
    partsOf(type).forEach(visit);
  };
  fields.forEach(visit);
  return names;
}

/** An object with exactly these fields. */
export function objectSchema(fields: Field[]): Schema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function fieldSchema(field: Field): Schema {
  return { ...elementSchema(field), ...(field.default !== undefined && { default: field.default }) };
}

function elementSchema({ type, rules, description }: Element): Schema {
  const { min, max, gt, lt, format, oneof, pattern } = rules;
  const [lower, upper] = bounds(type);
  return {
    ...(description !== '' && { description }),
    ...typeSchema(type),
    ...(min !== undefined && { [lower]: min }),
    ...(max !== undefined && { [upper]: max }),
    ...(gt !== undefined && { exclusiveMinimum: gt }),
    ...(lt !== undefined && { exclusiveMaximum: lt }),
    ...(format !== undefined && { format }),
    ...(oneof !== undefined && { enum: oneof }),
    ...(pattern !== undefined && { pattern }),
  };
}

/** The keywords of the rules `min` and `max`: of a length, a number of members or a value. */
function bounds({ kind }: FieldType): [keyof Schema, keyof Schema] {
  if (kind === 'string') return ['minLength', 'maxLength'];
  if (kind === 'list') return ['minItems', 'maxItems'];
  if (kind === 'map') return ['minProperties', 'maxProperties'];
  return ['minimum', 'maximum'];
}

function typeSchema(type: FieldType): Schema {
  switch (type.kind) {
    case 'any':
      return {};
    case 'timestamp':
      return { type: 'string', format: 'date-time' };
    case 'object':
      return objectSchema(type.fields);
    case 'list':
      return {
        type: 'array',
        items: elementSchema(type.items),
        ...(type.key !== undefined && { 'x-list-key': type.key }),
      };
    case 'map':
      return { type: 'object', additionalProperties: elementSchema(type.values) };
    case 'ref':
      return { $ref: TYPE_REF + type.name };
    default:
      return { type: type.kind };
  }
}
