import type { CallOptions } from './connection';
import { pause } from './deadline';
import type { DryRunOptions } from './dry-run';
import { ApiError } from './errors';

/** Options of read-modify-write, besides those of every call. */
export interface UpdateOptions extends CallOptions, DryRunOptions {
  /** Number of attempts before 412 is thrown; 10 by default. */
  attempts?: number | undefined;
}

const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Reads a resource, changes a copy, and writes it on the condition that nothing has changed since. On 412 it tries
 * again, after a random pause that doubles each time. Time-outs are those of each request.
 */
export function readModifyWrite<R extends object>(
  read: (options: CallOptions) => Promise<R>,
  change: (draft: R) => unknown,
  write: (draft: R, ifMatch: R, options: CallOptions & DryRunOptions) => Promise<R>,
  { attempts, ...options }: UpdateOptions,
): Promise<R> {
  const attempt = async (): Promise<R> => {
    const current = await read(options);
    const draft = structuredClone(current);
    await change(draft);
    if (JSON.stringify(draft) === JSON.stringify(current)) return current;
    return write(draft, current, options);
  };
  return whileOthersWrite(attempt, { attempts, signal: options.signal });
}

/** Repeats a read and a conditional write for as long as it throws 412, with pauses in between. */
export async function whileOthersWrite<T>(
  attempt: () => Promise<T>,
  { attempts = ATTEMPTS, signal }: Pick<UpdateOptions, 'attempts' | 'signal'> = {},
): Promise<T> {
  for (let number = 1; ; number++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || number >= attempts) throw error;
    }
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** number, LONGEST_PAUSE_MS);
    await pause(Math.random() * longest, signal);
  }
}
