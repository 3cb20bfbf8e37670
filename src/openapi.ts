import type { Project } from './model';
import { reached, type Components, type JsonObject } from './openapi/document';
import { EVENTS_TAG, webhooks } from './openapi/event-paths';
import { HEADERS, parameters } from './openapi/headers';
import type { DocumentedKind, KindPart } from './openapi/kind-part';
import { operationIds, taggedWith, Tags } from './openapi/kind-paths';
import { typeSchemas } from './openapi/kind-schemas';
import { headerRefs, ref, UniqueNames } from './openapi/naming';
import { problemResponses } from './openapi/problems';
import { SHARED_SCHEMAS } from './openapi/shared-schemas';
import { PAGE_HEADERS, SERVICE_TAG, sitePaths } from './openapi/site-paths';
import { SITE_SCHEMAS } from './openapi/site-schemas';

/** The kinds of a project, each with what is its own in the document. */
export function documentedKinds(project: Project): DocumentedKind[] {
  const names = new UniqueNames();
  const tags = new Tags(project);
  return project.groups.flatMap((group) =>
    group.kinds.map((kind) => ({
      ...{ group, kind },
      operationIds: operationIds(group, kind, names),
      tag: tags.of(kind),
    })),
  );
}

/** What the document holds beside the parts of kinds. */
export interface Frame {
  /** The members before the paths. */
  head: JsonObject;
  /** The paths that belong to no kind, and the webhooks. */
  paths: { paths: JsonObject; hooks: JsonObject };
  /** The components that kinds share. */
  components: Components;
  /** The schemas of all shared types. */
  types: { [name: string]: JsonObject };
}

/** What the document holds beside these parts of its kinds. */
export function frame(project: Project, parts: Pick<KindPart, 'types' | 'references'>[]): Frame {
  const paths = sitePaths(project);
  const hooks: JsonObject = project.events ? { webhooks: webhooks() } : {};
  const types = Object.assign(
    {},
    ...project.groups.map((group) => typeSchemas(project, group)),
  ) as Frame['types'];
  const references = new Set(parts.flatMap((part) => part.references));
  const roots = [paths, hooks, ...[...references].map((reference) => ({ $ref: reference }))];
  return {
    head: {
      openapi: '3.1.0',
      info: {
        title: project.name,
        version: '1.0.0',
        description: INTRODUCTION,
        license: { name: 'Not licensed to others', identifier: 'LicenseRef-UNLICENSED' },
      },
      servers: [{ url: '/' }],
      security: [],
      tags: describedTags(project),
    },
    paths: { paths, hooks },
    components: reached(roots, sharedComponents(project)).components,
    types,
  };
}

/** The members of these names. */
export function only<T>(members: { [name: string]: T }, names: string[]): { [name: string]: T } {
  return Object.fromEntries(names.map((name) => [name, members[name]!]));
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

function describedTags(project: Project): JsonObject[] {
  const { groups, events } = project;
  const tags = new Tags(project);
  const kinds = groups.flatMap((group) => group.kinds);
  return [
    ...kinds.flatMap((kind) => [
      { name: tags.of(kind), description: `${kind.name} of ${kind.group}, in the version negotiated` },
      ...kind.versions.map(({ version }) => ({
        name: taggedWith(tags.of(kind), version),
        description: `${kind.name} of ${kind.group}/${version}`,
      })),
    ]),
    { name: SERVICE_TAG, description: 'Discovery, documentation, health' },
    ...(events ? [{ name: EVENTS_TAG, description: 'What happened to resources, as CloudEvents' }] : []),
  ];
}
