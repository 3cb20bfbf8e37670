import { TimeoutError } from './errors';

/** Maximum duration of a call, and a signal to end it earlier. */
export interface Patience {
  signal?: AbortSignal | undefined;
  /** In milliseconds; 0 for no limit. */
  timeoutMs?: number | undefined;
}

/** Longest delay of a timer: a longer one would fire at once. */
export const LONGEST_MS = 2_147_483_647;

/** The controllers that the signal of a caller aborts. It has one listener for all calls: Node warns of more than ten. */
const followers = new WeakMap<AbortSignal, Set<AbortController>>();

function followersOf(signal: AbortSignal): Set<AbortController> {
  const known = followers.get(signal);
  if (known !== undefined) return known;
  const added = new Set<AbortController>();
  followers.set(signal, added);
  signal.addEventListener('abort', () => added.forEach((each) => each.abort(signal.reason)));
  return added;
}

/** A signal that aborts with the caller's, or when the time is over. It holds a timer until it is closed. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #followers: Set<AbortController> | undefined;

  constructor({ signal, timeoutMs = 0 }: Patience) {
    if (signal?.aborted) this.#controller.abort(signal.reason);
    this.#followers = signal && followersOf(signal).add(this.#controller);
    if (timeoutMs <= 0 || timeoutMs > LONGEST_MS) return;
    const expire = (): void =>
      this.#controller.abort(new TimeoutError(`no response within ${timeoutMs} milliseconds`));
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
    this.#followers?.delete(this.#controller);
  }
}

/** Settles as `result` does; rejects with the signal's reason when that aborts before. */
export function inTime<T>(result: T | Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
  return Promise.race([aborted, result]);
}

/**
 * Resolves after this many milliseconds, as far as a timer can run; rejects with the signal's reason when that aborts
 * before.
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
