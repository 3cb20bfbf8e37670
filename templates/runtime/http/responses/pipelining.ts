import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Returns a promise for a read that must wait: its response is behind others on the connection. One packet holds
 * hundreds of pipelined requests, each of which could read megabytes that cannot be sent yet. The promise resolves when
 * the responses before it have been sent; it stays pending if the connection is lost.
 */
export function waitInPipeline({ method }: IncomingMessage, res: ServerResponse): Promise<void> | undefined {
  // A response gets its socket when those before it have been sent (RFC 9112, section 9.3.2).
  if (res.socket !== null || res.destroyed || (method !== 'GET' && method !== 'HEAD')) return undefined;
  return new Promise((resolve) => res.once('socket', () => resolve()));
}
