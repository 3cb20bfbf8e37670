import { setTimeout } from 'node:timers/promises';

/** Number of rows per deletion: concurrent writes wait for it. */
const BITE = 500;
const BITE_PAUSE = 20;

/** A removal in the background. */
interface Removal {
  /** Pause before the first bite, and after one that leaves nothing to remove. */
  intervalMs: number;
  signal: AbortSignal;
  /** Called with each error that is not due to the signal. The removal goes on after the interval. */
  onError: (error: unknown) => void;
}

/**
 * Removes rows in the background until the signal aborts: few at a time, so that writes hardly notice. `removeBite` removes
 * at most `limit` rows, and returns whether there are more. The pauses do not keep the process running.
 */
export async function removeInBites(
  removeBite: (limit: number) => Promise<boolean>,
  { intervalMs, signal, onError }: Removal,
): Promise<void> {
  let more = false;
  while (await rested(more ? BITE_PAUSE : intervalMs, signal)) {
    try {
      more = await removeBite(BITE);
    } catch (error) {
      more = false;
      if (!signal.aborted) onError(error);
    }
  }
}

/** Resolves with true after a time, with false when the signal aborts. */
function rested(ms: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(ms, true, { ref: false, signal }).catch(() => false);
}
