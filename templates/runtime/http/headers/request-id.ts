import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Characters of a client's request id that are safe in logs and headers. */
const SAFE = /^[\w.:@=+/-]{1,128}$/;
const ID = Symbol('request id');

/**
 * Returns the id of a request, for logs and responses: its `X-Request-Id` if that has 1 to 128 letters, digits and
 * `_.:@=+/-`, otherwise a new one, made on first use.
 */
export function requestId(req: IncomingMessage): string {
  const known = req as { [ID]?: string };
  if (known[ID] !== undefined) return known[ID];
  const given = req.headers['x-request-id'];
  return (known[ID] = typeof given === 'string' && SAFE.test(given) ? given : randomUUID());
}
