import { setTimeout } from 'node:timers/promises';

/** Pauses between retries, in milliseconds. */
export interface Backoff {
  /** Pause after the first failure; it doubles with each further one. */
  firstMs: number;
  maxMs: number;
}

/**
 * Returns the pause after so many failures, in milliseconds. Half of it is random, so that simultaneous failures are
 * not retried together.
 */
export function pauseAfter(failures: number, { firstMs, maxMs }: Backoff): number {
  const pause = Math.min(firstMs * 2 ** Math.min(failures - 1, 50), maxMs);
  return pause * (0.5 + Math.random() / 2);
}

/** Resolves after a time, or at once when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
