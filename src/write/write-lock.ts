import { existsSync, linkSync, lstatSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { makeFolder } from '../../templates/runtime/files/make-folder';
import { hasCode, isFull } from '../files/file-errors';
import { readIfThere, UnreadableFile } from '../files/text-file';
import { refuse } from '../model/problem';

/** The time to wait for another svcgen, and the time between two looks, in milliseconds. */
const PATIENCE = 2000;
const INTERVAL = 50;

/** No run takes that long, in milliseconds: an older lock is a dead one, whoever has its process id now. */
const LONGEST_RUN = 5 * 60_000;

/**
 * Runs the action while no other svcgen holds the lock of the project folder. The lock of a dead process is taken
 * over. Throws ProjectError if another one is still at work after a while.
 */
export async function withLock<T>(root: string, action: () => T): Promise<T> {
  const folder = join(root, '.svcgen');
  const lock = join(folder, 'lock');
  for (const end = Date.now() + PATIENCE; !take(folder, lock, Date.now() > end); await setTimeout(INTERVAL)) {
    const held = readLock(lock);
    if (held === undefined) continue;
    if (isDead(held)) removeDead(folder, lock);
    else if (Date.now() > end) {
      refuse(
        `another svcgen is running in this project (process ${held.text})`,
        `if it is not, delete ${lock}`,
      );
    }
  }
  try {
    return action();
  } finally {
    rmSync(lock, { force: true });
    removeIfEmpty(folder);
  }
}

/**
 * Takes the lock. Returns true on success. It appears with its content: linked, not written in place. For the last attempt
 * (`isLast`), the folder must be there.
 */
function take(folder: string, lock: string, isLast: boolean): boolean {
  const own = join(folder, `lock-${process.pid}`);
  try {
    makeFolder(folder);
    if (lstatSync(folder).isSymbolicLink())
      refuse(`${folder} is a symbolic link; svcgen writes only into real folders`);
    writeFileSync(own, String(process.pid));
  } catch (error) {
    // Another svcgen may just have removed the folder, which was empty.
    if (!isLast && hasCode(error, 'ENOENT')) return false;
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS'))
      refuse(
        `${existsSync(folder) ? folder : dirname(folder)} is read-only`,
        'make it writable, then run svcgen again',
      );
    // A full disk leaves an empty file.
    if (isFull(error)) rmSync(own, { force: true });
    throw error;
  }
  try {
    appear(own, lock);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST', 'ENOENT')) return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
}

function appear(own: string, lock: string): void {
  try {
    linkSync(own, lock);
  } catch (error) {
    // exFAT and shared folders of virtual machines have no links.
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
  }
}

/**
 * Removes a lock if it is a dead one still. One process at a time does: another might remove the lock that comes after it.
 */
function removeDead(folder: string, lock: string): void {
  const turn = join(folder, 'lock-0');
  if (take(folder, turn, false)) {
    removeIf(lock, isDead);
    rmSync(turn, { force: true });
  } else {
    removeIf(turn, ({ age }) => age > LONGEST_RUN);
  }
}

function removeIf(lock: string, isMeant: (held: Held) => boolean): void {
  const held = readLock(lock);
  if (held !== undefined && isMeant(held)) rmSync(lock, { force: true });
}

/** Returns true where nobody holds the lock any more. */
function isDead({ text, age }: Held): boolean {
  // One that is being written, where it cannot be linked.
  if (text === '' && age < PATIENCE / 2) return false;
  const holder = Number(text);
  if (age > LONGEST_RUN || !(holder > 0) || holder === process.pid) return true;
  try {
    process.kill(holder, 0);
    return false;
  } catch (error) {
    return hasCode(error, 'ESRCH');
  }
}

/** The content of a lock: the process that holds it. */
interface Held {
  text: string;
  /** In milliseconds. */
  age: number;
}

/** Undefined when it has been released. */
function readLock(lock: string): Held | undefined {
  try {
    const text = readIfThere(lock, { limit: 4096 });
    return text === undefined ? undefined : { text, age: Date.now() - statSync(lock).mtimeMs };
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (error instanceof UnreadableFile)
      refuse(`${lock} ${error.message}`, 'move it away, then run svcgen again');
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
