import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { WORK } from './services';

/** Returns the environment of a server on a disk that takes `ms` longer for each sync. */
export function slowDisk(ms: number): { [name: string]: string } {
  const library = join(WORK, 'slow-fsync.so');
  execFileSync('cc', ['-shared', '-fPIC', '-o', library, join(__dirname, 'slow-fsync.c'), '-ldl']);
  return { LD_PRELOAD: library, FSYNC_US: String(ms * 1000) };
}
