import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { cutOff } from './responses/cut-off';

/** Time that a new connection has to begin its first request while the service stops, in milliseconds. */
const PATIENCE = 500;

/** The open connections of a server, to be closed at a stop. */
export class Connections {
  /** The beginning of each connection, in the time of performance.now(). */
  readonly #since = new Map<Socket, number>();

  constructor(private readonly server: Server) {
    const follow = (socket: Socket): void => {
      this.#since.set(socket, performance.now());
      socket.once('close', () => this.#since.delete(socket));
    };
    // With https, requests come on a second socket, which there is after the handshake.
    server.on('connection', follow).on('secureConnection', follow);
  }

  /** Closes those without a request, except new ones. Node does not take those for idle from which nothing has come yet. */
  closeIdle(): void {
    this.server.closeIdleConnections();
    const latest = performance.now() - PATIENCE;
    for (const [socket, since] of this.#since) if (socket.bytesRead === 0 && since < latest) socket.destroy();
  }

  /** Closes all, and cuts off the responses that are being sent. */
  closeAll(): void {
    for (const socket of this.#since.keys()) {
      const response = responseOn(socket);
      if (response?.headersSent) cutOff(response.req);
    }
    this.server.closeAllConnections();
  }
}

/** Returns the response that is being written to a connection, by Node's own field. */
export function responseOn(socket: Duplex): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse })._httpMessage;
}

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
