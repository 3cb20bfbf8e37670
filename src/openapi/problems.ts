import { STATUS_CODES } from 'node:http';
import type { JsonObject } from '../model/project';
import { ref } from './components';
import { HEADERS } from './headers';

/** The responses that are no success, by the name of their component. */
export const PROBLEMS = {
  BadRequest: {
    status: 400,
    description: 'The request is malformed, or its body breaks field rules.',
    detail: 'Validation failed: spec.name: name is required',
  },
  Unauthorized: {
    status: 401,
    description: 'No middleware of the service has identified the caller.',
    detail: 'This service requires a bearer token.',
  },
  Forbidden: {
    status: 403,
    description: 'The policy of the service refuses the request.',
    detail: 'Forbidden',
  },
  StatusForbidden: {
    status: 403,
    description: 'Forbidden - requires update_status permission',
    detail: 'Forbidden - requires update_status permission',
  },
  NotFound: {
    status: 404,
    description: 'The resource does not exist.',
    detail: 'There is nothing at this path.',
  },
  NotAcceptable: {
    status: 406,
    description: 'The requested version is not registered.',
    detail: '"v9" is not registered; available: v1.',
  },
  Conflict: {
    status: 409,
    description:
      'The name, or the value of a unique field, is taken; or other resources refer to this one, which `referrers` lists.',
    detail: 'Conflict: spec.sku is that of another Part',
  },
  Gone: {
    status: 410,
    description:
      'Events after the position are no longer retained, or it is of another database: list the resources again.',
    detail: 'The events after this position are no longer retained; list the resources again.',
  },
  PreconditionFailed: {
    status: 412,
    description: 'A condition in the headers does not hold.',
    detail: 'A condition of the request does not hold: the resource is in another state.',
  },
  ContentTooLarge: {
    status: 413,
    description:
      'The body, or the result of a patch, is larger than the service allows; or a document needs more memory than it has.',
    detail: 'The body is larger than 1048576 bytes.',
  },
  UnsupportedMediaType: {
    status: 415,
    description: 'The type or the encoding of the body is not supported.',
    detail: 'The Content-Type must be application/json.',
  },
  UnsupportedPatchType: {
    status: 415,
    description: 'The type or the encoding of the patch is not supported.',
    detail: 'The Content-Type must be one of the patch types.',
  },
  CannotApply: {
    status: 422,
    description: 'The patch cannot be applied to the resource.',
    detail: 'The path /spec/x does not exist.',
  },
  KeyReused: {
    status: 422,
    description: 'The Idempotency-Key was used for another request.',
    detail: 'The Idempotency-Key was used for another request: the URL, the API version or the body differs.',
  },
  PreconditionRequired: {
    status: 428,
    description: 'The header If-Match is missing.',
    detail: 'This service requires If-Match on every change to a resource.',
  },
  ServerError: {
    status: 500,
    description: 'The service failed, or the result of the patch is not a resource.',
    detail: 'The service failed to process this request.',
  },
  Unavailable: {
    status: 503,
    description: 'The store is not available, or the service is stopping.',
    detail: 'The store is not available; nothing was written.',
  },
  Refused: {
    status: 400,
    description: 'The request is refused.',
    detail: 'The path has a malformed percent-encoding.',
  },
} as const;

/** The name of one of these responses. */
export type ProblemName = keyof typeof PROBLEMS;

const EXTRA_HEADERS: { [name in ProblemName]?: JsonObject } = {
  // A middleware responds before the request has its id.
  Unauthorized: {
    'X-Request-Id': { ...HEADERS['RequestId'], required: false },
    'WWW-Authenticate': ref('headers', 'WWWAuthenticate'),
  },
  NotAcceptable: { Vary: ref('headers', 'Vary') },
  UnsupportedPatchType: { 'Accept-Patch': ref('headers', 'AcceptPatch') },
  Unavailable: { 'Retry-After': ref('headers', 'RetryAfter') },
};

/** Other forms of a response, next to the problem. A middleware may refuse a caller in plain text, as `bearerToken` does. */
const EXTRA_CONTENT: { [name in ProblemName]?: JsonObject } = {
  Unauthorized: { 'text/plain': { schema: { type: 'string' }, example: 'Unauthorized' } },
};

/** Their components: problem details (RFC 9457). */
export function problemResponses(): { [name: string]: JsonObject } {
  return Object.fromEntries(
    Object.entries(PROBLEMS).map(([name, { status, description, detail }]) => {
      const headers = {
        'X-Request-Id': ref('headers', 'RequestId'),
        'Cache-Control': ref('headers', 'NoStore'),
        ...EXTRA_HEADERS[name as ProblemName],
      };
      const title = STATUS_CODES[status]!;
      const example = {
        type: 'about:blank',
        title,
        status,
        detail,
        instance: '/devices/dev-0123456789abcdef',
      };
      const schema = ref('schemas', name === 'Conflict' ? 'ConflictProblem' : 'Problem');
      const problem = { 'application/problem+json': { schema, example } };
      const content = { ...problem, ...EXTRA_CONTENT[name as ProblemName] };
      return [name, { description, headers, content }];
    }),
  );
}

/** Returns the responses of an operation that are no success, by their status. */
export function errorResponses(...names: ProblemName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [PROBLEMS[name].status, ref('responses', name)]));
}
