import { objectSchema, versionSchemas, type Schema } from '../json-schema';
import type { Group, Json, Kind, KindVersion, Project } from '../model';
import type { JsonObject } from './document';
import { exampleOf } from './example';
import { asMarkdown } from './markdown';
import { componentName, ref } from './naming';

const TIME = '2026-01-02T03:04:05.000Z';

/** A resource of a kind in one version as examples show it; undefined where the rules leave none to be found. */
export interface Example {
  metadata: JsonObject;
  spec: Json;
  status: Json | undefined;
}

/** The names of the components of the shared types that a kind refers to. */
export function typeNames(group: Group, kind: Kind): string[] {
  const used = kind.versions.flatMap((version) => Object.keys(versionSchemas(group, kind, version).types));
  return [...new Set(used)].map((type) => componentName(group.name, 'types', type));
}

/** The schemas of the shared types of a group. */
export function typeSchemas({ validation }: Project, group: Group): { [name: string]: JsonObject } {
  return Object.fromEntries(
    group.types.map(({ name, fields }) => [
      componentName(group.name, 'types', name),
      adapted(objectSchema(fields), group.name, validation === 'strict'),
    ]),
  );
}

/**
 * The schemas of a kind in one version: the resource, what is sent to create or replace it, its spec, its
 * status, and its snapshots.
 */
export function kindSchemas(
  project: Project,
  group: Group,
  kind: Kind,
  version: KindVersion,
): { [name: string]: JsonObject } {
  const { spec, status } = versionSchemas(group, kind, version);
  const name = (...rest: string[]): string => componentName(group.name, version.version, kind.name, ...rest);
  const adapt = (schema: Schema): JsonObject => adapted(schema, group.name, project.validation === 'strict');
  const apiVersion = `${group.name}/${version.version}`;
  const example = kindExample(group, kind, version);
  const object = (required: string[], properties: JsonObject, rest: JsonObject = {}): JsonObject => ({
    type: 'object',
    required,
    properties,
    additionalProperties: false,
    ...rest,
  });
  const { required: requiredStatus, ...statusSchema } = status;
  const optional = {
    apiVersion: { type: 'string', enum: [apiVersion, version.version] },
    kind: { const: kind.name },
  };
  return {
    [name()]: object(
      ['apiVersion', 'kind', 'metadata', 'spec'],
      {
        apiVersion: { const: apiVersion },
        kind: { const: kind.name },
        metadata: ref('schemas', 'Metadata'),
        spec: ref('schemas', name('Spec')),
        status: ref('schemas', name('Status')),
      },
      example && { examples: [resourceExample(kind, apiVersion, example)] },
    ),
    [name('Input')]: object(
      ['spec'],
      {
        ...optional,
        metadata: ref('schemas', 'MetadataInput'),
        spec: ref('schemas', name('Spec')),
        status: ref('schemas', 'Ignored'),
      },
      example && { examples: [{ metadata: { name: example.metadata['name']! }, spec: example.spec }] },
    ),
    [name('StatusInput')]: object(
      ['status'],
      {
        ...optional,
        metadata: ref('schemas', 'Ignored'),
        spec: ref('schemas', 'Ignored'),
        status: requiredStatus
          ? { allOf: [ref('schemas', name('Status')), { required: requiredStatus }] }
          : ref('schemas', name('Status')),
      },
      example?.status !== undefined ? { examples: [{ status: example.status }] } : {},
    ),
    [name('Spec')]: adapt(spec),
    // What a rule requires is checked when a status is written; the first status has the defaults alone.
    [name('Status')]: serverOwned(adapt(statusSchema), kind),
    [name('Snapshot')]: object(
      ['versionId', 'createdAt', 'uid', 'name', 'spec'],
      {
        versionId: { type: 'string' },
        createdAt: { type: 'string', format: 'date-time' },
        uid: { type: 'string' },
        name: { type: 'string' },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        annotations: { type: 'object', additionalProperties: { type: 'string' } },
        spec: ref('schemas', name('Spec')),
      },
      example && { examples: [snapshotExample(example)] },
    ),
  };
}

/** What the examples of a kind in one version are made of; undefined where its rules leave none to be found. */
export function kindExample(group: Group, kind: Kind, version: KindVersion): Example | undefined {
  const { spec, status, types } = versionSchemas(group, kind, version);
  const specExample = exampleOf(spec, 'spec', { types, depth: 0 });
  if (specExample === undefined) return undefined;
  const metadata = {
    name: `${kind.name.toLowerCase()}-1`,
    uid: `${kind.uidPrefix}-0123456789abcdef`,
    createdAt: TIME,
    updatedAt: TIME,
    generation: 1,
    labels: { env: 'prod' },
  };
  const declared = { ...status, properties: { ...status.properties } };
  if (kind.history) delete declared.properties['version'];
  return { metadata, spec: specExample, status: exampleOf(declared, 'status', { types, depth: 0 }) };
}

const VERSION_ID = '20260102030405-1767323045000000000';

function resourceExample(kind: Kind, apiVersion: string, { metadata, spec, status }: Example): JsonObject {
  const version = kind.history && { version: VERSION_ID };
  const shown = { ...(status as JsonObject | undefined), ...version };
  return {
    apiVersion,
    kind: kind.name,
    metadata,
    spec,
    ...(Object.keys(shown).length > 0 && { status: shown }),
  };
}

function snapshotExample({ metadata, spec }: Example): JsonObject {
  return {
    versionId: VERSION_ID,
    createdAt: TIME,
    uid: metadata['uid']!,
    name: metadata['name']!,
    labels: metadata['labels']!,
    spec,
  };
}

function serverOwned(status: JsonObject, { history }: Kind): JsonObject {
  const properties = status['properties'] as { [name: string]: JsonObject };
  if (history) properties['version'] = { ...properties['version'], readOnly: true };
  return status;
}

/**
 * A schema of fields as this document has it: refs lead to its components, formats are those that other tools
 * know. Unless rules are enforced, resources may have fields that are not declared.
 */
function adapted(schema: Schema, group: string, closed: boolean): JsonObject {
  const inner = (value: Schema): JsonObject => adapted(value, group, closed);
  const { $ref, description, format, items, properties, additionalProperties, ...rest } = schema;
  return {
    ...(description !== undefined && { description: asMarkdown(description) }),
    ...(rest as JsonObject),
    ...($ref !== undefined && ref('schemas', componentName(group, 'types', $ref.slice('#/$defs/'.length)))),
    ...(format === 'ip'
      ? { anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }
      : format && { format: format === 'url' ? 'uri' : format }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, inner(value)])),
    }),
    ...(items && { items: inner(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inner(additionalProperties) }),
    ...(additionalProperties === false && closed && { additionalProperties: false }),
  };
}
