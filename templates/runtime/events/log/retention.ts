import { removeInBites } from '../../concurrency/remove-in-bites';
import type { Logger } from '../../service/logger';
import type { EventLog, Retention } from '../../store/events/event-log';

const INTERVAL = 10_000;

/**
 * Removes events beyond the retention, in the background until the signal aborts. It begins after `intervalMs`, when
 * the consumers of a service that was restarted have their cursors again: the events that they lack are spared.
 */
export function retain(
  log: EventLog,
  retention: Retention,
  logger: Logger,
  signal: AbortSignal,
  intervalMs = INTERVAL,
): Promise<void> {
  const onError = (error: unknown): void => logger.warn({ err: error }, 'old events were not removed');
  return removeInBites((limit) => log.prune(retention, limit), { intervalMs, signal, onError });
}
