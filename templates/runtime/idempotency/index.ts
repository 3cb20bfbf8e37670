import { removeInBites } from '../concurrency/remove-in-bites';
import type { Feature } from '../service/feature';
import type { Logger } from '../service/logger';
import type { KeyedResponses } from '../store/keyed-response';
import { Repeats } from './repeats';

declare module '../service/service' {
  interface Additions {
    /** Responses to repeated creates. */
    repeats: Repeats;
  }
}

/** Lets clients repeat a create with an Idempotency-Key. It is part of every service. */
export const idempotency: Feature = (_definition, _settings, logger) => (service) => {
  const closing = new AbortController();
  const { responses } = service.store;
  const ended = removeExpired(responses, () => service.now(), logger, closing.signal);
  return {
    adds: { repeats: new Repeats(service) },
    close() {
      closing.abort();
      return ended;
    },
  };
};

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
