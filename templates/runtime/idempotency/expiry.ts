import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../service/logger';
import type { KeyedResponses } from '../store/keyed-response';

const INTERVAL = 60_000;
/** Number of responses per deletion: concurrent writes wait for it. */
const BITE = 500;
const BITE_PAUSE = 20;

/** Removes expired responses in the background until the signal aborts: few at a time, so that writes hardly notice. */
export async function removeExpired(
  responses: KeyedResponses,
  now: () => number,
  logger: Logger,
  signal: AbortSignal,
  intervalMs = INTERVAL,
): Promise<void> {
  let more = false;
  while (await rested(more ? BITE_PAUSE : intervalMs, signal)) {
    try {
      const keys = await responses.expired(now(), BITE);
      if (keys.length > 0) await responses.remove(keys, now());
      more = keys.length === BITE;
    } catch (error) {
      more = false;
      if (!signal.aborted) logger.warn({ err: error }, 'expired responses were not removed');
    }
  }
}

/** Resolves with true after a time, with false when the signal aborts. It does not keep the process running. */
function rested(ms: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(ms, true, { ref: false, signal }).catch(() => false);
}
