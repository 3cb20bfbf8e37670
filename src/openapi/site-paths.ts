import { Identifiers } from '../code/identifiers';
import { capitalised } from '../model/names';
import type { JsonObject, Project } from '../model/project';
import type { ConvertedKind } from '../plan/planned-project';
import { ANY_OBJECT, headerRefs, ref, TEXT } from './components';
import { eventPaths } from './event-paths';
import { errorResponses } from './problems';
import { guarded, unauthorized } from './security';

/** Returns the paths that belong to no kind: discovery, documents, health, metrics and, where they are published, events. */
export function sitePaths(project: Project, kinds: ConvertedKind[]): JsonObject {
  const ids = new Identifiers();
  const documents = project.groups.flatMap(({ name, versions }) =>
    versions.map((version): [string, JsonObject] => {
      const id = ids.claim(`readOpenApi${capitalised(name)}${capitalised(version)}`);
      const summary = `Read the document of ${name}/${version}`;
      const description = `The OpenAPI document of only ${name}/${version}.`;
      return [`/apis/${name}/${version}/openapi.json`, page(id, summary, description, json(ANY_OBJECT))];
    }),
  );
  return {
    '/': page(
      'discover',
      'Discover the service',
      `The kinds and the other paths${project.parts.pages ? ': JSON for programs, a page for browsers' : ''}.`,
      {
        ...json(ref('schemas', 'Service')),
        ...(project.parts.pages && HTML),
      },
    ),
    '/apis': page(
      'discoverApis',
      'Discover the APIs',
      'The API groups, their versions and kinds.',
      json(ref('schemas', 'Apis')),
    ),
    '/openapi.json': page(
      'readOpenApi',
      'Read this document',
      'The OpenAPI document of the whole service.',
      json(ANY_OBJECT),
    ),
    ...Object.fromEntries(documents),
    ...(project.parts.pages && {
      '/docs': page('readDocs', 'Read this documentation', 'This document as a page for people.', HTML),
    }),
    ...(project.console && {
      '/console': page('readConsole', 'Open the console', 'The console for people.', HTML),
    }),
    ...probes(project),
    ...(project.events && eventPaths(project, kinds)),
  };
}

const HTML = { 'text/html': { schema: TEXT } };

function json(schema: JsonObject): JsonObject {
  return { 'application/json': { schema } };
}

/** Returns the paths that report the state of the process. */
function probes(project: Project): JsonObject {
  const health = json(ref('schemas', 'Health'));
  const ready = probe('checkReadiness', 'Check readiness', 'Reports whether the store is writable.', health);
  const metrics = probe('readMetrics', 'Read metrics', 'Metrics in the text format of Prometheus.', {
    'text/plain': { schema: TEXT },
  });
  return {
    '/healthz': { get: probe('checkHealth', 'Check health', 'Reports that the process is alive.', health) },
    '/readyz': { get: { ...ready, responses: { ...ready.responses, ...errorResponses('Unavailable') } } },
    ...(project.parts.metrics && {
      '/metrics': {
        get: {
          ...metrics,
          ...guarded(project),
          responses: { ...metrics.responses, ...unauthorized(project), ...errorResponses('NotFound') },
        },
      },
    }),
  };
}

/** The tag of these paths; those of kinds begin with a capital. */
export const SERVICE_TAG = 'service';

/** The headers of every page. */
export const PAGE_HEADERS = { ETag: 'ETag', Vary: 'PageVary', 'Cache-Control': 'CacheControl' };

/** The headers of responses that are true at the moment only. */
const UNCACHED = { 'Cache-Control': 'NoStore' };

/** Returns a path whose response stays the same as long as the service runs: clients may cache it. */
function page(operationId: string, summary: string, description: string, content: JsonObject): JsonObject {
  return {
    get: {
      operationId,
      summary,
      description,
      tags: [SERVICE_TAG],
      parameters: [ref('parameters', 'ifNoneMatch')],
      responses: {
        '200': { description: 'The response.', headers: headerRefs(PAGE_HEADERS), content },
        '304': ref('responses', 'PageNotModified'),
        '400': ref('responses', 'Refused'),
      },
    },
  };
}

function probe(
  operationId: string,
  summary: string,
  description: string,
  content: JsonObject,
): JsonObject & { responses: JsonObject } {
  const responses = {
    '200': { description: 'The response.', headers: headerRefs(UNCACHED), content },
    '400': ref('responses', 'Refused'),
  };
  return { operationId, summary, description, tags: [SERVICE_TAG], responses };
}
