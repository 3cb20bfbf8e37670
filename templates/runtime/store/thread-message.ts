import type { Applied } from './batch-writer';
import { StoreBusy } from './retry-busy';
import { StoreUnavailable } from './store';

/** What a thread is started with: the path of a database whose schema is up to date, and its `openWalIndex`. */
export interface ThreadData {
  path: string;
  walIndex: number;
}

/** How a thread answers a batch. */
export type ThreadAnswer = Applied | { error: ErrorMessage };

/** An error as it goes from one thread to another, where it would lose its class. */
export interface ErrorMessage {
  kind: 'busy' | 'unavailable' | 'defect';
  message: string;
  outcomeUnknown: boolean;
  stack: string | undefined;
}

export function messageOf(error: unknown): ErrorMessage {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const kind =
    error instanceof StoreBusy ? 'busy' : error instanceof StoreUnavailable ? 'unavailable' : 'defect';
  return { kind, message, outcomeUnknown: error instanceof StoreUnavailable && error.outcomeUnknown, stack };
}

export function errorOf({ kind, message, outcomeUnknown, stack }: ErrorMessage): Error {
  const error =
    kind === 'busy'
      ? new StoreBusy(message, outcomeUnknown)
      : kind === 'unavailable'
        ? new StoreUnavailable(message, outcomeUnknown)
        : new Error(message);
  error.stack = stack;
  return error;
}
