import type { Logger } from '../../service/logger';
import type { EventLog, Retention } from '../../store/event-log';
import { pause } from '../../concurrency/backoff';

const INTERVAL = 10_000;
/** Number of events per deletion: concurrent writes wait for it. */
const BITE = 500;
const BITE_PAUSE = 20;

/**
 * Removes events beyond the retention, in the background until the signal aborts: few at a time, so that writes hardly
 * notice. It begins after `intervalMs`, when the consumers of a service that was restarted have their cursors again: the
 * events that they lack are spared.
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
