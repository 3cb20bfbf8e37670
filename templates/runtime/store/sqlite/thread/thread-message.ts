import type { Command, Declared } from '../../command';
import { StoreBusy } from '../../retry-busy';
import { OtherDeclarations, StoreUnavailable } from '../../store';
import type { Opened } from '../file/open-files';
import type { Applied } from '../writes/batch-writer';

/** Start data of a thread: the path of a database whose schema is up to date, its open files and the modules of the store's parts. */
export interface ThreadData {
  path: string;
  opened: Opened;
  modules: readonly string[];
}

/** Messages to a thread: a batch, the digests that the process declares, or null as the last one. */
export type ThreadMessage = readonly Command[] | { declared: Declared } | null;

/** Messages of a thread: first that it has opened the database, then the result of each batch. */
export type ThreadAnswer = 'open' | Applied | { error: ErrorMessage };

/** An error in a form that crosses threads, where it would lose its class. */
interface ErrorMessage {
  kind: 'busy' | 'unavailable' | 'defect';
  message: string;
  outcomeUnknown: boolean;
  /** The kinds of OtherDeclarations. */
  kinds?: readonly string[];
  stack: string | undefined;
}

export function messageOf(error: unknown): ErrorMessage {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const kind =
    error instanceof StoreBusy ? 'busy' : error instanceof StoreUnavailable ? 'unavailable' : 'defect';
  const outcomeUnknown = error instanceof StoreUnavailable && error.outcomeUnknown;
  const kinds = error instanceof OtherDeclarations ? error.kinds : undefined;
  return { kind, message, outcomeUnknown, kinds, stack };
}

export function errorOf({ kind, message, outcomeUnknown, kinds, stack }: ErrorMessage): Error {
  const error =
    kinds !== undefined
      ? new OtherDeclarations(kinds)
      : kind === 'busy'
        ? new StoreBusy(message, outcomeUnknown)
        : kind === 'unavailable'
          ? new StoreUnavailable(message, outcomeUnknown)
          : new Error(message);
  error.stack = stack;
  return error;
}
