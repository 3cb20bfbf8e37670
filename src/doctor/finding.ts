import { join } from 'node:path';
import { parseEnv } from 'node:util';
import pc from 'picocolors';
import { readIfThere, tryRead } from '../files/text-file';
import type { Problem } from '../model/problem';
import { visible } from '../model/quoted';
import { hasColors, type Io, type Progress } from '../terminal/io';

/** The verdict of a check. A `problem` keeps the service from being built, tested or started. */
export type Verdict = 'ok' | 'warning' | 'problem';

/** One line of what `svcgen doctor` prints. */
export interface Finding {
  /** The name of the check. */
  check: string;
  verdict: Verdict;
  detail: string;
  /** The repair. */
  hint?: string;
}

/** The result of a check; the table of checks has its name. */
export type Found = Omit<Finding, 'check'>;

/** Returns a finding without anything to repair. */
export const ok = (detail: string): Found => ({ verdict: 'ok', detail });

/** Returns a finding about something that works, but not as it should, or that could not be checked. */
export const warning = (detail: string, hint?: string): Found => ({ verdict: 'warning', detail, hint });

/** Returns a finding that has to be repaired. */
export const problem = (detail: string, hint?: string): Found => ({ verdict: 'problem', detail, hint });

/** The finding of a check that takes longer than it may. */
export function unfinished(timeoutMs: number): Found {
  return warning(`not finished within ${timeoutMs / 1_000} s`, 'allow more time with --timeout <seconds>');
}

/** The context of every check. */
export interface Examination {
  /** The folder of the project. */
  folder: string;
  /** The environment of a service started here: the process's own, then the settings of `.env`. */
  environment: Io['env'];
  /** The text of `.env`; undefined without one. */
  envFile: string | undefined;
  /** The reason why `.env` cannot be read. */
  envProblem: string | undefined;
  /** The time for a check that runs code of the project, in milliseconds. */
  timeoutMs: number;
  /** Problems of project.yaml, where they are; the check of project.yaml adds them. */
  problems: Problem[];
  progress: Progress;
}

/** The examination of a project. */
export function examine(folder: string, env: Io['env'], timeoutMs: number, progress: Progress): Examination {
  let envProblem: string | undefined;
  const envFile = tryRead(
    () => readIfThere(join(folder, '.env')),
    ({ message }) => void (envProblem = message),
  );
  const environment = { ...parseEnv(envFile ?? ''), ...env };
  return { folder, environment, envFile, envProblem, timeoutMs, problems: [], progress };
}

/** Returns the findings as a table for people: a line for each, and the repair below it. */
export function findingsTable(findings: Finding[], io: Io): string {
  const { bold, cyan, green, red, yellow } = pc.createColors(hasColors(io.stdout, io.env));
  const colors = { ok: green, warning: yellow, problem: red };
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, verdict, detail, hint }) => {
    const margin = ' '.repeat('problem'.length + width + 4);
    const [first = '', ...rest] = detail.split('\n').map((line) => visible(line.trim()));
    return [
      `${colors[verdict](verdict.padEnd('problem'.length))}  ${bold(check.padEnd(width))}  ${first}`,
      ...rest.map((line) => margin + line),
      ...(hint === undefined ? [] : [`${margin}${cyan('hint:')} ${visible(hint)}`]),
    ];
  });
  return `${lines.join('\n')}\n`;
}
