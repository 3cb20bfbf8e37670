import { STATUS_CODES } from 'node:http';
import type { JsonObject } from './document';
import { ref } from './naming';

/** The answers that are no success, by the name of their component. */
export const PROBLEMS = {
  BadRequest: {
    status: 400,
    description: 'The request is malformed, or its body breaks field rules.',
    detail: 'Validation failed: spec.name: name is required',
  },
  Forbidden: { status: 403, description: 'The policy of the service refuses.', detail: 'Forbidden' },
  StatusForbidden: {
    status: 403,
    description: 'Forbidden - requires update_status permission',
    detail: 'Forbidden - requires update_status permission',
  },
  NotFound: {
    status: 404,
    description: 'There is no such resource.',
    detail: 'There is nothing at this address.',
  },
  NotAcceptable: {
    status: 406,
    description: 'The version asked for is not registered.',
    detail: '"v9" is not registered; available: v1.',
  },
  Gone: {
    status: 410,
    description: 'The position is older than the oldest event kept.',
    detail: 'The events after this position are not kept any more.',
  },
  PreconditionFailed: {
    status: 412,
    description: 'A condition in the headers does not hold.',
    detail: 'A condition of the request does not hold: the resource has changed.',
  },
  ContentTooLarge: {
    status: 413,
    description: 'The body, or what a patch makes of the resource, is larger than the service allows.',
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
  PreconditionRequired: {
    status: 428,
    description: 'The header If-Match is missing.',
    detail: 'This service requires If-Match on every change of a resource.',
  },
  ServerError: {
    status: 500,
    description: 'The service failed, or the patch leaves no resource.',
    detail: 'The service failed to answer this request.',
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

/** One of these answers. */
export type ProblemName = keyof typeof PROBLEMS;

const EXTRA_HEADERS: { [name in ProblemName]?: JsonObject } = {
  NotAcceptable: { Vary: ref('headers', 'Vary') },
  UnsupportedPatchType: { 'Accept-Patch': ref('headers', 'AcceptPatch') },
  Unavailable: { 'Retry-After': ref('headers', 'RetryAfter') },
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
      const content = { 'application/problem+json': { schema: ref('schemas', 'Problem'), example } };
      return [name, { description, headers, content }];
    }),
  );
}
