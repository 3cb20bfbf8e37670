import { readFileSync, statSync } from 'node:fs';

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
