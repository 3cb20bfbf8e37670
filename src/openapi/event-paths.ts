import { codeSpans } from '../code/markdown';
import type { JsonObject, Project } from '../model/project';
import { dataOf } from '../plan/kind-data';
import type { ConvertedKind } from '../plan/planned-project';
import { ANY_OBJECT, COUNT, headerRefs, parameter, ref, TEXT } from './components';
import { isSelected } from './data-parameters';
import { errorResponses } from './problems';
import { guarded, unauthorized } from './security';

/** A position in the log of events: one number on SQLite, two on PostgreSQL. An empty one counts as none. */
const POSITION: JsonObject = { type: 'string', pattern: '^(?:(?:[0-9]{1,19}-)?[0-9]{1,15})?$' };

const LIST = { type: 'array', items: TEXT };
const NON_EMPTY_LIST = { type: 'array', items: { type: 'string', minLength: 1 } };
const HEADERS = { Vary: 'Vary', 'Cache-Control': 'NoStore' };

const ERRORS = errorResponses('BadRequest', 'Forbidden', 'NotAcceptable', 'ServerError', 'Unavailable');

/** The tag of these paths; those of kinds begin with a capital. */
export const EVENTS_TAG = 'events';

/** The tag of the requests that a service sends: tools make a class of each tag, and this one is for servers. */
export const WEBHOOKS_TAG = 'webhooks';

/** Untyped: openapi-generator's typescript-fetch does not compile where a webhook alone refers to a component. */
const SENT_EVENT = {
  ...ANY_OBJECT,
  description: 'A CloudEvent in structured mode, as the schema `CloudEvent` describes it.',
};

/** The stream of events, and what was given up of them. */
export function eventPaths(project: Project, kinds: ConvertedKind[]): JsonObject {
  const filter = eventFilter(project, kinds);
  return {
    '/events': events(project, filter),
    '/events/dead-letters': deadLetters(project, filter),
    '/events/dead-letters/resend': resendDeadLetters(project, filter),
  };
}

/** Returns the requests that a service sends to its webhooks. */
export function webhooks(): JsonObject {
  return {
    resourceEvent: {
      post: {
        operationId: 'receiveResourceEvent',
        summary: 'A resource was created, updated or deleted',
        description:
          'Delivered at least once, in order per resource, with the same `id` at every attempt. In binary mode the body is only `data`, ' +
          'as `application/json`, and the attributes are headers such as `ce-id` and `ce-type`.',
        tags: [WEBHOOKS_TAG],
        requestBody: {
          required: true,
          content: { 'application/cloudevents+json': { schema: SENT_EVENT } },
        },
        responses: {
          '200': { description: 'The receiver has the event. Any other 2xx status means the same.' },
          '400': { description: 'The event was not accepted. It is retried, as after any other failure.' },
        },
      },
    },
  };
}

/** Which events a client wants, and in which version. */
function eventFilter(project: Project, kinds: ConvertedKind[]): JsonObject[] {
  const names = kinds.flatMap(({ group, kind }) => [kind.name, `${group.name}/${kind.name}`]);
  const versions = project.groups.flatMap(({ name, versions }) =>
    versions.flatMap((version) => [version, `${name}/${version}`]),
  );
  return [
    parameter(
      'query',
      'type',
      'Only events of this type; `*` is a wildcard: `io.svc.device.updated`, `io.svc.device.*`, `io.svc.*.deleted`.',
      NON_EMPTY_LIST,
    ),
    parameter('query', 'kind', 'Only events of this kind: `Device` or `<group>/Device`.', {
      type: 'array',
      items: names.length === 0 ? TEXT : { type: 'string', enum: [...new Set(names)] },
    }),
    ref('parameters', 'labelSelector'),
    ref('parameters', 'label'),
    ...fieldSelectors(kinds),
    parameter(
      'query',
      'version',
      'The version of the resources in the events, such as `v1`; by default that of `Accept`, or else the storage version.',
      { type: 'string', enum: [...new Set(versions)] },
    ),
  ];
}

/** The selection of events by the fields of their resources, where kinds have selectable fields. */
function fieldSelectors(kinds: ConvertedKind[]): JsonObject[] {
  const selected = kinds.filter((subject) => isSelected(dataOf(subject)));
  if (selected.length === 0) return [];
  return [
    parameter(
      'query',
      'fieldSelector',
      'Only events of resources whose fields match, as in lists, with exactly one `kind`. A write that takes a resource out of ' +
        `the selection is an event with \`"selection": "left"\`. The kinds: ${codeSpans(selected.map(({ kind }) => kind.name))}.`,
      LIST,
    ),
  ];
}

function events(project: Project, filter: JsonObject[]): JsonObject {
  const position =
    'The position after which to begin: the `id` of an earlier event, or `0` for the oldest retained event. Begins now by default.';
  return {
    get: {
      operationId: 'streamEvents',
      summary: 'Follow the events',
      description:
        'Server-Sent Events: `data` is a CloudEvent, `id` its position. A stream begins with the position of its start, and ' +
        'repeats it in a comment while there are no events.',
      tags: [EVENTS_TAG],
      ...guarded(project),
      parameters: [
        ...filter,
        parameter('query', 'lastEventId', position, POSITION),
        parameter('header', 'Last-Event-ID', position, POSITION),
      ],
      responses: {
        '200': {
          description: 'The event stream, which stays open.',
          headers: headerRefs({ ...HEADERS, Warning: 'Warning' }),
          content: { 'text/event-stream': { schema: TEXT } },
        },
        ...unauthorized(project),
        ...ERRORS,
        ...errorResponses('Gone'),
      },
    },
  };
}

function deadLetters(project: Project, filter: JsonObject[]): JsonObject {
  return {
    get: {
      operationId: 'listDeadLetters',
      summary: 'List events that webhooks and durable subscribers did not accept',
      description: 'Visible dead letters, oldest first. The header `Link` leads to the next page.',
      tags: [EVENTS_TAG],
      ...guarded(project),
      parameters: [
        ...filter,
        limit('Maximum number of dead letters to examine: 100 by default, at most 1,000.'),
        parameter('query', 'after', 'Only dead letters after the one with this id.', {
          type: 'integer',
          minimum: 0,
        }),
      ],
      responses: {
        '200': {
          description: 'A page of dead letters.',
          headers: headerRefs({ Link: 'Link', ...HEADERS, Warning: 'Warning' }),
          content: { 'application/json': { schema: { type: 'array', items: ref('schemas', 'DeadLetter') } } },
        },
        ...unauthorized(project),
        ...ERRORS,
      },
    },
  };
}

function resendDeadLetters(project: Project, filter: JsonObject[]): JsonObject {
  return {
    post: {
      operationId: 'resendDeadLetters',
      summary: 'Deliver dead letters again',
      description:
        'Delivers visible dead letters, oldest first, and removes those that are accepted. After a failure, later ' +
        'ones of the same resource are not tried, and after three failures none of the same consumer. Other parameters are refused.',
      tags: [EVENTS_TAG],
      ...guarded(project),
      parameters: [
        parameter('query', 'id', 'Only the dead letter with this id.', {
          type: 'array',
          items: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 },
        }),
        parameter('query', 'consumer', 'Only dead letters of this consumer.', LIST),
        ...filter,
        limit('Maximum number of dead letters to deliver: 100 by default, at most 1,000.'),
      ],
      responses: {
        '200': {
          description: 'The outcome of each delivery.',
          content: { 'application/json': { schema: ref('schemas', 'ResentDeadLetters') } },
        },
        ...unauthorized(project),
        ...ERRORS,
      },
    },
  };
}

function limit(description: string): JsonObject {
  return parameter('query', 'limit', description, COUNT);
}
