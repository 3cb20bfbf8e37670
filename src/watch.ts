import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { watch as watchFiles } from 'chokidar';
import { parse } from 'yaml';
import { failure, type Session } from './cli';
import { PROJECT_FILE } from './load-project';
import type { Outcome } from './outcome';

/** How long to wait after a change, in milliseconds: editors write in several steps. */
const QUIET = 50;

/**
 * Generates now, and again whenever project.yaml or a file that it imports changes; problems are told and do not end
 * it. Ends with exit code 0 on SIGINT and SIGTERM.
 */
export async function watch(
  session: Session,
  folder: string,
  generate: () => Promise<Outcome>,
): Promise<Outcome> {
  const { io } = session;
  const ended = new AbortController();
  const end = () => ended.abort();
  const watcher = watchFiles(sources(folder), { ignoreInitial: true });
  await once(watcher, 'ready');
  io.on('SIGINT', end);
  io.on('SIGTERM', end);
  while (!ended.signal.aborted) {
    const change = once(watcher, 'all', { signal: ended.signal }).catch(() => {});
    const outcome = await generate().catch((error: unknown) => failure(error, io));
    session.report({ ...outcome, notes: [...(outcome.notes ?? []), `svcgen: watching ${PROJECT_FILE}`] });
    watcher.add(sources(folder));
    await change;
    await setTimeout(QUIET, undefined, { signal: ended.signal }).catch(() => {});
  }
  io.off('SIGINT', end);
  io.off('SIGTERM', end);
  await watcher.close();
  return { exit: 0 };
}

/** project.yaml and the files that it imports, as far as it can be read. */
function sources(folder: string): string[] {
  const path = join(folder, PROJECT_FILE);
  return [path, ...imports(path).map((file) => resolve(folder, file))];
}

function imports(path: string): string[] {
  try {
    const { groups } = parse(readFileSync(path, 'utf8')) as { groups: { imports?: string[] }[] };
    return groups.flatMap((group) => group.imports ?? []).filter((file) => typeof file === 'string');
  } catch {
    return [];
  }
}
