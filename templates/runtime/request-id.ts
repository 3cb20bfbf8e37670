import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What of a client's making gets into logs and headers. */
const SAFE = /^[\w.:@=+/-]{1,128}$/;
const ID = Symbol('request id');

/**
 * The id of a request, for logs and answers: its `X-Request-Id` where that is up to 128 letters, digits and `_.:@=+/-`, otherwise
 * one that is made up when it is asked for.
 */
export function requestId(req: IncomingMessage): string {
  const known = req as { [ID]?: string };
  if (known[ID] !== undefined) return known[ID];
  const given = req.headers['x-request-id'];
  return (known[ID] = typeof given === 'string' && SAFE.test(given) ? given : randomUUID());
}
