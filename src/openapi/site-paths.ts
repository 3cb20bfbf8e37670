import type { Project } from '../model';
import { ANY_OBJECT, type JsonObject } from './document';
import { capitalised, headerRefs, ref } from './naming';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT };

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
    ...(project.events && { '/events': events(), '/events/dead-letters': deadLetters() }),
  };
}

/** What is sent to the service's webhooks; only where events are published. */
export function webhooks(): JsonObject {
  return {
    resourceEvent: {
      post: {
        operationId: 'receiveResourceEvent',
        summary: 'A resource was created, updated or deleted',
        description: 'At least once, in order per resource, with the same `id` at every attempt.',
        tags: [EVENTS_TAG],
        requestBody: {
          required: true,
          content: { 'application/cloudevents+json': { schema: ref('schemas', 'CloudEvent') } },
        },
        responses: {
          '2XX': { description: 'The event was taken.' },
          '4XX': { description: 'The event was not taken; it is sent again.' },
        },
      },
    },
  };
}

/** The tags of these paths; those of kinds begin with a capital. */
export const SERVICE_TAG = 'service';
export const EVENTS_TAG = 'events';

/** What every page carries. */
export const PAGE_HEADERS = { ETag: 'ETag', Vary: 'PageVary', 'Cache-Control': 'CacheControl' };

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

function parameter(
  place: 'query' | 'header',
  name: string,
  description: string,
  schema: JsonObject = TEXT,
): JsonObject {
  return { name, in: place, description, schema };
}

/** Which events a client wants, and in which version. */
function eventFilter(): JsonObject[] {
  return [
    parameter(
      'query',
      'type',
      'Only events of this type, such as `io.svc.device.updated` or `io.svc.device.*`.',
      TEXTS,
    ),
    parameter('query', 'kind', 'Only events of this kind: `Device` or `<group>/Device`.', TEXTS),
    ref('parameters', 'labelSelector'),
    ref('parameters', 'label'),
    parameter(
      'query',
      'version',
      'The version of the resources in the events, such as `v1`; without it the storage version.',
    ),
  ];
}

function events(): JsonObject {
  const position =
    'The position after which to begin, the `id` of an event seen before; `0` is the oldest kept. Without one it starts now.';
  return {
    get: {
      operationId: 'streamEvents',
      summary: 'Follow the events',
      description:
        'Server-Sent Events: `data` is a CloudEvent, `id` its position. A stream begins with the position of its start; where ' +
        'nothing happens, it is repeated with a comment.',
      tags: [EVENTS_TAG],
      parameters: [
        ...eventFilter(),
        parameter('query', 'lastEventId', position),
        parameter('header', 'Last-Event-ID', position),
      ],
      responses: {
        '200': {
          description: 'The stream; it does not end.',
          headers: headerRefs(NOT_KEPT),
          content: { 'text/event-stream': { schema: TEXT } },
        },
        '400': ref('responses', 'BadRequest'),
        '403': ref('responses', 'Forbidden'),
        '406': ref('responses', 'NotAcceptable'),
        '410': ref('responses', 'Gone'),
        '500': ref('responses', 'ServerError'),
        '503': ref('responses', 'Unavailable'),
      },
    },
  };
}

function deadLetters(): JsonObject {
  const count = { type: 'integer', minimum: 0 };
  return {
    get: {
      operationId: 'listDeadLetters',
      summary: 'The events that webhooks and durable subscribers did not take',
      description: 'Oldest first, of those that may be seen. The header `Link` leads to the next page.',
      tags: [EVENTS_TAG],
      parameters: [
        ...eventFilter(),
        parameter('query', 'limit', 'At most so many are looked at: 100 without it, 1,000 at most.', count),
        parameter('query', 'after', 'Only those after the one with this id.', count),
      ],
      responses: {
        '200': {
          description: 'A page of them.',
          headers: headerRefs({ Link: 'Link', ...NOT_KEPT }),
          content: { 'application/json': { schema: { type: 'array', items: ref('schemas', 'DeadLetter') } } },
        },
        '400': ref('responses', 'BadRequest'),
        '403': ref('responses', 'Forbidden'),
        '406': ref('responses', 'NotAcceptable'),
        '500': ref('responses', 'ServerError'),
        '503': ref('responses', 'Unavailable'),
      },
    },
  };
}
