import type { ReferenceField } from '../../templates/runtime/model/kinds/kind-data';
import { objectSchema, versionSchemas, writtenStatus } from '../model/json-schema';
import type { Group, Json, JsonObject, Kind, KindVersion, Project } from '../model/project';
import type { SpokeSubject } from '../plan/planned-project';
import { kindComponent, ref, TEXT, TEXTS, TIMESTAMP, typeComponent } from './components';
import { exampleOf } from './example';
import { FieldSchemas, requiredIn } from './field-schemas';
import { exampleUid, hasReferences, referencesOf, specExample } from './kind-example';

const TIME = '2026-01-02T03:04:05.000Z';

/** A resource of a kind in one version as examples show it; undefined where the rules leave none to be found. */
export interface Example {
  metadata: JsonObject;
  spec: Json;
  status: Json | undefined;
}

/** Returns the schemas of the shared types of a group, and of changes of them in a merge patch. */
export function typeSchemas({ validation }: Project, group: Group): { [name: string]: JsonObject } {
  const fields = new FieldSchemas(group, validation === 'strict');
  return Object.fromEntries(
    group.types.flatMap((type) => {
      const schema = objectSchema(type.fields);
      return [
        [typeComponent(type), fields.schema(schema)],
        [`${typeComponent(type)}Patch`, { ...fields.patch(schema), type: ['object', 'null'] }],
      ];
    }),
  );
}

/**
 * Returns the schemas of a kind in one version: the resource, the bodies that create, replace and merge-patch it, its spec,
 * its status, and its snapshots.
 */
export function kindSchemas(project: Project, subject: SpokeSubject): { [name: string]: JsonObject } {
  const { group, kind, version } = subject;
  const { spec, status } = versionSchemas(group, kind, version);
  const name = (part: string): string => kindComponent(kind, version.version, part);
  const fields = new FieldSchemas(group, project.validation === 'strict');
  const { required: _, ...statusSchema } = status;
  const writtenStatus = requiredIn(status);
  const statusRef = ref('schemas', name('Status'));
  const places = {
    ...{ name, spec: ref('schemas', name('Spec')), status: statusRef },
    metadata: (part: string) => ref('schemas', `${metadataName(project, kind)}${part}`),
    writtenStatus: writtenStatus.required ? { allOf: [statusRef, { ...writtenStatus }] } : statusRef,
    apiVersion: `${group.name}/${version.version}`,
    example: kindExample(subject),
    references: referencesOf(subject),
  };
  return {
    ...resourceSchemas(kind, version, places),
    ...patchSchemas(kind, version, places),
    [name('Spec')]: fields.schema(spec),
    [name('SpecPatch')]: fields.patch(spec),
    // Required fields are checked when a status is written. The first status has only the defaults.
    [name('Status')]: serverOwned(fields.schema(statusSchema), kind),
    [name('StatusPatch')]: fields.patch(status),
  };
}

/** Returns the name of the schema of a kind's metadata. */
function metadataName({ kubernetes }: Project, { uniqueNames }: Kind): string {
  if (kubernetes) return 'KubernetesMetadata';
  return uniqueNames ? 'GeneratedMetadata' : 'Metadata';
}

/** The parts that the schemas of a kind in one version are made of. */
interface Places {
  name: (part: string) => string;
  /** Returns the reference to the schema of its metadata. */
  metadata: (part: '' | 'Input' | 'Patch') => JsonObject;
  spec: JsonObject;
  status: JsonObject;
  writtenStatus: JsonObject;
  apiVersion: string;
  example: Example | undefined;
  references: ReferenceField[];
}

function resourceSchemas(
  kind: Kind,
  version: KindVersion,
  { name, metadata, spec, status, writtenStatus, apiVersion, example, references }: Places,
): { [name: string]: JsonObject } {
  const named = {
    apiVersion: { type: 'string', const: apiVersion },
    kind: { type: 'string', const: kind.name },
  };
  const optional = namedBy(kind, version, apiVersion);
  const refers = hasReferences(kind);
  const whole = {
    ...named,
    metadata: metadata(''),
    spec,
    status,
    ...(refers && { expanded: EXPANDED }),
  };
  const input = {
    ...{ ...optional, metadata: metadata('Input'), spec, status: IGNORED },
    ...(refers && { expanded: IGNORED }),
  };
  const statusInput = { ...optional, metadata: IGNORED, spec: IGNORED, status: writtenStatus };
  const required = ['apiVersion', 'kind', 'metadata', 'spec'];
  return {
    [name('')]: object(required, whole, example && resourceExample(kind, apiVersion, example)),
    [name('Input')]: {
      ...object(
        ['spec'],
        input,
        example && { metadata: { name: example.metadata['name']! }, spec: example.spec },
      ),
      ...(references.length > 0 && { description: referring(references) }),
    },
    [name('StatusInput')]: object(
      ['status'],
      statusInput,
      example?.status === undefined ? undefined : { status: example.status },
    ),
    [name('Snapshot')]: object(
      ['versionId', 'createdAt', 'uid', 'name', 'spec'],
      { ...SNAPSHOT, spec },
      example && snapshotExample(example),
    ),
  };
}

/** Returns the fields that name other resources, for people. */
function referring(references: ReferenceField[]): string {
  const names = references.map(({ path, kind }) => `\`${path.join('.')}\` (${kind})`);
  return `These fields name resources, which must exist: ${names.join(', ')}.`;
}

/** The targets of references, by field, in responses to requests with `expand`. */
const EXPANDED = {
  type: 'object',
  description: 'The targets of the references that `expand` names, by field.',
  additionalProperties: true,
} as const;

const SNAPSHOT = {
  versionId: TEXT,
  createdAt: TIMESTAMP,
  ...{ uid: TEXT, name: TEXT, labels: TEXTS, annotations: TEXTS },
  actor: { ...TEXT, description: 'The caller who wrote, if the service knows it.' },
} as const;

function patchSchemas(
  kind: Kind,
  version: KindVersion,
  { name, metadata, apiVersion }: Places,
): { [name: string]: JsonObject } {
  // Where the result of a patch has another kind, the service restores it.
  const optional = { ...namedBy(kind, version, apiVersion), kind: IGNORED };
  const spec = ref('schemas', name('SpecPatch'));
  const status = ref('schemas', name('StatusPatch'));
  return {
    [name('Patch')]: {
      type: 'object',
      description:
        'JSON Merge Patch (RFC 7396) of the resource: members are merged, null removes. `status` is ignored.',
      properties: { ...optional, metadata: metadata('Patch'), spec, status: IGNORED },
      additionalProperties: false,
    },
    [name('StatusMergePatch')]: {
      type: 'object',
      description: 'JSON Merge Patch (RFC 7396) of the resource; only the status of the result is stored.',
      properties: { ...optional, status },
      additionalProperties: true,
    },
  };
}

/** Returns the members by which a body may name its version and kind. */
function namedBy(kind: Kind, { version }: KindVersion, apiVersion: string): JsonObject {
  return {
    apiVersion: { type: 'string', enum: [apiVersion, version] },
    kind: { type: 'string', const: kind.name },
  };
}

function object(required: string[], properties: JsonObject, example: JsonObject | undefined): JsonObject {
  const examples = example && { examples: [example] };
  return { type: 'object', required, properties, additionalProperties: false, ...examples };
}

/** Returns the parts of a kind's examples in one version; undefined where its rules leave none to be found. */
export function kindExample(subject: SpokeSubject): Example | undefined {
  const { group, kind, version } = subject;
  const { types } = versionSchemas(group, kind, version);
  const spec = specExample(subject);
  if (spec === undefined) return undefined;
  const metadata = {
    name: `${kind.name.toLowerCase()}-1`,
    uid: exampleUid(kind),
    createdAt: TIME,
    updatedAt: TIME,
    generation: 1,
    labels: { env: 'prod' },
  };
  const status = objectSchema(writtenStatus(kind, version));
  return { metadata, spec, status: exampleOf(status, types, 'status') };
}

const IGNORED = ref('schemas', 'Ignored');

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
