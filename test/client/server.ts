import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers what a service would not, or not when a test wants it. */
export interface OddServer {
  url: string;
  /** Breaks every connection. */
  breakConnections(): void;
  close(): void;
}

/** Starts one. */
export async function startServer(listener: RequestListener): Promise<OddServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    breakConnections: () => server.closeAllConnections(),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
