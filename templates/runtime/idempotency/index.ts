import type { Feature } from '../service/feature';
import { removeExpired } from './expiry';
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
