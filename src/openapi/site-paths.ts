import type { Project } from '../model';
import type { JsonObject } from './document';
import { capitalised, ref } from './naming';

const TEXT = { type: 'string' } as const;

/** What belongs to no kind: discovery, documents, health, metrics and, where they are published, events. */
export function sitePaths(project: Project): JsonObject {
  const documents = project.groups.flatMap(({ name, versions }) =>
    versions.map((version): [string, JsonObject] => [
      `/apis/${name}/${version}/openapi.json`,
      get(
        `readOpenApi${capitalised(name)}${capitalised(version)}`,
        `OpenAPI document of ${name}/${version}`,
        answers('The document.', 'application/json', { type: 'object' }),
      ),
    ]),
  );
  return {
    '/': get('discover', 'What the service offers', {
      '200': {
        description: 'JSON for programs, a page for browsers.',
        headers: { Vary: ref('headers', 'Vary') },
        content: {
          'application/json': { schema: ref('schemas', 'Service') },
          'text/html': { schema: TEXT },
        },
      },
    }),
    '/apis': get(
      'discoverApis',
      'The API groups, their versions and kinds',
      answers('The groups.', 'application/json', ref('schemas', 'Apis')),
    ),
    '/openapi.json': get(
      'readOpenApi',
      'This document',
      answers('The document.', 'application/json', { type: 'object' }),
    ),
    ...Object.fromEntries(documents),
    '/docs': get('readDocs', 'This documentation as a page', answers('The page.', 'text/html', TEXT)),
    '/healthz': get(
      'checkHealth',
      'Whether the process lives',
      answers('It lives.', 'application/json', ref('schemas', 'Health')),
    ),
    '/readyz': get('checkReadiness', 'Whether the store can be written', {
      ...answers('It can.', 'application/json', ref('schemas', 'Health')),
      '503': ref('responses', 'Unavailable'),
    }),
    '/metrics': get(
      'readMetrics',
      'Measurements for Prometheus',
      answers('The measurements.', 'text/plain', TEXT),
    ),
    ...(project.events && { '/events': events() }),
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

function get(operationId: string, summary: string, responses: JsonObject): { get: JsonObject } {
  return {
    get: {
      operationId,
      summary,
      tags: [SERVICE_TAG],
      responses: { ...responses, '4XX': ref('responses', 'Refused') },
    },
  };
}

function answers(description: string, type: string, schema: JsonObject): JsonObject {
  return { '200': { description, content: { [type]: { schema } } } };
}

function events(): JsonObject {
  const parameter = (place: 'query' | 'header', name: string, description: string): JsonObject => ({
    name,
    in: place,
    description,
    schema: TEXT,
  });
  const position =
    'The position after which to begin, the `id` of an event seen before; `0` is the oldest kept. Without one it starts now.';
  return {
    get: {
      operationId: 'streamEvents',
      summary: 'Follow the events',
      description: 'Server-Sent Events: `data` is a CloudEvent, `id` its position.',
      tags: [EVENTS_TAG],
      parameters: [
        parameter('query', 'type', 'Only events of this type, such as `io.svc.device.updated`.'),
        parameter('query', 'kind', 'Only events of this kind.'),
        parameter('query', 'Last-Event-ID', position),
        parameter('header', 'Last-Event-ID', position),
      ],
      responses: {
        '200': {
          description: 'The stream; it does not end.',
          content: { 'text/event-stream': { schema: TEXT } },
        },
        '400': ref('responses', 'BadRequest'),
        '410': ref('responses', 'Gone'),
        '500': ref('responses', 'ServerError'),
        '503': ref('responses', 'Unavailable'),
      },
    },
  };
}
