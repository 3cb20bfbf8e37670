import { deprecationText } from '../deprecation';
import type { Group, Kind, Project } from '../model';
import type { JsonObject } from './document';
import { ENDPOINTS, HISTORY, type Answer, type Endpoint } from './endpoints';
import { addressesOf, type Address } from './kind-components';
import { asMarkdown } from './markdown';
import { capitalised, componentName, nounsOf, ref, type UniqueNames } from './naming';
import { PROBLEMS } from './problems';

/** The endpoints of a kind on all its URLs, in the order of the document. */
function placesOf(group: Group, kind: Kind): { address: Address; endpoint: Endpoint }[] {
  const endpoints = kind.history ? [...ENDPOINTS, ...HISTORY] : ENDPOINTS;
  return addressesOf(group, kind).flatMap((address) => endpoints.map((endpoint) => ({ address, endpoint })));
}

/** The operationIds of a kind, in the order of its operations; `names` are those of the document so far. */
export function operationIds(group: Group, kind: Kind, names: UniqueNames): string[] {
  const nouns = nounsOf(kind);
  return placesOf(group, kind).map(({ address, endpoint }) =>
    names.take(endpoint.operationId(nouns) + capitalised(address.urlVersion ?? ''), kind.group),
  );
}

/** The paths of a kind on all its URLs, with the ids that operationIds gave and the kind's tag. */
export function kindPaths(
  project: Project,
  group: Group,
  kind: Kind,
  ids: string[],
  tag: string,
): JsonObject {
  const paths: { [path: string]: JsonObject } = {};
  placesOf(group, kind).forEach(({ address, endpoint }, index) => {
    const path = address.path + endpoint.path;
    paths[path] ??= {};
    paths[path][endpoint.method] = {
      ...operation(project, kind, address, endpoint, ids[index]!, taggedWith(tag, address.urlVersion)),
      ...deprecated(group, address, endpoint),
    };
  });
  return paths;
}

/** What the operations of a deprecated version say of it. */
function deprecated(group: Group, { urlVersion }: Address, { description }: Endpoint): JsonObject {
  const text = urlVersion === undefined ? undefined : deprecationText(group, urlVersion);
  if (text === undefined) return {};
  const told = `Deprecated ${asMarkdown(text)}`;
  return { deprecated: true, description: [description, told].filter(Boolean).join('\n\n') };
}

/** They stand with each operation: Swagger UI does not resolve those of a whole path. */
function pathParameters(path: Endpoint['path']): string[] {
  return ['uid', 'versionId'].filter((name) => path.includes(`{${name}}`));
}

function operation(
  project: Project,
  kind: Kind,
  address: Address,
  endpoint: Endpoint,
  operationId: string,
  tag: string,
): JsonObject {
  const { summary, description, body, success, answer } = endpoint;
  const parameters = [...pathParameters(endpoint.path), ...(endpoint.parameters ?? [])];
  const nouns = nounsOf(kind);
  const name = (part: string): string =>
    [componentName(kind.group, address.named, kind.name), part].filter((text) => text !== '').join('.');
  const ok = ref('responses', answer === 'Deleted' ? answer : name(answer));
  const problems = problemsOf(project, address, endpoint).map((problem) => [
    statusOf(problem),
    ref('responses', problem),
  ]);
  return {
    operationId,
    summary: summary(nouns),
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(parameters.length > 0 && { parameters: parameters.map((parameter) => ref('parameters', parameter)) }),
    ...(body && { requestBody: ref('requestBodies', name(body)) }),
    responses: Object.fromEntries([[success, ok], ...problems]) as JsonObject,
  };
}

/** The answers that are no success, in order of their status. */
function problemsOf(
  { requireIfMatch }: Project,
  { urlVersion }: Address,
  { body, problems }: Endpoint,
): Answer[] {
  const all: Answer[] = ['BadRequest', ...problems, 'ServerError', 'Unavailable'];
  // An URL that names the version decides, unless the body does: `Accept` is not looked at.
  if (urlVersion === undefined || body !== undefined) all.push('NotAcceptable');
  return all
    .filter((problem) => problem !== 'PreconditionRequired' || requireIfMatch)
    .sort((a, b) => statusOf(a) - statusOf(b));
}

function statusOf(answer: Answer): number {
  return answer === 'NotModified' ? 304 : PROBLEMS[answer].status;
}

/** The tags of kinds. */
export class Tags {
  private readonly seen = new Set<string>();
  private readonly shared = new Set<string>();

  constructor({ groups }: Project) {
    for (const { name } of groups.flatMap(({ kinds }) => kinds)) {
      (this.seen.has(name) ? this.shared : this.seen).add(name);
    }
  }

  /** The tag of a kind; with its group where another kind has the name, too. */
  of({ name, group }: Kind): string {
    return `${name}${this.shared.has(name) ? ` (${group})` : ''}`;
  }
}

/** The tag of a kind's operations on one of its URLs. */
export function taggedWith(tag: string, urlVersion: string | undefined): string {
  return urlVersion === undefined ? tag : `${tag} ${urlVersion}`;
}
