import { createServer } from 'node:net';

/**
 * A port of this machine that is free, for a program that is started later. It is odd, from 20001 on, and none of those that
 * systems give out by themselves, from 32768 or 49152 on: another test may get such a one in between.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_001 + 2 * Math.floor(Math.random() * 6_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
