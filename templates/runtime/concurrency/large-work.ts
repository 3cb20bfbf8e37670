import { setImmediate, setTimeout } from 'node:timers/promises';
import { KeyedMutex } from './keyed-mutex';

/** Work on a JSON text of this length may take a tenth of a second. */
export const LARGE = 65_536;

const turns = new KeyedMutex();

/** Rest after a piece of large work, as a multiple of its time: large work gets a quarter of the time. */
const REST = 3;

/** Numbers of small requests: begun so far, and begun at the last piece of large work. */
const requests = { begun: 0, seen: 0 };
/** The end of the rest, in the time of performance.now(). */
let restUntil = 0;

/** Records that a request has begun. */
export function noteRequest(): void {
  requests.begun += 1;
}

/** Records that a request that has begun is large: large work does not rest for its sake. */
export function noteLarge(): void {
  requests.begun -= 1;
  requests.seen = Math.min(requests.seen, requests.begun);
}

/**
 * Resolves for one large piece of work in each turn of the event loop, so that others get their responses in between.
 * Where there are small requests, large work takes at most a quarter of the time: after each piece it rests.
 */
export function turnOfLarge(): Promise<void> {
  return turns.run('', async () => {
    await setImmediate();
    const rest = restUntil - performance.now();
    if (rest > 0 && requests.begun > requests.seen) await setTimeout(rest);
    requests.seen = requests.begun;
    const start = performance.now();
    void setImmediate().then(() => {
      const end = performance.now();
      restUntil = end + REST * (end - start);
    });
  });
}
