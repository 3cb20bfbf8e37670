import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type FSWatcher, watch as watchFiles } from 'chokidar';
import { pause } from '../../templates/runtime/concurrency/backoff';
import { yamlValue } from '../edit/yaml-source';
import { MAX_GENERATED_SIZE, readTextFile } from '../files/text-file';
import { tryOr } from '../files/try-or';
import { LOCK_FILE } from '../lock/lock-text';
import { Cancelled, PROJECT_FILE } from '../model/problem';
import { failure, type Outcome, type Session } from './session';

/** The pause after a change, in milliseconds: editors write in several steps. */
const QUIET = 50;

/** The sources are read again at least this often, in milliseconds: a folder that is replaced is no longer watched. */
const AGAIN = 1_000;

/**
 * Generates now, and again whenever somebody else changes project.yaml, a file that it imports or svcgen.lock; problems are
 * reported and do not end it. A change aborts the signal that `generate` gets. Ends with exit code 0 on SIGINT and SIGTERM.
 */
export async function watch(
  { io, json, report }: Session,
  folder: string,
  generate: (changed: AbortSignal) => Promise<Outcome>,
): Promise<Outcome> {
  let isEnded = false;
  let latest = new AbortController();
  const end = () => {
    isEnded = true;
    latest.abort();
  };
  io.on('SIGINT', end);
  io.on('SIGTERM', end);
  const watcher = watchFiles([]);
  while (!isEnded) {
    const sources = readSources(folder);
    const changed = new AbortController();
    latest = changed;
    void untilChange(watcher, folder, sources, changed.signal).finally(() => changed.abort());
    try {
      const outcome = await generate(changed.signal);
      // This run may have written it.
      sources[join(folder, LOCK_FILE)] = readLock(folder);
      await report(outcome);
    } catch (error) {
      if (!(error instanceof Cancelled)) await report(failure(error, io));
      else if (!changed.signal.aborted) end();
    }
    if (changed.signal.aborted) continue;
    if (!json) io.stderr.write(`svcgen: watching ${PROJECT_FILE}\n`);
    await once(changed.signal, 'abort');
  }
  io.off('SIGINT', end);
  io.off('SIGTERM', end);
  await watcher.close();
  return { exit: 0, isReported: true };
}

/** Waits until the sources are others than these, or the signal is aborted. */
async function untilChange(
  watcher: FSWatcher,
  folder: string,
  sources: Sources,
  signal: AbortSignal,
): Promise<void> {
  watcher.add(Object.keys(sources));
  // A file that is added is an event too, once it is watched: what changes in between is seen then.
  const next = (): Promise<true> => once(watcher, 'all', { signal }).then(always, always);
  let event = next();
  while (!signal.aborted) {
    if (!isDeepStrictEqual(readSources(folder), sources)) return;
    const isEvent = await Promise.race([event, pause(AGAIN, signal)]);
    if (isEvent === undefined) continue;
    event = next();
    await pause(QUIET, signal);
  }
}

const always = (): true => true;

interface Sources {
  [path: string]: string;
}

/** The texts of project.yaml, svcgen.lock and the imported files, by path; empty where one cannot be read. */
function readSources(folder: string): Sources {
  const path = join(folder, PROJECT_FILE);
  const text = readSource(folder, path);
  const imported = importsOf(text).map((file) => resolve(folder, file));
  return {
    [path]: text,
    [join(folder, LOCK_FILE)]: readLock(folder),
    ...Object.fromEntries(imported.map((file) => [file, readSource(folder, file)])),
  };
}

function readLock(folder: string): string {
  return readSource(folder, join(folder, LOCK_FILE), MAX_GENERATED_SIZE);
}

function readSource(folder: string, path: string, limit?: number): string {
  return tryOr(() => readTextFile(path, { limit, within: folder }), '');
}

function importsOf(text: string): string[] {
  return tryOr(() => {
    const { groups } = yamlValue(text) as { groups: { imports?: string[] }[] };
    return groups.flatMap((group) => group.imports ?? []).filter((file) => typeof file === 'string');
  }, []);
}
