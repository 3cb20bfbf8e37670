import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { watch as watchFiles } from 'chokidar';
import { parse } from 'yaml';
import { failure, type Session } from '../cli';
import { PROJECT_FILE } from '../load/project-file';
import type { Outcome } from './outcome';
import { readTextFile } from '../load/text-file';

/** How long to wait after a change, in milliseconds: editors write in several steps. */
const QUIET = 50;

/**
 * Generates now, and again whenever project.yaml or a file that it imports changes; problems are told and do not end
 * it. Ends with exit code 0 on SIGINT and SIGTERM.
 */
export async function watch(
  { io, json, report }: Session,
  folder: string,
  generate: () => Promise<Outcome>,
): Promise<Outcome> {
  const ended = new AbortController();
  const end = () => ended.abort();
  io.on('SIGINT', end);
  io.on('SIGTERM', end);
  const watcher = watchFiles([]);
  let seen = '';
  while (!ended.signal.aborted) {
    // A file that is added is an event too, once it is watched: what changes in between is seen then.
    const event = once(watcher, 'all', { signal: ended.signal }).catch(() => {});
    const sources = readSources(folder);
    watcher.add(Object.keys(sources));
    if (JSON.stringify(sources) !== seen) {
      seen = JSON.stringify(sources);
      await report(await generate().catch((error: unknown) => failure(error, io)));
      if (!json) io.stderr.write(`svcgen: watching ${PROJECT_FILE}\n`);
    }
    await event;
    await setTimeout(QUIET, undefined, { signal: ended.signal }).catch(() => {});
  }
  io.off('SIGINT', end);
  io.off('SIGTERM', end);
  await watcher.close();
  return { exit: 0 };
}

/** The texts of project.yaml and of the files that it imports, by path; empty where one cannot be read. */
function readSources(folder: string): { [path: string]: string } {
  const path = join(folder, PROJECT_FILE);
  const text = readSource(path);
  const imported = importsOf(text).map((file) => resolve(folder, file));
  return Object.fromEntries([[path, text], ...imported.map((file) => [file, readSource(file)])]);
}

function readSource(path: string): string {
  try {
    return readTextFile(path);
  } catch {
    return '';
  }
}

function importsOf(text: string): string[] {
  try {
    const { groups } = parse(text) as { groups: { imports?: string[] }[] };
    return groups.flatMap((group) => group.imports ?? []).filter((file) => typeof file === 'string');
  } catch {
    return [];
  }
}
