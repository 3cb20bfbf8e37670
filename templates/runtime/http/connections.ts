import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
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
      // Node's own field.
      const { _httpMessage: response } = socket as { _httpMessage?: ServerResponse };
      if (response?.headersSent) cutOff(response.req);
    }
    this.server.closeAllConnections();
  }
}
