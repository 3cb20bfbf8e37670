import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group: the processes in it have so much memory together, and the kernel kills those that need more. */
export interface Cgroup {
  /** Starts a program in the group: goes before its command line. */
  launcher: string[];
  /** The most memory that was used so far, in bytes; undefined where the kernel does not keep it. */
  peak(): number | undefined;
  close(): void;
}

/** The two versions of control groups: where groups are made, and the names of their files. */
const HIERARCHIES = [
  {
    root: '/sys/fs/cgroup/memory',
    limit: 'memory.limit_in_bytes',
    peak: 'memory.max_usage_in_bytes',
    swap: ['memory.swappiness', '0'],
  },
  { root: '/sys/fs/cgroup', limit: 'memory.max', peak: 'memory.peak', swap: ['memory.swap.max', '0'] },
] as const;

/** Makes a control group with a limit in bytes. Throws where none can be made: it takes root, or systemd. */
export function makeCgroup(bytes: number): Cgroup {
  const hierarchy = HIERARCHIES.find(({ root, limit }) => probe(root, limit));
  if (hierarchy === undefined) return makeScope(bytes);
  const { root, limit, peak, swap } = hierarchy;
  const folder = join(root, `svcgen-${process.pid}-${Date.now()}`);
  mkdirSync(folder);
  writeFileSync(join(folder, limit), String(bytes));
  if (existsSync(join(folder, swap[0]))) writeFileSync(join(folder, swap[0]), swap[1]);
  return {
    launcher: ['/bin/sh', '-c', `echo $$ > ${join(folder, 'cgroup.procs')} && exec "$@"`, 'sh'],
    peak: () =>
      existsSync(join(folder, peak)) ? Number(readFileSync(join(folder, peak), 'utf8')) : undefined,
    close: () => rmdirSync(folder),
  };
}

/** Returns whether groups with a limit can be made below a folder. */
function probe(root: string, limit: string): boolean {
  const folder = join(root, `svcgen-probe-${process.pid}`);
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  try {
    return existsSync(join(folder, limit));
  } finally {
    rmdirSync(folder);
  }
}

/** Has systemd make the group, which it can also for a user without rights. */
function makeScope(bytes: number): Cgroup {
  const user = process.getuid?.() === 0 ? [] : ['--user'];
  const launcher = [
    'systemd-run',
    ...user,
    '--scope',
    '--quiet',
    '-p',
    `MemoryMax=${bytes}`,
    '-p',
    'MemorySwapMax=0',
  ];
  const [program, ...options] = launcher as [string, ...string[]];
  execFileSync(program, [...options, 'true'], { stdio: ['ignore', 'ignore', 'pipe'] });
  return { launcher, peak: () => undefined, close: () => undefined };
}

/** `describe` where control groups can be made. Elsewhere what needs them is skipped, and this says so. */
export const describeWithCgroups = canLimit() ? describe : describe.skip;

function canLimit(): boolean {
  try {
    makeCgroup(64 * 1024 * 1024).close();
    return true;
  } catch (error) {
    console.warn(
      `The limit of memory is not tested; it takes root or systemd to make a control group: ${String(error)}`,
    );
    return false;
  }
}
