import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Cuts off the response to a request: destroys `end`, the response or its connection. In HTTP/1.0 the orderly end of a connection
 * is the end of a body without a length, and a proxy would pass half a list on, or store it. The connection is reset there.
 */
export function cutOff(req: IncomingMessage, end: { destroy(): unknown } = req.socket): void {
  const { socket } = req;
  if (req.httpVersion === '1.0' && canReset(socket)) socket.resetAndDestroy();
  else end.destroy();
}

/** Returns whether a connection is one of TCP, and open: TLS has an end of its own, and local sockets have no reset. */
function canReset(socket: Socket): boolean {
  return !(socket instanceof TLSSocket) && socket.remoteAddress !== undefined;
}
