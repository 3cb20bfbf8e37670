import { readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreRefused } from '../../store';

/** The path of a database in memory. */
export const IN_MEMORY = ':memory:';

/** Maximum length of a chain of links to a database; the same as in Linux. */
const MOST_LINKS = 40;

/** SQLite's own URIs and their parameters, which would become a part of the name; and a folder that need not exist. */
const NO_PATH = /^file:|\?|[/\\]$/;

/** Returns the name of the file in a URL; undefined for a URL of another kind of database. */
export function fileOf(url: string): string | undefined {
  return /^sqlite:(?!\/\/)(.+)$/s.exec(url)?.[1];
}

/**
 * Returns the path of the database file behind symbolic links, the last of which may lead to a file that does not exist
 * yet. SQLite puts the log and its index next to the file, not next to a link. Throws StoreRefused for circular links,
 * and for a name that is no path.
 */
export function databaseFile(name: string): string {
  if (NO_PATH.test(name))
    throw new StoreRefused(
      `sqlite:${name} names no file; DATABASE_URL is sqlite:<file>, without "file:", without "?" and its parameters, ` +
        'and without a slash at the end',
    );
  let path = name;
  for (let links = 0; links <= MOST_LINKS; links++) {
    const target = targetOf(path);
    if (target === undefined) return path;
    path = resolve(realpathSync(dirname(path)), target);
  }
  throw new StoreRefused(`${name} is a symbolic link that leads to no file`);
}

function targetOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // It is no link, or there is nothing yet; opening it reports any other error.
    return undefined;
  }
}

/** The process, the device in hexadecimal and the inode of a held lock (proc_locks(5)). */
const LOCK = /^\d+: POSIX +\w+ +\w+ +(\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) /;

/**
 * Returns whether another process has a SQLite file open: in WAL mode each holds a lock on it for as long. Acquiring a
 * lock would be less exact, since connections of this process hold theirs until their statements are collected. Returns
 * false where it cannot be determined: only Linux lists the holders of locks, and not of processes in another
 * container.
 */
export function isOpenElsewhere(path: string): boolean {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return false;
  const { dev, ino } = stats;
  const major = (dev >> 8n) & 0xfffn;
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xfff00n);
  return heldLocks().some((line) => {
    const [, pid, ...place] = LOCK.exec(line) ?? [];
    if (pid === undefined || Number(pid) === process.pid) return false;
    return BigInt(`0x${place[0]}`) === major && BigInt(`0x${place[1]}`) === minor && BigInt(place[2]) === ino;
  });
}

function heldLocks(): string[] {
  try {
    return readFileSync('/proc/locks', 'utf8').split('\n');
  } catch {
    return [];
  }
}
