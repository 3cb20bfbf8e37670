import { onUnconverted, type Unconverted } from '../conversion/lenses/unconverted';
import type { Logger } from '../service/logger';

/**
 * The time in which the same failure of a resource is logged once, in milliseconds. A request converts a resource several times:
 * to evaluate conditions, to compare its states, to preserve fields and to respond.
 */
const ONCE_IN = 1_000;

/** Maximum number of failures that are remembered. */
const REMEMBERED = 1_000;

/**
 * Logs failed conversions without stored data: of an error, its type and its origin, since a message may quote the
 * resource. `now` returns milliseconds.
 */
export function logUnconverted(logger: Logger, now = (): number => performance.now()): void {
  const logged = new RecentlyLogged();
  onUnconverted(({ error, ...left }) => {
    const { name, stack } = error instanceof Error ? error : { name: typeof error, stack: '' };
    if (!logged.isFirst(left, name, now())) return;
    if (left.function === undefined) return logger.error(left, 'not converted');
    const frames = (stack ?? '').split('\n').filter((line) => /^ +at /.test(line));
    logger.error({ ...left, error: { type: name, stack: frames.join('\n') } }, 'not converted');
  });
}

/** The failures that were logged lately, the oldest first, with the times when. */
class RecentlyLogged {
  readonly #times = new Map<string, number>();

  /** Returns whether a failure was not logged lately, and remembers it then. */
  isFirst({ kind, version, uid, ...what }: Unconverted, error: string, now: number): boolean {
    for (const [oldest, time] of this.#times) {
      if (now - time < ONCE_IN && this.#times.size < REMEMBERED) break;
      this.#times.delete(oldest);
    }
    const key = JSON.stringify([kind, version, uid, what.pointer, what.rule, what.function, error]);
    if (this.#times.has(key)) return false;
    this.#times.set(key, now);
    return true;
  }
}
