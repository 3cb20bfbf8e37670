import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { postgresServer, type PostgresServer } from '../test/runtime/postgres-process';
import { seedJson, seedServer, seedStore } from './devices';
import { LOAD_CORE, Server } from './server';
import { build, VARIANTS, WORK, type VariantName } from './services';

/** What svcgen is measured against, each in bench/peers. */
const PEERS = {
  express: { title: 'Express 5 + zod + Drizzle, by hand', seed: 'requests' },
  fastify: { title: 'Fastify 5 with schemas, by hand', seed: 'requests' },
  'json-server': { title: 'json-server', seed: 'json' },
  'http-select': { title: 'node:http with the same read', seed: 'store' },
  http: { title: 'node:http with the same bytes', seed: 'store' },
  sqlite: { title: 'SQLite alone, the same rows', seed: 'store' },
  'express-pg': { title: 'Express 5 + zod + Drizzle + pg, by hand', seed: 'requests' },
} as const;

const TITLES: { [name in VariantName]: string } = {
  svcgen: 'svcgen',
  postgres: 'svcgen on PostgreSQL',
  'two-versions': 'svcgen, two versions',
  recorded: 'svcgen, with history and events',
  'without-express': 'the same without Express',
  middlewares: 'svcgen, with three middlewares',
  'middlewares-without-express': 'the same without Express',
  'one-thread': 'svcgen, commits in the thread that answers',
  '10-kinds': 'svcgen, 10 kinds',
  '300-kinds': 'svcgen, 300 kinds',
  '500-kinds': 'svcgen, 500 kinds',
};

/** Those who keep their data in PostgreSQL. */
const ON_POSTGRES: readonly ContestantName[] = ['postgres', 'express-pg'];

export type ContestantName = VariantName | keyof typeof PEERS;

/** A server that runs, and the files of its data. */
export interface Contestant {
  server: Server;
  /** A uid in each line. */
  uidFile: string;
}

export function titleOf(name: ContestantName): string {
  return isVariant(name) ? TITLES[name] : PEERS[name].title;
}

function isVariant(name: ContestantName): name is VariantName {
  return name in VARIANTS;
}

/** The servers of a run: each is started once for a number of devices, and stopped at the end. */
export class Contestants {
  readonly #running = new Map<string, Promise<Contestant>>();
  readonly #folder = join(WORK, 'data');
  #port = 18_000;
  #postgres: Promise<PostgresServer> | undefined;

  constructor() {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
  }

  /** A server with so many devices. `environment` tells it more; another environment is another server. */
  get(
    name: ContestantName,
    devices: number,
    environment: { [name: string]: string } = {},
  ): Promise<Contestant> {
    const key = JSON.stringify([name, devices, environment]);
    const running = this.#running.get(key) ?? this.#start(name, devices, environment);
    this.#running.set(key, running);
    return running;
  }

  /** A database with so many devices for a program that is no server, and the environment that names it. */
  async database(devices: number): Promise<{ [name: string]: string }> {
    const database = join(this.#folder, `${this.#port++}.db`);
    await this.#copySeed(devices, database, `${database}.uids`);
    return { DATABASE: database };
  }

  /** Stops all of them and removes their data. */
  async stop(): Promise<void> {
    for (const running of this.#running.values()) await (await running).server.stop();
    this.#running.clear();
    await (await this.#postgres)?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start(
    name: ContestantName,
    devices: number,
    environment: { [name: string]: string },
  ): Promise<Contestant> {
    const port = this.#port++;
    const database = join(this.#folder, `${port}.db`);
    const uidFile = join(this.#folder, `${port}.uids`);
    const onPostgres = ON_POSTGRES.includes(name);
    const seed = onPostgres ? 'requests' : isVariant(name) ? 'store' : PEERS[name].seed;
    if (seed === 'store' && devices > 0) await this.#copySeed(devices, database, uidFile);
    if (seed === 'json') seedJson(`${database}.json`, devices, uidFile);
    const main = isVariant(name) ? build(name) : join(__dirname, 'peers', `${name}.mjs`);
    const url = onPostgres ? await this.#newSchema() : `sqlite:${database}`;
    const data = { DATABASE: database, DATABASE_URL: url };
    const server = await Server.start([main], port, { ...data, ...environment });
    if (seed === 'requests') await seedServer(server, devices, uidFile);
    return { server, uidFile };
  }

  /** It shares the core of those who send requests: the CPU time that counts is that of the service. */
  async #newSchema(): Promise<string> {
    this.#postgres ??= postgresServer({ durable: true, core: LOAD_CORE });
    return (await this.#postgres).newSchema();
  }

  /** A database with so many devices is made once, and copied for each who wants one. */
  async #copySeed(devices: number, database: string, uidFile: string): Promise<void> {
    const seed = join(this.#folder, `${devices}`);
    if (!existsSync(`${seed}.uids`)) await seedStore(`${seed}.db`, devices, `${seed}.uids`);
    copyFileSync(`${seed}.db`, database);
    copyFileSync(`${seed}.uids`, uidFile);
  }
}
