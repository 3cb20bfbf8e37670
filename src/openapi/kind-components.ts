import type { Group, Json, Kind, Project } from '../model';
import type { Components, JsonObject } from './document';
import { kindExample, kindSchemas, type Example } from './kind-schemas';
import { componentName, NEGOTIATED, ref } from './naming';

/** One of a kind's URLs: a version's own, or the short one, where the version is negotiated. */
export interface Address {
  /** `/devices`, `/apis/example.svc.dev/v1/devices` */
  path: string;
  /** The version of an `/apis/` URL; undefined for the short one. */
  urlVersion: string | undefined;
  /** The version in the names of the components; a kind with one version has the same ones on both URLs. */
  named: string;
  /** What may be answered; the first one by default. */
  versions: string[];
}

/** All URLs of a kind, the short one first. */
export function addressesOf(group: Group, kind: Kind): Address[] {
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

/** The schemas, request bodies and responses of a kind, for all its URLs. */
export function kindComponents(project: Project, group: Group, kind: Kind): Components {
  const parts = addressesOf(group, kind).map((address) => addressComponents(group, kind, address, project));
  return {
    schemas: Object.assign(
      {},
      ...kind.versions.map((version) => kindSchemas(project, group, kind, version)),
      ...parts.map(({ schemas }) => schemas),
    ) as Components['schemas'],
    parameters: {},
    headers: {},
    requestBodies: Object.assign(
      {},
      ...parts.map(({ requestBodies }) => requestBodies),
    ) as Components['requestBodies'],
    responses: Object.assign({}, ...parts.map(({ responses }) => responses)) as Components['responses'],
  };
}

type AddressComponents = Pick<Components, 'schemas' | 'requestBodies' | 'responses'>;

function addressComponents(group: Group, kind: Kind, address: Address, project: Project): AddressComponents {
  const name = (...part: string[]): string => componentName(group.name, address.named, kind.name, ...part);
  const schema = (version: string, ...part: string[]): JsonObject =>
    ref('schemas', componentName(group.name, version, kind.name, ...part));
  const [first, ...others] = address.versions as [string, ...string[]];

  /** A schema for each version that `Accept` may ask for. */
  const perVersion = (byDefault: JsonObject, of: (version: string) => JsonObject): JsonObject => ({
    'application/json': { schema: byDefault },
    ...Object.fromEntries(
      others.map((version) => [`application/json;version=${version}`, { schema: of(version) }]),
    ),
  });
  const isDeprecated = address.versions.some((version) => Object.hasOwn(group.deprecations, version));
  const told = isDeprecated ? ['Deprecation', 'Sunset', 'Link'] : [];
  const response = (description: string, headers: string[], content: JsonObject): JsonObject => ({
    description,
    headers: Object.fromEntries(
      [...headers, ...told].map((header) => [header, ref('headers', header.replace(/-/g, ''))]),
    ),
    content,
  });
  const one = (version: string): JsonObject => schema(version);
  const many = (version: string, ...part: string[]): JsonObject => ({
    type: 'array',
    items: schema(version, ...part),
  });
  const body = (part: string): JsonObject => ({
    required: true,
    content: { 'application/json': { schema: schema(address.named, part) } },
  });
  const cached = project.cacheControl === '' ? [] : ['Cache-Control'];
  const validators = ['ETag', 'Last-Modified', 'Vary'];
  const written = perVersion(schema(address.named), one);
  const example = kindExample(
    group,
    kind,
    kind.versions.find(({ version }) => version === first)!,
  );
  return {
    schemas:
      address.named === NEGOTIATED
        ? Object.fromEntries(
            [[], ['Input'], ['StatusInput']].map((part) => [
              name(...part),
              { anyOf: address.versions.map((version) => schema(version, ...part)) },
            ]),
          )
        : {},
    requestBodies: {
      [name('Input')]: body('Input'),
      [name('StatusInput')]: body('StatusInput'),
      [name('Patch')]: patchBody(specChange(example)),
      [name('StatusPatch')]: patchBody(statusChange(example)),
    },
    responses: {
      [name()]: response(
        `The ${kind.name}.`,
        [...validators, ...cached, 'Warning'],
        perVersion(one(first), one),
      ),
      [name('Written')]: response(`The ${kind.name} after the change.`, [...validators, 'Warning'], written),
      [name('Created')]: response(`The new ${kind.name}.`, ['Location', ...validators, 'Warning'], written),
      [name('List')]: response(
        'The resources, in order of creation.',
        ['Link', 'Vary', ...cached, 'Warning'],
        perVersion(many(first), many),
      ),
      [name('Snapshot')]: response(
        'The snapshot.',
        ['Vary', ...cached, 'Warning'],
        perVersion(schema(first, 'Snapshot'), (version) => schema(version, 'Snapshot')),
      ),
      [name('Snapshots')]: response(
        'The snapshots, oldest first.',
        ['Vary', ...cached, 'Warning'],
        perVersion(many(first, 'Snapshot'), (version) => many(version, 'Snapshot')),
      ),
    },
  };
}

/** A change that examples of patches make: one member of an object of the resource. */
interface Change {
  parent: 'spec' | 'status' | 'metadata';
  member: string;
  value: Json;
}

const LABELS: Change = { parent: 'metadata', member: 'labels', value: { env: 'prod' } };

function specChange(example: Example | undefined): Change {
  return changeOf('spec', example?.spec) ?? LABELS;
}

function statusChange(example: Example | undefined): Change {
  return changeOf('status', example?.status) ?? { parent: 'status', member: 'ready', value: true };
}

function changeOf(parent: 'spec' | 'status', example: Json | undefined): Change | undefined {
  const entries = Object.entries((example ?? {}) as JsonObject);
  const [member, value] = entries.find(([, value]) => typeof value !== 'object') ?? entries[0] ?? [];
  return member === undefined ? undefined : { parent, member, value: value! };
}

/** A patch in each of the three types (requirement, "Patch media types"). */
function patchBody({ parent, member, value }: Change): JsonObject {
  const types: { [type: string]: [schema: string, example: Json] } = {
    'application/merge-patch+json': ['MergePatch', { [parent]: { [member]: value } }],
    'application/json-patch+json': ['JsonPatch', [{ op: 'add', path: `/${parent}/${member}`, value }]],
    'application/shorthand-patch+json': ['ShorthandPatch', { [`${parent}.${member}`]: value }],
  };
  return {
    required: true,
    content: Object.fromEntries(
      Object.entries(types).map(([type, [schema, example]]) => [
        type,
        { schema: ref('schemas', schema), example },
      ]),
    ),
  };
}
