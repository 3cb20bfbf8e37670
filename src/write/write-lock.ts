import {
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { hasCode } from './file-errors';
import { refuse } from '../cli/refusal';

/** How long to wait for another svcgen, in milliseconds, and how often to look. */
const PATIENCE = 2000;
const INTERVAL = 50;

/** No run takes that long, in milliseconds: an older lock is a dead one, whoever has its process id now. */
const LONGEST_RUN = 5 * 60_000;

/**
 * Does the action while no other svcgen does the same in the project folder. The lock of a dead process is taken
 * over. Throws ProjectError if another one is still at work after a while.
 */
export async function withLock<T>(root: string, action: () => T): Promise<T> {
  const folder = join(root, '.svcgen');
  const lock = join(folder, 'lock');
  for (const end = Date.now() + PATIENCE; !take(folder, lock); await setTimeout(INTERVAL)) {
    const holder = holderOf(lock);
    if (holder === undefined) rmSync(lock, { force: true });
    else if (Date.now() > end) {
      refuse(`another svcgen is running in this project (process ${holder})`, `if it is not, delete ${lock}`);
    }
  }
  try {
    return action();
  } finally {
    rmSync(lock, { force: true });
    removeIfEmpty(folder);
  }
}

/** Whether the lock is ours now. It appears with its content: linked, not written in place. */
function take(folder: string, lock: string): boolean {
  const own = `${lock}-${process.pid}`;
  mkdirSync(folder, { recursive: true });
  if (lstatSync(folder).isSymbolicLink())
    refuse(`${folder} is a symbolic link; svcgen writes only into real folders`);
  try {
    writeFileSync(own, String(process.pid));
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOENT')) return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

/** The process that holds the lock; undefined if it is dead. */
function holderOf(lock: string): number | undefined {
  const held = readLock(lock);
  const holder = Number(held?.text);
  if (!held || held.age > LONGEST_RUN || !(holder > 0) || holder === process.pid) return undefined;
  try {
    process.kill(holder, 0);
  } catch (error) {
    if (hasCode(error, 'ESRCH')) return undefined;
  }
  return holder;
}

function readLock(lock: string): { text: string; age: number } | undefined {
  try {
    return { text: readFileSync(lock, 'utf8'), age: Date.now() - statSync(lock).mtimeMs };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) throw error;
  }
}
