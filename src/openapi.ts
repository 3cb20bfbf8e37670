import type { Project } from './model';
import { joined, reachable, type Components, type JsonObject } from './openapi/document';
import { EVENTS_TAG, webhooks } from './openapi/event-paths';
import { HEADERS, parameters } from './openapi/headers';
import { kindComponents } from './openapi/kind-components';
import { kindPaths, Tags } from './openapi/kind-paths';
import { headerRefs, ref, UniqueNames } from './openapi/naming';
import { problemResponses } from './openapi/problems';
import { SHARED_SCHEMAS } from './openapi/shared-schemas';
import { PAGE_HEADERS, SERVICE_TAG, sitePaths } from './openapi/site-paths';
import { SITE_SCHEMAS } from './openapi/site-schemas';

/** The OpenAPI 3.1 document of the whole service: every endpoint of every kind in every version. */
export function openApi(project: Project): JsonObject {
  const kinds = project.groups.flatMap((group) => group.kinds.map((kind) => ({ group, kind })));
  const ids = new UniqueNames();
  const tags = new Tags(project);
  const paths: JsonObject = Object.assign(
    {},
    ...kinds.map(({ group, kind }) => kindPaths(project, group, kind, ids, tags)),
    sitePaths(project),
  ) as JsonObject;
  const hooks: JsonObject = project.events ? { webhooks: webhooks() } : {};
  const components = joined([
    sharedComponents(project),
    ...kinds.map(({ group, kind }) => kindComponents(project, group, kind)),
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: project.name,
      version: '1.0.0',
      description: INTRODUCTION,
      license: { name: 'Not licensed to others', identifier: 'LicenseRef-UNLICENSED' },
    },
    servers: [{ url: '/' }],
    security: [],
    tags: describedTags(project, tags),
    paths,
    ...hooks,
    components: reachable({ paths, ...hooks }, components),
  };
}

/** What the operations of all kinds share. */
function sharedComponents(project: Project): Components {
  const notModified = (headers: { [name: string]: string }): JsonObject => ({
    description: 'The client has the current representation already.',
    headers: headerRefs(headers),
  });
  const validators = { ETag: 'ETag', 'Last-Modified': 'LastModified', Vary: 'Vary' };
  const cached: { [name: string]: string } =
    project.cacheControl === '' ? {} : { 'Cache-Control': 'CacheControl' };
  const deleted = {
    description: 'Deleted.',
    headers: headerRefs({ Warning: 'Warning' }),
    content: {
      'application/json': {
        schema: ref('schemas', 'Message'),
        example: { message: 'Device deleted successfully' },
      },
    },
  };
  return {
    schemas: { ...SHARED_SCHEMAS, ...SITE_SCHEMAS },
    parameters: parameters(project),
    headers: HEADERS,
    requestBodies: {},
    responses: {
      ...problemResponses(),
      NotModified: notModified({ ...validators, ...cached }),
      PageNotModified: notModified(PAGE_HEADERS),
      Deleted: deleted,
    },
  };
}

const INTRODUCTION = `Resources with a \`spec\`, written by users, and a \`status\`, written by controllers.

**Versions.** The version of a request is the first of: \`apiVersion\` in its body, the version in its URL, \`Accept: application/json;version=…\`, the storage version. The answer has the same one.

**Every path** answers \`HEAD\` like \`GET\` without the body, \`OPTIONS\` with 204 and the headers \`Allow\` and \`Accept-Patch\`, and any other method that is not listed with 405 and \`Allow\`.

**Errors** are problem details (RFC 9457). Middleware of the service may answer more than is listed here, such as 401.`;

function describedTags({ groups, events }: Project, tags: Tags): JsonObject[] {
  const kinds = groups.flatMap((group) => group.kinds);
  return [
    ...kinds.flatMap((kind) => [
      { name: tags.of(kind), description: `${kind.name} of ${kind.group}, in the version negotiated` },
      ...kind.versions.map(({ version }) => ({
        name: tags.of(kind, version),
        description: `${kind.name} of ${kind.group}/${version}`,
      })),
    ]),
    { name: SERVICE_TAG, description: 'Discovery, documentation, health' },
    ...(events ? [{ name: EVENTS_TAG, description: 'What happened to resources, as CloudEvents' }] : []),
  ];
}

/** Every method and path of a document, such as `['GET', '/devices/{uid}']`, in its order. */
export function documentedRoutes(document: JsonObject): [method: string, path: string][] {
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  return Object.entries(document['paths'] as { [path: string]: JsonObject }).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method): [string, string] => [method.toUpperCase(), path]),
  );
}
