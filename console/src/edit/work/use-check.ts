import { useEffect, useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../../templates/client/errors';
import { fromFragment } from '../../../../templates/runtime/model/fragment';
import type { Failure } from '../../../../templates/runtime/model/problem';
import type { Tagged } from '../../data/api';

/** Pause after the last change before the service is asked, in milliseconds. */
const PAUSE_MS = 500;

/** The service's judgement of a draft, from a dry run. */
export type Check =
  | { state: 'none' | 'running' }
  | { state: 'accepted'; warnings: string[] }
  | { state: 'refused'; error: unknown; failures: Failure[] };

/**
 * Asks the service about each state of a draft, shortly after its last change. An undefined draft is not checked; the
 * dry run of one that somebody else has overtaken resolves with undefined. The function that is returned sets the judgement of a
 * save, which counts more than a check that is still to come.
 */
export function useCheck(
  subject: object | undefined,
  dryRun: (signal: AbortSignal) => Promise<Tagged | undefined>,
): [Check, (check: Check) => void] {
  const [judged, setJudged] = useState<{ subject?: object; check: Check }>({ check: { state: 'none' } });
  const setCheck = (check: Check): void => setJudged({ subject, check });
  const running = useRef<AbortController>(undefined);
  useEffect(() => {
    if (subject === undefined) return setCheck({ state: 'none' });
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const run = async (): Promise<void> => {
      if (signal.aborted) return;
      setCheck({ state: 'running' });
      const next = await dryRun(signal).then(
        (judged): Check =>
          judged === undefined ? { state: 'none' } : { state: 'accepted', warnings: judged.warnings },
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
  // The service accepted an earlier draft, not this one. Failures stay until the next answer.
  const isStale = judged.check.state === 'accepted' && judged.subject !== subject;
  const judge = (check: Check): void => {
    running.current?.abort();
    setCheck(check);
  };
  return [isStale ? { state: 'running' } : judged.check, judge];
}

/** Returns the judgement of a request that failed. */
export function refused(error: unknown): Check {
  const errors = error instanceof ApiError ? (error.problem.errors ?? []) : [];
  return {
    state: 'refused',
    error,
    failures: errors.map((each) => ({ ...each, pointer: fromFragment(each.pointer) })),
  };
}
