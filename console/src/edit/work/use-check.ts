import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../../templates/client/errors';
import type { Failure } from '../../../../templates/runtime/model/problem';
import type { Tagged } from '../../data/api';

/** Pause after the last change before the service is asked, in milliseconds. */
const PAUSE_MS = 500;

/** The service's judgement of a draft, from a dry run. */
export type Check =
  | { state: 'none' | 'running' }
  | { state: 'accepted'; warnings: string[] }
  | { state: 'refused'; error: unknown; failures: Failure[] };

/** Asks the service about each state of a draft, shortly after its last change. An undefined draft is not checked. */
export function useCheck(
  subject: object | undefined,
  dryRun: (signal: AbortSignal) => Promise<Tagged>,
): [Check, (check: Check) => void] {
  const [check, setCheck] = useState<Check>({ state: 'none' });
  useEffect(() => {
    if (subject === undefined) return setCheck({ state: 'none' });
    const controller = new AbortController();
    const { signal } = controller;
    const run = async (): Promise<void> => {
      setCheck({ state: 'running' });
      const next = await dryRun(signal).then(
        ({ warnings }): Check => ({ state: 'accepted', warnings }),
        refused,
      );
      if (!signal.aborted) setCheck(next);
    };
    const timer = setTimeout(() => void run(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [subject]);
  return [check, setCheck];
}

/** Returns the judgement of a request that failed. */
export function refused(error: unknown): Check {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  return {
    state: 'refused',
    error,
    failures: errors.map((each) => ({ ...each, pointer: each.pointer.replace(/^#/, '') })),
  };
}
