import { removeInBites } from '../concurrency/remove-in-bites';
import type { Logger } from '../service/logger';
import type { KeyedResponses } from '../store/keyed-response';

const INTERVAL = 60_000;

/** Removes expired responses in the background until the signal aborts. */
export function removeExpired(
  responses: KeyedResponses,
  now: () => number,
  logger: Logger,
  signal: AbortSignal,
  intervalMs = INTERVAL,
): Promise<void> {
  const removeBite = async (limit: number): Promise<boolean> => {
    const keys = await responses.expired(now(), limit);
    if (keys.length > 0) await responses.remove(keys, now());
    return keys.length === limit;
  };
  const onError = (error: unknown): void => logger.warn({ err: error }, 'expired responses were not removed');
  return removeInBites(removeBite, { intervalMs, signal, onError });
}
