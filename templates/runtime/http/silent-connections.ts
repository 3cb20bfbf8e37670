import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Time that a new connection has to begin its first request while the service stops, in milliseconds. */
const PATIENCE = 500;

/** The connections of a server from which nothing has come yet. Node does not close them as idle. */
export class SilentConnections {
  /** The beginning of each open connection, in the time of performance.now(). */
  readonly #since = new Map<Socket, number>();

  constructor(server: Server) {
    const follow = (socket: Socket): void => {
      this.#since.set(socket, performance.now());
      socket.once('close', () => this.#since.delete(socket));
    };
    // With https, requests come on a second socket, which there is after the handshake.
    server.on('connection', follow).on('secureConnection', follow);
  }

  /** Closes those that have been silent for too long. */
  close(): void {
    const latest = performance.now() - PATIENCE;
    for (const [socket, since] of this.#since) if (socket.bytesRead === 0 && since < latest) socket.destroy();
  }
}
