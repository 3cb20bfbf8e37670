import type { JsonObject } from './document';
import { headerRefs, ref } from './naming';

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'array', items: TEXT };
const HEADERS = { Vary: 'Vary', 'Cache-Control': 'NoStore' };

/** The tag of these paths; those of kinds begin with a capital. */
export const EVENTS_TAG = 'events';

/** The stream of events, and what was given up of them. */
export function eventPaths(): JsonObject {
  return {
    '/events': events(),
    '/events/dead-letters': deadLetters(),
    '/events/dead-letters/resend': resendDeadLetters(),
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
      'Only events of this type; `*` stands for any text: `io.svc.device.updated`, `io.svc.device.*`, `io.svc.*.deleted`.',
      TEXTS,
    ),
    parameter('query', 'kind', 'Only events of this kind: `Device` or `<group>/Device`.', TEXTS),
    ref('parameters', 'labelSelector'),
    ref('parameters', 'label'),
    parameter(
      'query',
      'version',
      'The version of the resources in the events, such as `v1`; without it that of `Accept`, or else the storage version.',
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
          headers: headerRefs({ ...HEADERS, Warning: 'Warning' }),
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
  return {
    get: {
      operationId: 'listDeadLetters',
      summary: 'The events that webhooks and durable subscribers did not take',
      description: 'Oldest first, of those that may be seen. The header `Link` leads to the next page.',
      tags: [EVENTS_TAG],
      parameters: [
        ...eventFilter(),
        limit('At most so many are looked at: 100 without it, 1,000 at most.'),
        parameter('query', 'after', 'Only those after the one with this id.', {
          type: 'integer',
          minimum: 0,
        }),
      ],
      responses: {
        '200': {
          description: 'A page of them.',
          headers: headerRefs({ Link: 'Link', ...HEADERS, Warning: 'Warning' }),
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

function resendDeadLetters(): JsonObject {
  return {
    post: {
      operationId: 'resendDeadLetters',
      summary: 'Deliver dead letters once more',
      description:
        'The oldest first, of those that may be seen. What is taken is no dead letter any more. After one that fails, later ' +
        'ones of its resource are not tried, and after three none for its consumer. Other parameters than these are refused.',
      tags: [EVENTS_TAG],
      parameters: [
        parameter('query', 'id', 'Only the one with this id.', { type: 'array', items: { type: 'integer' } }),
        parameter('query', 'consumer', 'Only those for this consumer.', TEXTS),
        ...eventFilter(),
        limit('At most so many: 100 without it, 1,000 at most.'),
      ],
      responses: {
        '200': {
          description: 'What came of each.',
          content: { 'application/json': { schema: ref('schemas', 'ResentDeadLetters') } },
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

function limit(description: string): JsonObject {
  return parameter('query', 'limit', description, { type: 'integer', minimum: 1 });
}
