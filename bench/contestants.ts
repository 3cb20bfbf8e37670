import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, postgresServer } from '../test/runtime/store/postgres/postgres-process';
import type { Checkout } from './checkout';
import { seedJson, seedServer, seedStore } from './devices';
import { LOAD_CORE, Server } from './server';
import { build, type VariantName, VARIANTS, WORK } from './services';

/** Peers of svcgen, each in bench/peers. */
const PEERS = {
  express: { title: 'Express 5 + zod + Drizzle, by hand', seed: 'requests' },
  fastify: { title: 'Fastify 5 with schemas, by hand', seed: 'requests' },
  'json-server': { title: 'json-server', seed: 'json' },
  'http-select': { title: 'node:http with the same read', seed: 'store' },
  'http-write': { title: 'node:http with the same write', seed: 'store' },
  http: { title: 'node:http with the same bytes', seed: 'store' },
  sqlite: { title: 'SQLite alone, the same rows', seed: 'store' },
  'express-pg': { title: 'Express 5 + zod + Drizzle + pg, by hand', seed: 'requests' },
} as const;

const TITLES: { [name in VariantName]: string } = {
  svcgen: 'svcgen',
  postgres: 'svcgen on PostgreSQL',
  'two-versions': 'svcgen, two versions',
  recorded: 'svcgen, with history and events',
  'recorded-postgres': 'svcgen on PostgreSQL, with history and events',
  kubernetes: 'svcgen, with history, events and Kubernetes clients',
  'with-site': 'svcgen, a field more',
  referring: 'svcgen, two selectable fields and a reference',
  'without-express': 'the same without Express',
  middlewares: 'svcgen, with three middlewares',
  'middlewares-without-express': 'the same without Express',
  'one-thread': 'svcgen, commits in the main thread',
  'without-rows': 'no rows in memory',
  'without-remembered-rows': 'changes that check the row first',
  'without-wal-index': 'rows in memory until the next commit',
  'without-direct-routes': "through Express' layers",
  'middlewares-without-direct-routes': "through Express' layers, with three middlewares",
  'without-typed-prototypes': 'prototypes set on each request',
  'without-accept-cache': 'Accept parsed on each request',
  'without-joined-lists': 'lists joined from rows',
  'without-list-states': 'lists without ETags',
  'without-repeated-lists': 'lists read again each time',
  'without-gathering': 'commits that wait for nobody',
  'without-long-log': 'a log of 1,000 pages',
  '10-kinds': 'svcgen, 10 kinds',
  '300-kinds': 'svcgen, 300 kinds',
  '500-kinds': 'svcgen, 500 kinds',
};

/** Contestants with their data in PostgreSQL. */
const ON_POSTGRES: readonly ContestantName[] = ['postgres', 'recorded-postgres', 'express-pg'];

/** Contestants that get their devices by requests, since their store holds more than the rows of devices. */
const BY_REQUESTS: readonly ContestantName[] = [...ON_POSTGRES, 'kubernetes'];

/** A variant as another commit of svcgen generates it. */
export type EarlierName = `${VariantName}@before`;

export type ContestantName = VariantName | EarlierName | keyof typeof PEERS;

/** A running server, and the files of its data. */
export interface Contestant {
  server: Server;
  /** A uid in each line. */
  uidFile: string;
}

export function titleOf(name: ContestantName): string {
  if (isEarlier(name)) return `${TITLES[variantOf(name)]}, before`;
  return isVariant(name) ? TITLES[name] : PEERS[name].title;
}

function isEarlier(name: ContestantName): name is EarlierName {
  return name.endsWith('@before');
}

function variantOf(name: VariantName | EarlierName): VariantName {
  return name.replace('@before', '') as VariantName;
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

  /** `before` is the commit that `@before` means. */
  constructor(private readonly before?: Checkout) {
    rmSync(this.#folder, { recursive: true, force: true });
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Returns a server with so many devices. `environment` adds variables; another environment is another server. */
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

  /** Returns the environment of a program that is no server: it names a database with so many devices. */
  async database(devices: number): Promise<{ [name: string]: string }> {
    const database = join(this.#folder, `${this.#port++}.db`);
    await this.#copySeed(devices, { database, uidFile: `${database}.uids`, isBatched: false });
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
    const present = isEarlier(name) ? variantOf(name) : name;
    const onPostgres = ON_POSTGRES.includes(present);
    const seed = BY_REQUESTS.includes(present) ? 'requests' : this.#seedOf(name);
    if (seed === 'store' && devices > 0)
      await this.#copySeed(devices, { database, uidFile, isBatched: name === 'referring' });
    if (seed === 'json') seedJson(`${database}.json`, devices, uidFile);
    const main = this.#mainOf(name);
    const url = onPostgres ? await this.#newSchema() : `sqlite:${database}`;
    const data = { DATABASE: database, DATABASE_URL: url };
    const server = await Server.start([main], port, { ...data, ...environment });
    if (seed === 'requests') await seedServer(server, devices, uidFile);
    return { server, uidFile };
  }

  /** How a server gets its devices. A store written by one commit may be new to another, so both get requests. */
  #seedOf(name: ContestantName): 'requests' | 'json' | 'store' {
    if (isEarlier(name) || isVariant(name)) return this.before === undefined ? 'store' : 'requests';
    return PEERS[name].seed;
  }

  #mainOf(name: ContestantName): string {
    if (isEarlier(name)) return build(variantOf(name), this.before!.folder);
    return isVariant(name) ? build(name) : join(__dirname, 'peers', `${name}.mjs`);
  }

  /** It shares the core of the load generator: the CPU time that counts is that of the service. */
  async #newSchema(): Promise<string> {
    this.#postgres ??= postgresServer({ durable: true, core: LOAD_CORE });
    return (await this.#postgres).newSchema();
  }

  /** Copies a database with so many devices, which is made once. */
  async #copySeed(
    devices: number,
    { database, uidFile, isBatched }: { database: string; uidFile: string; isBatched: boolean },
  ): Promise<void> {
    const seed = join(this.#folder, `${devices}${isBatched ? '-batched' : ''}`);
    if (!existsSync(`${seed}.uids`)) await seedStore(`${seed}.db`, devices, `${seed}.uids`, isBatched);
    copyFileSync(`${seed}.db`, database);
    copyFileSync(`${seed}.uids`, uidFile);
  }
}
