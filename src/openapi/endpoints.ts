import type { Nouns } from './components';
import type { ProblemName } from './problems';

/** One of the eleven endpoints (specification, "Endpoints"). */
export interface Endpoint {
  /** Below the URL of the collection. */
  path: '' | '/{uid}' | '/{uid}/status' | '/{uid}/versions' | '/{uid}/versions/{versionId}';
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  operationId: (nouns: Nouns) => string;
  summary: (nouns: Nouns) => string;
  description: string;
  parameters?: string[];
  /** The request body: the last part of its component's name. */
  body?: 'Input' | 'StatusInput' | 'Patch' | 'StatusPatch';
  /** The response: the last part of its component's name, empty for the resource. */
  response: '' | 'Written' | 'Created' | 'List' | 'Deleted' | 'Snapshot' | 'Snapshots';
  /** Problems besides those that every endpoint has. */
  problems: ErrorName[];
}

/** A response that is no success. */
export type ErrorName = ProblemName | 'NotModified' | 'ListNotModified';

const PATCH = ['UnsupportedPatchType', 'CannotApply'] as const;
const CONDITIONS = ['ifMatch', 'ifNoneMatch', 'ifUnmodifiedSince'];
const CONDITIONAL = ['NotFound', 'PreconditionFailed', 'PreconditionRequired'] as const;

/** The endpoints that every kind has. */
export const ENDPOINTS: Endpoint[] = [
  {
    path: '',
    method: 'get',
    operationId: ({ many }) => `list${many}`,
    summary: ({ many }) => `List ${many}`,
    description: 'A flat array in order of creation.',
    parameters: ['labelSelector', 'label', 'limit', 'continue', 'readIfMatch', 'ifNoneMatch'],
    response: 'List',
    problems: ['ListNotModified', 'Forbidden', 'PreconditionFailed'],
  },
  {
    path: '',
    method: 'post',
    operationId: ({ one }) => `create${one}`,
    summary: ({ a }) => `Create ${a}`,
    description:
      'Only `spec` is required. `status` and the members of `metadata` that the server owns are ignored.',
    parameters: ['idempotencyKey', 'createIfMatch', 'createIfNoneMatch'],
    body: 'Input',
    response: 'Created',
    problems: ['Forbidden', 'PreconditionFailed', 'KeyReused', 'UnsupportedMediaType'],
  },
  {
    path: '/{uid}',
    method: 'get',
    operationId: ({ one }) => `get${one}`,
    summary: ({ a }) => `Get ${a}`,
    description: 'The whole resource in the negotiated version, with its `ETag`.',
    parameters: ['readIfMatch', 'ifNoneMatch', 'ifModifiedSince', 'ifUnmodifiedSince'],
    response: '',
    problems: ['NotModified', 'Forbidden', 'NotFound', 'PreconditionFailed'],
  },
  {
    path: '/{uid}',
    method: 'put',
    operationId: ({ one }) => `replace${one}`,
    summary: ({ a }) => `Replace the spec of ${a}`,
    description:
      'Name, labels and annotations are replaced if given and left unchanged if absent; `status` is ignored.',
    parameters: CONDITIONS,
    body: 'Input',
    response: 'Written',
    problems: ['Forbidden', ...CONDITIONAL, 'UnsupportedMediaType'],
  },
  {
    path: '/{uid}',
    method: 'patch',
    operationId: ({ one }) => `patch${one}`,
    summary: ({ a }) => `Patch ${a}`,
    description:
      'The patch applies to the whole resource; members that the client does not own, status included, do not change.',
    parameters: CONDITIONS,
    body: 'Patch',
    response: 'Written',
    problems: ['Forbidden', ...CONDITIONAL, ...PATCH],
  },
  {
    path: '/{uid}',
    method: 'delete',
    operationId: ({ one }) => `delete${one}`,
    summary: ({ a }) => `Delete ${a}`,
    description: 'Deletes the resource and its snapshots; its uid is never used again.',
    parameters: CONDITIONS,
    response: 'Deleted',
    problems: ['Forbidden', ...CONDITIONAL],
  },
  {
    path: '/{uid}/status',
    method: 'put',
    operationId: ({ one }) => `replace${one}Status`,
    summary: ({ a }) => `Replace the status of ${a}`,
    description: 'Replaces only the status; `generation` and the spec do not change.',
    parameters: CONDITIONS,
    body: 'StatusInput',
    response: 'Written',
    problems: ['StatusForbidden', ...CONDITIONAL, 'UnsupportedMediaType'],
  },
  {
    path: '/{uid}/status',
    method: 'patch',
    operationId: ({ one }) => `patch${one}Status`,
    summary: ({ a }) => `Patch the status of ${a}`,
    description:
      'The patch applies to the whole resource, but only the status of the result is stored. A merge patch without `status` is read as a bare status.',
    parameters: CONDITIONS,
    body: 'StatusPatch',
    response: 'Written',
    problems: ['StatusForbidden', ...CONDITIONAL, ...PATCH],
  },
];

/** The endpoints of spec version history. */
export const HISTORY: Endpoint[] = [
  {
    path: '/{uid}/versions',
    method: 'get',
    operationId: ({ one }) => `list${one}Versions`,
    summary: ({ a }) => `List the snapshots of ${a}`,
    description: 'A flat array in the negotiated version.',
    parameters: ['limit', 'continue', 'snapshotSort'],
    response: 'Snapshots',
    problems: ['Forbidden', 'NotFound'],
  },
  {
    path: '/{uid}/versions/{versionId}',
    method: 'get',
    operationId: ({ one }) => `get${one}Version`,
    summary: ({ a }) => `Get a snapshot of ${a}`,
    description: 'The spec after a write, in the negotiated version.',
    response: 'Snapshot',
    problems: ['Forbidden', 'NotFound'],
  },
  {
    path: '/{uid}/versions/{versionId}',
    method: 'delete',
    operationId: ({ one }) => `delete${one}Version`,
    summary: ({ a }) => `Delete a snapshot of ${a}`,
    description: 'The resource and its `status.version` do not change.',
    response: 'Deleted',
    problems: ['Forbidden', 'NotFound'],
  },
];
