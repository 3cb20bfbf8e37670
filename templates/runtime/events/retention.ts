import type { Logger } from '../logger';
import type { EventLog, Retention } from '../store/event-log';
import { pause } from './backoff';

const INTERVAL = 10_000;
/** Events of one bite: writes that arrive meanwhile wait for it. */
const BITE = 500;
const BITE_PAUSE = 20;

/**
 * Removes what the retention does not keep, in the background until the signal aborts: little at a time, so that
 * writes hardly notice. It begins after `intervalMs`: consumers that were away as long as the service have taken hold
 * again by then, and what they have not had is spared.
 */
export async function retain(
  log: EventLog,
  retention: Retention,
  logger: Logger,
  signal: AbortSignal,
  intervalMs = INTERVAL,
): Promise<void> {
  await pause(intervalMs, signal);
  while (!signal.aborted) {
    let more = false;
    try {
      more = await log.prune(retention, BITE);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error }, 'old events were not removed');
    }
    await pause(more ? BITE_PAUSE : intervalMs, signal);
  }
}
