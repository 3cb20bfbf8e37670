import type { Nouns } from './naming';
import type { ProblemName } from './problems';

/** One of the eleven endpoints (requirement, "Endpoints"). */
export interface Endpoint {
  /** Below the URL of the collection. */
  path: '' | '/{uid}' | '/{uid}/status' | '/{uid}/versions' | '/{uid}/versions/{versionId}';
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  operationId: (nouns: Nouns) => string;
  summary: (nouns: Nouns) => string;
  description?: string;
  parameters?: string[];
  /** The request body: the last part of its component's name. */
  body?: 'Input' | 'StatusInput' | 'Patch' | 'StatusPatch';
  success: number;
  /** The answer: the last part of its component's name, empty for the resource. */
  answer: '' | 'Written' | 'Created' | 'List' | 'Deleted' | 'Snapshot' | 'Snapshots';
  /** Beside those that every endpoint has. */
  problems: Answer[];
}

/** An answer that is no success. */
export type Answer = ProblemName | 'NotModified';

const BODY = ['ContentTooLarge', 'UnsupportedMediaType'] as const;
const PATCH = ['ContentTooLarge', 'UnsupportedPatchType', 'CannotApply'] as const;
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
    parameters: ['labelSelector', 'label', 'limit', 'continue'],
    success: 200,
    answer: 'List',
    problems: ['Forbidden'],
  },
  {
    path: '',
    method: 'post',
    operationId: ({ one }) => `create${one}`,
    summary: ({ one }) => `Create a ${one}`,
    description:
      'Only `spec` is required. `status` and the members of `metadata` that the server owns are ignored.',
    parameters: ['createIfMatch', 'createIfNoneMatch'],
    body: 'Input',
    success: 201,
    answer: 'Created',
    problems: ['Forbidden', 'PreconditionFailed', ...BODY],
  },
  {
    path: '/{uid}',
    method: 'get',
    operationId: ({ one }) => `get${one}`,
    summary: ({ one }) => `Get a ${one}`,
    parameters: ['readIfMatch', 'ifNoneMatch', 'ifModifiedSince', 'ifUnmodifiedSince'],
    success: 200,
    answer: '',
    problems: ['NotModified', 'Forbidden', 'NotFound', 'PreconditionFailed'],
  },
  {
    path: '/{uid}',
    method: 'put',
    operationId: ({ one }) => `replace${one}`,
    summary: ({ one }) => `Replace the spec of a ${one}`,
    description:
      'Name, labels and annotations are replaced where given and kept where absent; `status` is ignored.',
    parameters: CONDITIONS,
    body: 'Input',
    success: 200,
    answer: 'Written',
    problems: ['Forbidden', ...CONDITIONAL, ...BODY],
  },
  {
    path: '/{uid}',
    method: 'patch',
    operationId: ({ one }) => `patch${one}`,
    summary: ({ one }) => `Patch a ${one}`,
    description:
      'The patch applies to the whole resource; what the client does not own, status included, stays as it is.',
    parameters: CONDITIONS,
    body: 'Patch',
    success: 200,
    answer: 'Written',
    problems: ['Forbidden', ...CONDITIONAL, ...PATCH],
  },
  {
    path: '/{uid}',
    method: 'delete',
    operationId: ({ one }) => `delete${one}`,
    summary: ({ one }) => `Delete a ${one}`,
    parameters: CONDITIONS,
    success: 200,
    answer: 'Deleted',
    problems: ['Forbidden', ...CONDITIONAL],
  },
  {
    path: '/{uid}/status',
    method: 'put',
    operationId: ({ one }) => `replace${one}Status`,
    summary: ({ one }) => `Replace the status of a ${one}`,
    parameters: CONDITIONS,
    body: 'StatusInput',
    success: 200,
    answer: 'Written',
    problems: ['StatusForbidden', ...CONDITIONAL, ...BODY],
  },
  {
    path: '/{uid}/status',
    method: 'patch',
    operationId: ({ one }) => `patch${one}Status`,
    summary: ({ one }) => `Patch the status of a ${one}`,
    description:
      'The patch applies to the whole resource, of which only the status is kept. A merge patch without `status` is read as a bare status.',
    parameters: CONDITIONS,
    body: 'StatusPatch',
    success: 200,
    answer: 'Written',
    problems: ['StatusForbidden', ...CONDITIONAL, ...PATCH],
  },
];

/** The endpoints of spec version history. */
export const HISTORY: Endpoint[] = [
  {
    path: '/{uid}/versions',
    method: 'get',
    operationId: ({ one }) => `list${one}Versions`,
    summary: ({ one }) => `List the snapshots of a ${one}`,
    success: 200,
    answer: 'Snapshots',
    problems: ['Forbidden', 'NotFound'],
  },
  {
    path: '/{uid}/versions/{versionId}',
    method: 'get',
    operationId: ({ one }) => `get${one}Version`,
    summary: ({ one }) => `Get a snapshot of a ${one}`,
    success: 200,
    answer: 'Snapshot',
    problems: ['Forbidden', 'NotFound'],
  },
  {
    path: '/{uid}/versions/{versionId}',
    method: 'delete',
    operationId: ({ one }) => `delete${one}Version`,
    summary: ({ one }) => `Delete a snapshot of a ${one}`,
    success: 200,
    answer: 'Deleted',
    problems: ['Forbidden', 'NotFound'],
  },
];
