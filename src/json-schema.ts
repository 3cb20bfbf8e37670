import type { Element, Field, FieldType, Group, Json, Kind, KindVersion, SharedType } from './model';

/**
 * The part of JSON Schema 2020-12 that describes fields: the twin of `Schema` in templates/runtime/schema.ts,
 * which lies outside what is compiled to dist. A test compares the two.
 */
export interface Schema {
  $ref?: string;
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';
  description?: string;
  default?: Json;
  properties?: { [name: string]: Schema };
  required?: string[];
  additionalProperties?: false | Schema;
  items?: Schema;
  'x-list-key'?: string;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  format?: 'date-time' | 'email' | 'url' | 'ip';
  enum?: (string | number)[];
  pattern?: string;
}

/** What a kind looks like in one version. */
export interface VersionSchemas {
  spec: Schema;
  status: Schema;
  /** The shared types that the two refer to, directly or not, in the order of the group. */
  types: { [name: string]: Schema };
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

/** The status as it is answered: with spec version history it has the server's own `version` (requirement, "Spec version history"). */
export function statusFields(kind: Kind, { status }: KindVersion): Field[] {
  if (kind.history === undefined || status.some(({ name }) => name === 'version')) return status;
  const description = 'The newest snapshot of the spec; set by the server.';
  const type = { kind: 'string' } as const;
  return [...status, { name: 'version', type, rules: {}, required: false, default: undefined, description }];
}

/** The shared types that fields refer to, directly or through other types. */
export function usedTypes(types: SharedType[], fields: Field[]): SharedType[] {
  const used = new Set<string>();
  const visit = (type: FieldType): void => {
    if (type.kind === 'object') type.fields.forEach((field) => visit(field.type));
    if (type.kind === 'list') visit(type.items.type);
    if (type.kind === 'map') visit(type.values.type);
    if (type.kind !== 'ref' || used.has(type.name)) return;
    used.add(type.name);
    types.find(({ name }) => name === type.name)!.fields.forEach((field) => visit(field.type));
  };
  fields.forEach((field) => visit(field.type));
  return types.filter(({ name }) => used.has(name));
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
      return { $ref: `#/$defs/${type.name}` };
    default:
      return { type: type.kind };
  }
}
