import type { CallOptions } from './connection';
import { pause } from './deadline';
import type { DryRunOptions } from './dry-run';
import { ApiError } from './errors';

/** Options of read-modify-write, besides those of every call. */
export interface UpdateOptions extends CallOptions, DryRunOptions {
  /** Number of attempts before 412 is thrown; 10 by default. */
  attempts?: number;
}

const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Reads a resource, changes a copy, and writes it on the condition that nothing has changed since. On 412 it tries
 * again, after a random pause that doubles each time. Time-outs are those of each request.
 */
export async function readModifyWrite<R extends object>(
  read: (options: CallOptions) => Promise<R>,
  change: (draft: R) => unknown,
  write: (draft: R, ifMatch: R, options: CallOptions & DryRunOptions) => Promise<R>,
  { attempts = ATTEMPTS, ...options }: UpdateOptions,
): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    const current = await read(options);
    const draft = structuredClone(current);
    await change(draft);
    if (JSON.stringify(draft) === JSON.stringify(current)) return current;
    try {
      return await write(draft, current, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412 || attempt >= attempts) throw error;
    }
    const longest = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
    await pause(Math.random() * longest, options.signal);
  }
}
