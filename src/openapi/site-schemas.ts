import type { JsonObject } from '../model/project';
import { ANY_OBJECT, ref, TEXT, TIMESTAMP } from './components';

const URL = { type: 'string', format: 'uri-reference' } as const;
const object = (properties: JsonObject, optional: string[] = []): JsonObject => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
  additionalProperties: false,
});
const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
const BOOLEAN = { type: 'boolean' } as const;
const STABILITY: JsonObject = { type: 'string', enum: ['stable', 'beta', 'alpha'] };

/** Links that only services with a feature have. */
const LINKS_OF_FEATURES = ['docs', 'console', 'metrics', 'events', 'kubernetes'];

/** The schemas of what belongs to no kind. */
export const SITE_SCHEMAS: { [name: string]: JsonObject } = {
  Service: object({
    name: TEXT,
    links: object(
      Object.fromEntries(
        ['apis', 'openapi', 'health', 'ready', ...LINKS_OF_FEATURES].map((name) => [name, URL]),
      ),
      LINKS_OF_FEATURES,
    ),
    kinds: list(
      object({
        group: TEXT,
        kind: TEXT,
        plural: TEXT,
        url: URL,
        storageVersion: TEXT,
        history: BOOLEAN,
        versions: list(object({ version: TEXT, url: URL })),
      }),
    ),
  }),
  Apis: object({
    groups: list(
      object({
        name: TEXT,
        storageVersion: TEXT,
        versions: list(
          object(
            {
              version: TEXT,
              apiVersion: TEXT,
              stability: STABILITY,
              storage: BOOLEAN,
              deprecated: object({ since: TEXT, sunset: TEXT, note: TEXT }, ['sunset', 'note']),
              openapi: URL,
              kinds: list(object({ kind: TEXT, plural: TEXT, url: URL, history: BOOLEAN })),
            },
            ['deprecated'],
          ),
        ),
      }),
    ),
  }),
  Health: object({ status: TEXT }),
  CloudEvent: cloudEvent(),
  DeadLetter: object({
    id: { type: 'integer' },
    consumer: TEXT,
    attempts: { type: 'integer' },
    error: TEXT,
    failedAt: TIMESTAMP,
    event: ref('schemas', 'CloudEvent'),
  }),
  ResentDeadLetters: object({
    sent: list({ type: 'integer' }),
    failed: list(object({ id: { type: 'integer' }, consumer: TEXT, error: TEXT })),
  }),
};

/** Requirement, "Events". */
function cloudEvent(): JsonObject {
  const attributes = {
    specversion: { type: 'string', const: '1.0' },
    type: { ...TEXT, examples: ['io.svc.device.updated'] },
    source: { ...URL, examples: ['svc-api/resources/Device/dev-0123456789abcdef'] },
    id: TEXT,
    time: TIMESTAMP,
    datacontenttype: { type: 'string', const: 'application/json' },
    traceparent: { ...TEXT, description: 'The trace of the writing request, if it had one.' },
    data: object(
      {
        action: { type: 'string', enum: ['created', 'updated', 'deleted'] },
        resourceKind: TEXT,
        resourceUID: TEXT,
        resourceName: TEXT,
        actor: { ...TEXT, description: 'The caller who wrote, if the service knows it.' },
        resource: {
          ...ANY_OBJECT,
          description: 'The whole resource in the storage version; for a deleted resource, its last state.',
        },
        metadata: object(
          {
            updatedAt: TIMESTAMP,
            updateType: {
              type: 'string',
              enum: ['spec', 'status'],
              description: '`status` for a change through a status endpoint.',
            },
          },
          ['updateType'],
        ),
      },
      ['actor'],
    ),
  };
  return object(attributes, ['traceparent']);
}
