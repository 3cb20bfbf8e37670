import { type Schema, type Schemas, typeOfRef } from '../model/json-schema';
import type { Group, JsonObject } from '../model/project';
import { ref, typeComponent } from './components';
import { asMarkdown } from './markdown';

/** Bounds of an integer that a JSON number holds exactly (RFC 8259, section 6). */
const EXACT = { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER };

/** The schemas of fields as the document has them. Unless rules are enforced, resources may have undeclared fields. */
export class FieldSchemas {
  constructor(
    private readonly group: Group,
    private readonly closed: boolean,
  ) {}

  /** Returns the schema of a value: refs lead to components of the document, formats are those that other tools know. */
  schema(schema: Schema): JsonObject {
    const {
      $ref,
      description,
      format,
      items,
      properties,
      additionalProperties,
      required: _,
      ...rest
    } = schema;
    return {
      ...(description !== undefined && { description: asMarkdown(description) }),
      ...(rest.type === 'integer' && { format: 'int64' }),
      ...stricterBounds({ ...(rest.type === 'integer' && EXACT), ...rest }),
      ...requiredIn(schema),
      ...($ref !== undefined && this.type($ref, '')),
      ...(format !== undefined && ofFormat(FORMATS[format], rest.pattern)),
      ...(properties && { properties: this.members(properties, (value) => this.schema(value)) }),
      ...(items && { items: this.schema(items) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: this.schema(additionalProperties),
      }),
      ...(additionalProperties === false && this.closed && { additionalProperties: false }),
    };
  }

  /**
   * Returns the schema of a change of a value in a merge patch (RFC 7396): objects may be partial, and null removes what is
   * not required. Lists are replaced as a whole.
   */
  patch(schema: Schema): JsonObject {
    const { $ref, description, properties, additionalProperties } = schema;
    const { required = [] } = requiredIn(schema);
    if ($ref !== undefined) return this.type($ref, 'Patch');
    const isMap = typeof additionalProperties === 'object';
    if (properties === undefined && !isMap) {
      const { default: _, ...rest } = schema;
      return this.schema(rest);
    }
    return {
      ...(description !== undefined && { description: asMarkdown(description) }),
      type: 'object',
      ...(properties && {
        properties: this.members(properties, (value, name) =>
          required.includes(name) ? this.patch(value) : nullable(this.patch(value)),
        ),
      }),
      ...(isMap && { additionalProperties: nullable(this.patch(additionalProperties)) }),
      ...(additionalProperties === false && this.closed && { additionalProperties: false }),
    };
  }

  private members(properties: Schemas, of: (schema: Schema, name: string) => JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, of(value, name)]));
  }

  private type($ref: string, part: '' | 'Patch'): JsonObject {
    const type = this.group.types.find(({ name }) => name === typeOfRef($ref))!;
    return ref('schemas', typeComponent(type) + part);
  }
}

/** Returns the member `required` of an object, if it has one: a field with a default may be left out. */
export function requiredIn({ required = [], properties = {} }: Schema): { required?: string[] } {
  const names = required.filter((name) => properties[name]?.default === undefined);
  return names.length > 0 ? { required: names } : {};
}

/** Returns the keywords of a format for a field that may have a pattern of its own, next to which another cannot stand. */
function ofFormat({ pattern, ...others }: JsonObject, own: string | undefined): JsonObject {
  if (pattern === undefined) return others;
  return own === undefined ? { ...others, pattern } : { ...others, allOf: [{ pattern }] };
}

/** Returns a schema without the looser of two lower or upper bounds: linters refuse an inclusive next to an exclusive one. */
function stricterBounds(schema: Schema): JsonObject {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity } = schema;
  const { maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const looser = [
    exclusiveMinimum >= minimum ? 'minimum' : 'exclusiveMinimum',
    exclusiveMaximum <= maximum ? 'maximum' : 'exclusiveMaximum',
  ];
  const entries = Object.entries(schema as JsonObject).filter(([name]) => !looser.includes(name));
  return Object.fromEntries(entries);
}

/** A schema that allows null too. The patch of a shared type does already, and so does a schema of anything. */
function nullable(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (typeof type !== 'string') return schema;
  // Generators take an enumeration with null among its values for one of strings.
  return 'enum' in schema ? { anyOf: [schema, { type: 'null' }] } : { ...schema, type: [type, 'null'] };
}

const H16 = '[0-9A-Fa-f]{1,4}';
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`;

/** An IPv6 address (RFC 4291, section 2.2) as alternatives: by the number of groups before the `::`, or none of it. */
const IPV6 = [
  `(?:${H16}:){7}${H16}`,
  `(?:${H16}:){6}${IPV4}`,
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((before) => {
    const start = before === 0 ? ':' : `(?:${H16}:){${before}}`;
    const after = 7 - before;
    const groups = after > 0 ? `(?::${H16}){1,${after}}|` : '';
    const dotted = after > 1 ? `(?::${H16}){0,${after - 2}}:${IPV4}|` : '';
    return `${start}(?:${dotted}${groups}:)`;
  }),
].join('|');

/**
 * The formats of field rules in words of JSON Schema. A pattern stands where no format says the same: tools that make
 * requests of the document make valid ones.
 */
const FORMATS: { [format in NonNullable<Schema['format']>]: JsonObject } = {
  'date-time': { format: 'date-time' },
  email: { format: 'email' },
  url: { format: 'uri', pattern: '^[A-Za-z][A-Za-z0-9+.-]*://' },
  ip: { pattern: `^(?:${IPV4}|${IPV6})$` },
};
