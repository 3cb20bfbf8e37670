/** How a check went: `problem` is what keeps the service from being built, tested or started. */
export type Verdict = 'ok' | 'warning' | 'problem';

/** One line of what `svcgen doctor` prints. */
export interface Finding {
  /** What was looked at. */
  check: string;
  verdict: Verdict;
  /** What was found. */
  detail: string;
  /** How to mend it. */
  hint?: string;
}

/** What a check found; the table of checks has its name. */
export type Found = Omit<Finding, 'check'>;

/** Nothing to mend. */
export const ok = (detail: string): Found => ({ verdict: 'ok', detail });

/** It works, though not as it should, or it could not be looked at. */
export const warning = (detail: string, hint?: string): Found => ({ verdict: 'warning', detail, hint });

/** It has to be mended. */
export const problem = (detail: string, hint?: string): Found => ({ verdict: 'problem', detail, hint });
