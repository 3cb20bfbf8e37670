import type { KindData } from '../../templates/runtime/model/kinds/kind-data';
import type { Identifiers } from '../code/identifiers';
import { deprecationText } from '../model/deprecation';
import { capitalised } from '../model/names';
import type { Group, Json, JsonObject, Kind, Project } from '../model/project';
import { dataOf } from '../plan/kind-data';
import type { ConvertedKind } from '../plan/planned-project';
import { kindComponent, nounsOf, ref } from './components';
import { canClash, expandParameter, listParameters } from './data-parameters';
import { type Endpoint, ENDPOINTS, type ErrorName, HISTORY } from './endpoints';
import { EVENTS_TAG, WEBHOOKS_TAG } from './event-paths';
import { type Address, addressesOf, responsePart } from './kind-components';
import { type Example, kindExample } from './kind-schemas';
import { asMarkdown } from './markdown';
import { PROBLEMS } from './problems';
import { guarded } from './security';
import { SERVICE_TAG } from './site-paths';

const SITE_TAGS = [SERVICE_TAG, EVENTS_TAG, WEBHOOKS_TAG];

/** Returns the paths of a kind on all its URLs; `operationIds` hands out those that are free in the document. */
export function kindPaths(
  project: Project,
  subject: ConvertedKind,
  operationIds: Identifiers,
  tag: string,
): JsonObject {
  const { group, kind } = subject;
  const nouns = nounsOf(kind);
  const endpoints = kind.history ? [...ENDPOINTS, ...HISTORY] : ENDPOINTS;
  const paths: { [path: string]: JsonObject } = {};
  const data = dataOf(subject);
  for (const address of addressesOf(subject)) {
    const version = kind.versions.find(({ version }) => version === address.versions[0])!;
    const example = kindExample({ ...subject, version });
    for (const endpoint of endpoints) {
      const path = address.path + endpoint.path;
      const id = endpoint.operationId(nouns) + capitalised(address.urlVersion ?? '');
      paths[path] ??= {};
      paths[path][endpoint.method] = {
        ...operation(project, kind, address, withData(endpoint, { data, group, address })),
        operationId: operationIds.claim(id, id + capitalised(kind.group)),
        tags: [taggedWith(tag, address.urlVersion)],
        ...(endpoint.body && { requestBody: requestBody(kind, address, endpoint.body, example) }),
        ...deprecated(group, address, endpoint),
      };
    }
  }
  return paths;
}

/** Returns an endpoint with what the declarations of its kind add to it. */
function withData(
  endpoint: Endpoint,
  { data, group, address }: { data: KindData | undefined; group: Group; address: Address },
): DataEndpoint {
  const { path, method, problems } = endpoint;
  if (data === undefined || path.startsWith('/{uid}/')) return endpoint;
  if (method !== 'get') {
    const creates = method === 'put' && data.uniqueNames === true;
    return canClash(data) ? { ...endpoint, problems: [...problems, 'Conflict'], creates } : endpoint;
  }
  const expand = expandParameter(data, group.storageVersion, address);
  return { ...endpoint, own: [...(path === '' ? listParameters(data, address) : []), ...expand] };
}

/** An endpoint with parameters and responses of the kind's own. */
interface DataEndpoint extends Endpoint {
  own?: JsonObject[];
  /** True for a PUT that creates a resource under a name, with `If-None-Match: *`. */
  creates?: boolean;
}

const CREATING =
  'With `If-None-Match: *`, it creates the resource with this name, or returns 412 if there is one.';

const WAITING =
  'Where it has finalizers, the response is 202, and the deletion waits until the last of them is removed.';

/** Returns the members that mark the operations of a deprecated version. */
function deprecated(group: Group, { urlVersion }: Address, { description }: Endpoint): JsonObject {
  const text = urlVersion === undefined ? undefined : deprecationText(group, urlVersion);
  if (text === undefined) return {};
  const notice = `Deprecated ${asMarkdown(text)}`;
  return { deprecated: true, description: `${description}\n\n${notice}` };
}

/** They stand with each operation: Swagger UI does not resolve those of a whole path. */
function pathParameters({ uniqueNames }: Kind, path: Endpoint['path']): string[] {
  const names = ['uid', 'versionId'].filter((name) => path.includes(`{${name}}`));
  return names.map((name) => (name === 'uid' && uniqueNames ? 'uidOrName' : name));
}

function operation(project: Project, kind: Kind, address: Address, endpoint: DataEndpoint): JsonObject {
  const { summary, response, own = [], creates = false } = endpoint;
  const waits = project.kubernetes && response === 'Deleted' && endpoint.path === '/{uid}';
  const description = [
    endpoint.description,
    ...(creates ? [CREATING] : []),
    ...(waits ? [WAITING] : []),
  ].join(' ');
  // A PUT that creates has no If-Match, even where the service requires it of others.
  const ifMatch = creates ? 'readIfMatch' : 'ifMatch';
  const parameters = [
    ...pathParameters(kind, endpoint.path),
    ...(endpoint.method === 'get' ? [] : ['dryRun']),
    ...(endpoint.parameters ?? []),
  ].map((name) => ref('parameters', name === 'ifMatch' ? ifMatch : name));
  const all = [...parameters, ...own];
  const responseRef = (part: string): JsonObject =>
    ref('responses', part === 'Deleted' ? part : kindComponent(kind, address.named, responsePart(part)));
  const successes = [
    [response === 'Created' ? 201 : 200, responseRef(response)],
    ...(creates ? [[201, responseRef('Created')]] : []),
    ...(waits ? [[202, responseRef('Written')]] : []),
  ];
  const problems = problemsOf(project, address, endpoint).map((problem) => [
    statusOf(problem),
    ref('responses', problem),
  ]);
  return {
    summary: summary(nounsOf(kind)),
    description,
    ...(all.length > 0 && { parameters: all }),
    ...guarded(project),
    responses: Object.fromEntries([...successes, ...problems]) as JsonObject,
  };
}

/** Returns the responses that are no success, in order of their status. */
function problemsOf(
  { requireIfMatch, security }: Project,
  { urlVersion }: Address,
  { body, problems }: Endpoint,
): ErrorName[] {
  const all: ErrorName[] = ['BadRequest', ...problems, 'ContentTooLarge', 'ServerError', 'Unavailable'];
  if (security.length > 0) all.push('Unauthorized');
  // A URL that names the version decides, unless the body does: `Accept` is not looked at.
  if (urlVersion === undefined || body !== undefined) all.push('NotAcceptable');
  return all
    .filter((problem) => problem !== 'PreconditionRequired' || requireIfMatch)
    .sort((a, b) => statusOf(a) - statusOf(b));
}

function statusOf(response: ErrorName): number {
  return response === 'NotModified' || response === 'ListNotModified' ? 304 : PROBLEMS[response].status;
}

/**
 * Returns a function for the tags of kinds. They have the group where another kind, or the service, has the name in any case:
 * tools make classes of tags.
 */
export function tagsOf({ groups }: Project): (kind: Kind) => string {
  const seen = new Set(SITE_TAGS);
  const shared = new Set<string>();
  for (const { name } of groups.flatMap(({ kinds }) => kinds)) {
    const folded = name.toLowerCase();
    (seen.has(folded) ? shared : seen).add(folded);
  }
  return ({ name, group }) => (shared.has(name.toLowerCase()) ? `${name} (${group})` : name);
}

/** The tag of a kind's operations on one of its URLs. */
export function taggedWith(tag: string, urlVersion: string | undefined): string {
  return urlVersion === undefined ? tag : `${tag} ${urlVersion}`;
}

/**
 * Returns the request body of an operation. It stands with the operation: generators name a shared one with several media
 * types twice.
 */
export function requestBody(
  kind: Kind,
  { named }: Address,
  body: NonNullable<Endpoint['body']>,
  example: Example | undefined,
): JsonObject {
  const schema = (part: string): JsonObject => ref('schemas', kindComponent(kind, named, part));
  if (body === 'Patch')
    return patchBody([schema('Patch'), 'ShorthandPatch'], changeOf('spec', example?.spec));
  if (body === 'StatusPatch')
    return patchBody(
      [schema('StatusMergePatch'), 'StatusShorthandPatch'],
      changeOf('status', example?.status),
    );
  return { required: true, content: { 'application/json': { schema: schema(body) } } };
}

/** A patch in each of the three types (specification, "Patch media types"). */
function patchBody([merge, shorthand]: [JsonObject, string], { parent, member, value }: Change): JsonObject {
  const types: { [type: string]: [schema: JsonObject, example: Json] } = {
    'application/merge-patch+json': [merge, { [parent]: { [member]: value } }],
    'application/json-patch+json': [
      ref('schemas', 'JsonPatch'),
      [{ op: 'add', path: `/${parent}/${member}`, value }],
    ],
    'application/shorthand-patch+json': [ref('schemas', shorthand), { [`${parent}.${member}`]: value }],
  };
  return {
    required: true,
    content: Object.fromEntries(
      Object.entries(types).map(([type, [schema, example]]) => [type, { schema, example }]),
    ),
  };
}

/** A change that examples of patches make: one member of an object of the resource. */
interface Change {
  parent: 'spec' | 'status' | 'metadata';
  member: string;
  value: Json;
}

const LABELS: Change = { parent: 'metadata', member: 'labels', value: { env: 'prod' } };

function changeOf(parent: 'spec' | 'status', example: Json | undefined): Change {
  const entries = Object.entries((example ?? {}) as JsonObject);
  const [member, value] = entries.find(([, value]) => typeof value !== 'object') ?? entries[0] ?? [];
  return member === undefined ? LABELS : { parent, member, value: value! };
}
