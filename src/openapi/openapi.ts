import { Identifiers } from '../code/identifiers';
import type { JsonObject, Kind, Project } from '../model/project';
import type { PlannedProject } from '../plan/planned-project';
import { type Components, headerRefs, joined, merged, reached, ref } from './components';
import { EVENTS_TAG, webhooks, WEBHOOKS_TAG } from './event-paths';
import { HEADERS, parameters } from './headers';
import { kindComponents } from './kind-components';
import { kindPaths, taggedWith, tagsOf } from './kind-paths';
import { typeSchemas } from './kind-schemas';
import { asMarkdown } from './markdown';
import { problemResponses } from './problems';
import { securitySchemes } from './security';
import { SHARED_SCHEMAS } from './shared-schemas';
import { PAGE_HEADERS, SERVICE_TAG, sitePaths } from './site-paths';
import { SITE_SCHEMAS } from './site-schemas';

/** Returns the OpenAPI 3.1 document of a service: `openapi.json`. */
export function openApi({ project, kinds }: PlannedProject): JsonObject {
  const site = sitePaths(project, kinds);
  const operationIds = new Identifiers(operationIdsOf(site));
  const tagOf = tagsOf(project);
  const ofKinds = kinds.map((subject) => kindPaths(project, subject, operationIds, tagOf(subject.kind)));
  const paths = merged([...ofKinds, site]);
  const hooks: JsonObject = project.events ? { webhooks: webhooks() } : {};
  const components = joined([
    sharedComponents(project),
    { schemas: merged(project.groups.map((group) => typeSchemas(project, group))) },
    ...kinds.map((subject) => kindComponents(project, subject)),
  ]);
  const { info } = project;
  return {
    openapi: '3.1.0',
    info: {
      title: info.title,
      version: info.version,
      description: [info.description, INTRODUCTION].filter(Boolean).join('\n\n'),
      contact: { ...info.contact },
      license: { ...info.license } as JsonObject,
    },
    servers: [{ url: '/' }],
    security: [],
    tags: describedTags(project, tagOf),
    paths,
    ...hooks,
    components: { ...reached({ paths, hooks }, components), ...securitySchemes(project) },
  };
}

/** Returns the operationIds of paths. */
function operationIdsOf(paths: JsonObject): string[] {
  const operations = Object.values(paths).flatMap((path) => Object.values(path as JsonObject));
  return operations.map((operation) => (operation as { operationId: string }).operationId);
}

/** Returns the components that all kinds share. */
function sharedComponents(project: Project): Components {
  const notModified = (headers: { [name: string]: string }): JsonObject => ({
    description: 'The client already has the current representation.',
    headers: headerRefs(headers),
  });
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
    responses: {
      ...problemResponses(),
      NotModified: notModified({
        ...{ ETag: 'ETag', 'Last-Modified': 'LastModified', Vary: 'Vary' },
        'Cache-Control': 'CacheControl',
      }),
      ListNotModified: notModified({ ETag: 'ETag', Vary: 'Vary', 'Cache-Control': 'CacheControl' }),
      PageNotModified: notModified(PAGE_HEADERS),
      Deleted: deleted,
    },
  };
}

const INTRODUCTION = `Resources with a \`spec\`, written by users, and a \`status\`, written by controllers.

**Versions.** The version of a request is the first of: \`apiVersion\` in its body, the version in its URL, \`Accept: application/json;version=…\`, the storage version. The response has the same version.

**Every path** supports \`HEAD\`, which is \`GET\` without the body, and \`OPTIONS\`, which returns 204 with \`Allow\`, and with \`Accept-Patch\` where \`PATCH\` is allowed. All other methods that are not listed return 405 with \`Allow\`.

**Errors** are problem details (RFC 9457). Middleware of the service may return more statuses than listed here, such as 401.`;

function describedTags({ groups, events }: Project, tagOf: (kind: Kind) => string): JsonObject[] {
  const kinds = groups.flatMap((group) => group.kinds);
  return [
    ...kinds.flatMap((kind) => [
      { name: tagOf(kind), description: tagDescription(kind) },
      ...kind.versions.map(({ version }) => ({
        name: taggedWith(tagOf(kind), version),
        description: `${kind.name} of ${kind.group}/${version}`,
      })),
    ]),
    { name: SERVICE_TAG, description: 'Discovery, documentation, health' },
    ...(events ? EVENT_TAGS : []),
  ];
}

const EVENT_TAGS = [
  { name: EVENTS_TAG, description: 'Changes to resources, as CloudEvents' },
  { name: WEBHOOKS_TAG, description: 'Requests that the service sends to the receivers of its events' },
];

function tagDescription({ name, group, description }: Kind): string {
  const negotiated = `${name} of ${group}, in the negotiated version`;
  return description === '' ? negotiated : `${asMarkdown(description)}\n\n${negotiated}.`;
}
