import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const PORT = 6432;

/** PgBouncer in front of a server of the tests' own. */
export interface Pooler {
  readonly folder: string;
  /** Returns the URL by which a database of the server is reached through the pooler, or through this one and others. */
  through(url: string, ...others: Pooler[]): string;
  /** Names another server, that of this URL, in the settings, and reloads them: `RELOAD`. */
  pointTo(url: string): void;
  close(): Promise<void>;
}

/** `describe` where PgBouncer is installed; elsewhere its tests are skipped, and this says so. */
export const describeWithPooler = canRun() ? describe : describe.skip;

function canRun(): boolean {
  const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0;
  if (isInstalled && process.env['TEST_POSTGRES_URL'] === undefined) return true;
  console.warn('Poolers are not tested: install pgbouncer, and leave TEST_POSTGRES_URL unset');
  return false;
}

/**
 * Numbers of sessions for each database: in transaction mode so few that each is everybody's, in session mode enough for
 * every connection of two services.
 */
const POOL_SIZES = { transaction: 3, session: 12 };

/** Returns whether a process accepts connections at a Unix socket: its file is there a moment before that. */
async function accepts(path: string): Promise<boolean> {
  const socket = connect({ path });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/**
 * Starts a pooler before the server that a URL names. Its sessions are closed soon after their use, since each test has a
 * database of its own. `more`: more settings, such as `query_wait_timeout = 2`.
 */
export async function startPooler(
  url: string,
  mode: keyof typeof POOL_SIZES = 'transaction',
  more: readonly string[] = [],
): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-pooler-'));
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const settings = join(folder, 'pgbouncer.ini');
  const write = (server: string): void =>
    writeFileSync(
      settings,
      `[databases]
* = host=${new URL(server.replace('@/', '@localhost/')).searchParams.get('host')} user=postgres
[pgbouncer]
listen_port = ${PORT}
unix_socket_dir = ${folder}
auth_type = any
pool_mode = ${mode}
default_pool_size = ${POOL_SIZES[mode]}
server_idle_timeout = 1
server_login_retry = 1
${more.join('\n')}
`,
    );
  write(url);
  const child = spawn('pgbouncer', [settings], { ...user, stdio: 'ignore' });
  const ended = once(child, 'exit');
  while (!(await accepts(join(folder, `.s.PGSQL.${PORT}`)))) {
    if (child.exitCode !== null) throw new Error('pgbouncer does not start');
    await setTimeout(10);
  }
  return {
    folder,
    through(database, ...others) {
      const found = new URL(database.replace('@/', '@localhost/'));
      found.searchParams.set('host', [folder, ...others.map((other) => other.folder)].join());
      found.searchParams.set('port', String(PORT));
      return found.href.replace('@localhost/', '@/');
    },
    pointTo(server) {
      write(server);
      child.kill('SIGHUP');
    },
    async close() {
      child.kill('SIGQUIT');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
