import type { Project } from '../model';
import { ANY_OBJECT, type JsonObject } from './document';
import { eventPaths } from './event-paths';
import { capitalised, headerRefs, ref } from './naming';

const TEXT = { type: 'string' } as const;

/** What belongs to no kind: discovery, documents, health, metrics and, where they are published, events. */
export function sitePaths(project: Project): JsonObject {
  const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
  const html = { 'text/html': { schema: TEXT } };
  const documents = project.groups.flatMap(({ name, versions }) =>
    versions.map((version): [string, JsonObject] => [
      `/apis/${name}/${version}/openapi.json`,
      page(
        `readOpenApi${capitalised(name)}${capitalised(version)}`,
        `OpenAPI document of ${name}/${version}`,
        json(ANY_OBJECT),
      ),
    ]),
  );
  return {
    '/': page('discover', 'What the service offers: JSON for programs, a page for browsers', {
      ...json(ref('schemas', 'Service')),
      ...html,
    }),
    '/apis': page('discoverApis', 'The API groups, their versions and kinds', json(ref('schemas', 'Apis'))),
    '/openapi.json': page('readOpenApi', 'This document', json(ANY_OBJECT)),
    ...Object.fromEntries(documents),
    '/docs': page('readDocs', 'This documentation as a page', html),
    '/healthz': probe('checkHealth', 'Whether the process lives', json(ref('schemas', 'Health'))),
    '/readyz': probe('checkReadiness', 'Whether the store can be written', json(ref('schemas', 'Health')), {
      '503': ref('responses', 'Unavailable'),
    }),
    '/metrics': probe(
      'readMetrics',
      'Measurements for Prometheus',
      { 'text/plain': { schema: TEXT } },
      { '404': ref('responses', 'NotFound') },
      NOT_KEPT,
    ),
    ...(project.events && eventPaths()),
  };
}

/** The tag of these paths; those of kinds begin with a capital. */
export const SERVICE_TAG = 'service';

/** What every page carries. */
export const PAGE_HEADERS = { ETag: 'ETag', Vary: 'PageVary', 'Cache-Control': 'CacheControl' };

/** What is true at the moment alone. */
const NOT_KEPT = { 'Cache-Control': 'NoStore' };

/** What stays the same as long as the service runs: clients may keep it. */
function page(operationId: string, summary: string, content: JsonObject): JsonObject {
  return {
    get: {
      operationId,
      summary,
      tags: [SERVICE_TAG],
      parameters: [ref('parameters', 'ifNoneMatch')],
      responses: {
        '200': { description: 'The answer.', headers: headerRefs(PAGE_HEADERS), content },
        '304': ref('responses', 'PageNotModified'),
        '4XX': ref('responses', 'Refused'),
      },
    },
  };
}

function probe(
  operationId: string,
  summary: string,
  content: JsonObject,
  more: JsonObject = {},
  headers: { [name: string]: string } = {},
): JsonObject {
  const responses = {
    '200': {
      description: 'The answer.',
      ...(Object.keys(headers).length > 0 && { headers: headerRefs(headers) }),
      content,
    },
    '4XX': ref('responses', 'Refused'),
    ...more,
  };
  return { get: { operationId, summary, tags: [SERVICE_TAG], responses } };
}
