import { setTimeout } from 'node:timers/promises';
import { type MaybePromise, StoreUnavailable } from './store';

/** Another transaction is writing what this write needs: worth a retry. Nothing was written. */
export class StoreBusy extends StoreUnavailable {
  override name = 'StoreBusy';
}

/** Pauses between attempts, in ms: each is twice as long as the one before. */
export interface Pauses {
  first: number;
  longest: number;
}

const PAUSES: Pauses = { first: 1, longest: 50 };

/**
 * Repeats an action that throws StoreBusy until it succeeds, at least once and until the deadline (in the time of
 * performance.now(), in ms); then throws the last StoreBusy. Between the attempts the event loop is free.
 */
export async function retryBusy<T>(
  action: () => MaybePromise<T>,
  deadline: number,
  { first, longest } = PAUSES,
): Promise<T> {
  for (let pause = first; ; pause = Math.min(pause * 2, longest)) {
    try {
      return await action();
    } catch (error) {
      const left = deadline - performance.now();
      if (!(error instanceof StoreBusy) || left <= 0) throw error;
      // Random, so that two processes that wait for each other do not stay in step.
      await setTimeout(Math.min(left, pause * (0.5 + Math.random())));
    }
  }
}
