import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Progress } from '../cli/progress';
import type { Problem } from '../problem';

/** What every check works with. */
export interface Examination {
  /** Of the project. */
  folder: string;
  /** What a service started here would have: the process's environment, then what `.env` adds. */
  environment: { [name: string]: string | undefined };
  /** The text of `.env`; undefined without one. */
  envFile: string | undefined;
  /** How long a check that runs code of the project may take, in milliseconds. */
  timeoutMs: number;
  /** Problems of project.yaml, where they are; the check of project.yaml adds them. */
  problems: Problem[];
  /** Of work that takes a while. */
  progress: Progress;
}

/** The examination of a project. */
export function examine(
  folder: string,
  env: { [name: string]: string | undefined },
  timeoutMs: number,
  progress: Progress,
): Examination {
  const envFile = textOf(join(folder, '.env'));
  const environment = { ...parseEnv(envFile ?? ''), ...env };
  return { folder, environment, envFile, timeoutMs, problems: [], progress };
}

/** The text of a file; undefined where there is none that can be read. */
export function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
