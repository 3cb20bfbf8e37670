import { removeInBites } from '../../concurrency/remove-in-bites';
import type { Logger } from '../../service/logger';
import type { EventLog, Retention } from '../../store/events/event-log';

const INTERVAL = 10_000;

/** A time in which the leases of all consumers may have ended, in milliseconds: half of that in which their events are spared. */
const ABSENCE = 1_800_000;

/**
 * Removes events beyond the retention, in the background until the signal aborts. It begins after `intervalMs`, when
 * the consumers of a service that was restarted have their cursors again: the events that they lack are spared. It gives
 * them that time also after the process was suspended, the store was away, or the clock was set ahead.
 */
export function retain(
  log: EventLog,
  retention: Retention,
  logger: Logger,
  signal: AbortSignal,
  intervalMs = INTERVAL,
): Promise<void> {
  const onError = (error: unknown): void => logger.warn({ err: error }, 'old events were not removed');
  let last = Date.now();
  const removeBite = async (limit: number): Promise<boolean> => {
    const wasAway = Date.now() - last > ABSENCE;
    const more = wasAway ? (await log.newest(), false) : await log.prune(retention, limit);
    last = Date.now();
    return more;
  };
  return removeInBites(removeBite, { intervalMs, signal, onError });
}
