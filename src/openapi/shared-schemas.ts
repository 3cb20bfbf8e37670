import { ANY_OBJECT, type JsonObject } from './document';
import { ref } from './naming';

const TEXT = { type: 'string' } as const;
const TIMESTAMP = { type: 'string', format: 'date-time' } as const;
const COUNT = { type: 'integer', minimum: 1 } as const;
const TEXTS = { type: 'object', additionalProperties: TEXT } as const;

/** Metadata as a client may send it; the server's members are accepted, so that what was read can be sent back. */
const CLIENT_METADATA = {
  name: { ...TEXT, description: 'Without one, a new resource is named by its uid.' },
  labels: { ...TEXTS, description: 'What lists are filtered by.' },
  annotations: { ...TEXTS, description: 'Whatever else belongs to the resource.' },
};
const SERVER_METADATA = {
  uid: { ...TEXT, description: 'Made by the server, never used again.' },
  createdAt: { ...TIMESTAMP },
  updatedAt: { ...TIMESTAMP, description: 'The time of the last write; never goes backwards.' },
  generation: { ...COUNT, description: '1 on create, one more for each write that changes the spec.' },
};

const POINTER = { ...TEXT, description: 'A JSON Pointer (RFC 6901), such as `/spec/name`.' };

function operation(names: string[], more: JsonObject): JsonObject {
  const properties = { op: { type: 'string', enum: names }, path: POINTER, ...more };
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The schemas that all kinds share. */
export const SHARED_SCHEMAS: { [name: string]: JsonObject } = {
  Metadata: {
    type: 'object',
    required: ['name', 'uid', 'createdAt', 'updatedAt', 'generation'],
    properties: { ...SERVER_METADATA, ...CLIENT_METADATA, name: TEXT },
    additionalProperties: false,
  },
  MetadataInput: {
    type: 'object',
    description: 'Metadata as a client sends it. What the server owns may be there and is ignored.',
    properties: {
      ...CLIENT_METADATA,
      ...Object.fromEntries(
        Object.entries(SERVER_METADATA).map(([name, schema]) => [name, { ...schema, readOnly: true }]),
      ),
    },
    additionalProperties: false,
  },
  Ignored: { description: 'May be sent, is not looked at.' },
  Message: {
    type: 'object',
    required: ['message'],
    properties: { message: TEXT },
    additionalProperties: false,
  },
  Problem: {
    type: 'object',
    description: 'What went wrong (RFC 9457).',
    required: ['type', 'title', 'status', 'detail', 'instance'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { ...TEXT, description: 'The phrase of the status code.' },
      status: { type: 'integer', minimum: 400, maximum: 599 },
      detail: { ...TEXT, description: 'What went wrong this time, for people.' },
      instance: { type: 'string', format: 'uri-reference', description: 'The path of the request.' },
      errors: {
        type: 'array',
        maxItems: 100,
        description: 'Every failed rule of the body.',
        items: ref('schemas', 'Failure'),
      },
    },
  },
  Failure: {
    type: 'object',
    description: 'One failed rule.',
    required: ['pointer', 'rule', 'detail'],
    properties: {
      pointer: { ...TEXT, description: 'The field, as a JSON Pointer in URI fragment form: `#/spec/price`.' },
      rule: {
        ...TEXT,
        description:
          "The rule as declared (`required`, `min=0`), `type`, `unknown`, or `custom` for a check of the service's own.",
      },
      detail: TEXT,
    },
  },
  MergePatch: {
    ...ANY_OBJECT,
    description: 'JSON Merge Patch (RFC 7396) of the whole resource: members are merged, null removes.',
  },
  JsonPatch: {
    type: 'array',
    description: 'JSON Patch (RFC 6902) of the whole resource: all operations apply, or none.',
    items: ref('schemas', 'JsonPatchOperation'),
  },
  JsonPatchOperation: {
    oneOf: [
      operation(['add', 'replace', 'test'], { value: { description: 'Any JSON value.' } }),
      operation(['move', 'copy'], { from: POINTER }),
      operation(['remove'], {}),
    ],
  },
  ShorthandPatch: {
    ...ANY_OBJECT,
    description:
      'Each key is a dotted path from the root of the resource (`spec.config.region`; `\\.` is a literal dot), each value is set there; null removes.',
  },
};
