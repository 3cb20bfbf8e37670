import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Maximum delay of what is passed on, in ms. */
const DELAY = 20;

/** Probabilities, for each piece that is passed on, that its connection is cut, or cut in the middle of it. */
const [CUT, HALVED] = [0.002, 0.002];

/** Stands between a process and a server on this machine: it delays, cuts and halves what both say. */
export interface UnreliableProxy {
  port: number;
  /** Number of connections that it has cut. */
  cuts(): number;
  /** Begins and ends its unreliability; otherwise it passes everything on at once. */
  misbehave(): void;
  behave(): void;
  close(): void;
}

/** Starts a proxy to a server at a Unix socket. */
export async function startUnreliableProxy(path: string): Promise<UnreliableProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  let isUnreliable = false;
  const pass = (from: Socket, to: Socket): void => {
    let last = Promise.resolve();
    from.on('data', (data) => {
      const delay = isUnreliable ? Math.random() ** 4 * DELAY : 0;
      const chance = isUnreliable ? Math.random() : 1;
      const arrival = new Promise<void>((resolve) => setTimeout(resolve, delay));
      last = last
        .then(() => arrival)
        .then(() => {
          if (chance < CUT + HALVED) {
            cuts += 1;
            if (chance < HALVED) to.write(data.subarray(0, data.length / 2));
            from.destroy();
            to.destroySoon();
          } else if (!to.destroyed) to.write(data);
        });
    });
    from.on('error', () => undefined).on('close', () => void last.then(() => to.destroySoon()));
  };
  const server = createServer((near) => {
    const far = connect({ path });
    sockets.add(near).add(far);
    pass(near, far);
    pass(far, near);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cuts: () => cuts,
    misbehave: () => void (isUnreliable = true),
    behave: () => void (isUnreliable = false),
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
