import { TimeoutError } from './errors';

/** How long something may take, and the caller's way to end it sooner. */
export interface Patience {
  signal?: AbortSignal;
  /** In milliseconds; 0 waits for ever. */
  timeoutMs?: number;
}

/** The longest that a timer can run: a longer time would be none at all. */
export const LONGEST_MS = 2_147_483_647;

/** A signal that is aborted by the caller's, or when the time is over. It holds a timer until it is closed. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #outer: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.#outer?.reason);

  constructor({ signal, timeoutMs = 0 }: Patience) {
    this.#outer = signal;
    if (signal?.aborted) this.#onAbort();
    signal?.addEventListener('abort', this.#onAbort);
    if (timeoutMs <= 0 || timeoutMs > LONGEST_MS) return;
    const expire = (): void =>
      this.#controller.abort(new TimeoutError(`no answer within ${timeoutMs} milliseconds`));
    this.#timer = setTimeout(expire, timeoutMs);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ends the time-out; the caller's signal still counts. */
  stopClock(): void {
    clearTimeout(this.#timer);
  }

  /** Ends both. */
  close(): void {
    this.stopClock();
    this.#outer?.removeEventListener('abort', this.#onAbort);
  }
}

/**
 * Resolves after this many milliseconds, as far as a timer can run; rejects with the signal's reason when it is aborted before.
 */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.min(milliseconds, LONGEST_MS),
    );
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
}
