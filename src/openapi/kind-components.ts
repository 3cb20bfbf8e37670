import type { JsonObject, Kind, Project } from '../model/project';
import type { ConvertedKind, KindSubject } from '../plan/planned-project';
import { type Components, headerRefs, kindComponent, merged, NEGOTIATED, ref } from './components';
import { hasReferences } from './kind-example';
import { kindSchemas } from './kind-schemas';

/** One of a kind's URLs: a version's own, or the short one, where the version is negotiated. */
export interface Address {
  /** `/devices`, `/apis/example.svc.dev/v1/devices` */
  path: string;
  /** The version of an `/apis/` URL; undefined for the short one. */
  urlVersion: string | undefined;
  /** The version in the names of the components; a kind with one version has the same ones on both URLs. */
  named: string;
  /** The versions of its responses, the default first. */
  versions: string[];
}

/** All URLs of a kind, the short one first. */
export function addressesOf({ group, kind }: KindSubject): Address[] {
  const versions = kind.versions.map(({ version }) => version);
  const { storageVersion } = group;
  return [
    {
      path: `/${kind.plural}`,
      urlVersion: undefined,
      named: versions.length > 1 ? NEGOTIATED : storageVersion,
      versions: [storageVersion, ...versions.filter((version) => version !== storageVersion)],
    },
    ...versions.map((version) => ({
      path: `/apis/${group.name}/${version}/${kind.plural}`,
      urlVersion: version,
      named: version,
      versions: [version],
    })),
  ];
}

/** Returns the last part of the name of a response's component; a kind's own schema has none, and the two must differ. */
export function responsePart(response: string): string {
  return response === '' ? 'Response' : `${response}Response`;
}

/** Returns the schemas and responses of a kind, for all its URLs. */
export function kindComponents(project: Project, subject: ConvertedKind): Partial<Components> {
  const { kind } = subject;
  const addresses = addressesOf(subject);
  const schemas = merged(kind.versions.map((version) => kindSchemas(project, { ...subject, version })));
  return {
    schemas: merged([schemas, ...addresses.map((address) => negotiatedSchemas(kind, address, schemas))]),
    responses: merged(addresses.map((address) => responses(subject, address))),
  };
}

/** The bodies of requests, by the last part of their components' names. */
const BODIES = ['Input', 'StatusInput', 'Patch', 'StatusMergePatch'];

/**
 * On the short URL, a resource is one of any version, and a body without an `apiVersion` is one of the storage version:
 * bodies of other versions have a schema that requires it.
 */
function negotiatedSchemas(
  kind: Kind,
  { named, versions }: Address,
  schemas: { [name: string]: JsonObject },
): { [name: string]: JsonObject } {
  if (named !== NEGOTIATED) return {};
  const component = (version: string, part: string): string => kindComponent(kind, version, part);
  const anyOf = (names: string[]): JsonObject => ({ anyOf: names.map((name) => ref('schemas', name)) });
  const [hub, ...spokes] = versions as [string, ...string[]];
  const explicit = BODIES.flatMap((part) =>
    spokes.map((version) => [
      component(version, `Explicit${part}`),
      withApiVersion(schemas[component(version, part)], version),
    ]),
  );
  return {
    [component(named, '')]: anyOf(versions.map((version) => component(version, ''))),
    ...(Object.fromEntries(explicit) as { [name: string]: JsonObject }),
    ...Object.fromEntries(
      BODIES.map((part) => [
        component(named, part),
        anyOf([component(hub, part), ...spokes.map((version) => component(version, `Explicit${part}`))]),
      ]),
    ),
  };
}

function withApiVersion(schema: JsonObject, apiVersion: string): JsonObject {
  const { required, examples } = schema as { required?: string[]; examples?: JsonObject[] };
  return {
    ...schema,
    required: ['apiVersion', ...(required ?? [])],
    ...(examples && { examples: examples.map((example) => ({ apiVersion, ...example })) }),
  };
}

type ResponseObject = JsonObject & { headers: JsonObject };

/** Returns a response with another description of some of its headers: those that not every response has. */
function withHeaders(response: ResponseObject, headers: { [name: string]: string }): JsonObject {
  return { ...response, headers: { ...response.headers, ...headerRefs(headers) } };
}

const VALIDATORS = ['ETag', 'Last-Modified', 'Vary'];
/** The validators of a resource, which a response with the targets of its references lacks. */
const OF_ONE = { ETag: 'OwnETag', 'Last-Modified': 'OwnLastModified' };

function responses({ group, kind }: KindSubject, address: Address): Components['responses'] {
  const name = (part: string): string => kindComponent(kind, address.named, responsePart(part));
  const schema = (version: string, ...part: string[]): JsonObject =>
    ref('schemas', kindComponent(kind, version, ...part));
  const [first, ...others] = address.versions as [string, ...string[]];

  /** A schema for each version that `Accept` may ask for. */
  const perVersion = (of: (version: string) => JsonObject, byDefault = of(first)): JsonObject => ({
    'application/json': { schema: byDefault },
    ...Object.fromEntries(
      others.map((version) => [`application/json;version=${version}`, { schema: of(version) }]),
    ),
  });
  const isDeprecated = address.versions.some((version) => Object.hasOwn(group.deprecations, version));
  const deprecation = isDeprecated ? ['Deprecation', 'Sunset', 'Link'] : [];
  const response = (description: string, headers: string[], content: JsonObject): ResponseObject => ({
    description,
    headers: Object.fromEntries(
      [...headers, ...deprecation].map((header) => [header, ref('headers', header.replace(/-/g, ''))]),
    ),
    content,
  });
  const many = (version: string, ...part: string[]): JsonObject => ({
    type: 'array',
    items: schema(version, ...part),
  });
  const written = perVersion(schema, schema(address.named));
  return {
    [name('')]: withHeaders(
      response(`The ${kind.name}.`, [...VALIDATORS, 'Cache-Control', 'Warning'], perVersion(schema)),
      hasReferences(kind) ? OF_ONE : {},
    ),
    [name('Written')]: response(`The ${kind.name} after the change.`, [...VALIDATORS, 'Warning'], written),
    [name('Created')]: response(`The new ${kind.name}.`, ['Location', ...VALIDATORS, 'Warning'], written),
    [name('List')]: withHeaders(
      response(
        'The resources, in order of creation.',
        ['Link', 'Vary', 'Cache-Control', 'Warning'],
        perVersion(many),
      ),
      { ETag: 'ListETag' },
    ),
    [name('Snapshot')]: response(
      'The snapshot.',
      ['Vary', 'Cache-Control', 'Warning'],
      perVersion((version) => schema(version, 'Snapshot')),
    ),
    [name('Snapshots')]: response(
      'The snapshots, oldest first by default.',
      ['Link', 'Vary', 'Cache-Control', 'Warning'],
      perVersion((version) => many(version, 'Snapshot')),
    ),
  };
}
