import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { cpus, loadavg } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { loadProject } from '../src/load/load-project';
import { checkData } from '../templates/runtime/data/check-data';
import type { Resource } from '../templates/runtime/model/resource';
import { mountedKinds, serviceDefinition, startService } from '../test/runtime/support/harness';

/**
 * A service with many resources in PostgreSQL, measured over HTTP:
 * `npx tsx bench/postgres-size.ts postgres://… [count] [step…]`. Without steps, all of
 * them, in an empty database. Resources are inserted by SQL, as copies of one that the service wrote. Docs:
 * docs/scale.md.
 */

const [url, given = '10000000', ...steps] = process.argv.slice(2);
const count = Number(given);
const AT_ONCE = 250_000;
const OF_A_RACK = 100;
const racks = Math.ceil(count / OF_A_RACK);
const PATH = '/devices';
const FILLING = 'x'.repeat(350);

/** The declarations of a release for a kind. */
interface Declarations {
  names?: string;
  selectable?: string;
  serial?: string;
  parent?: string;
}

/** The project with such declarations. */
const yaml = ({ names = '', selectable = '', serial = '', parent = '' }: Declarations): string => `name: size
events: true
groups:
  - storageVersion: v1
    versions: [v1]
    kinds:
      - name: Device${names}
        versions:
          v1:
            spec:
              rack: { type: string${selectable} }
              size: { type: integer${selectable} }
              serial: { type: string${serial} }
              parent: { type: string${parent} }
              text: string
`;
const RELEASES: { [name: string]: string } = {
  plain: yaml({}),
  selectable: yaml({ selectable: ', selectable: true' }),
  declared: yaml({
    names: '\n        names: unique',
    serial: ', rules: [unique]',
    parent: ', ref: Device',
  }),
};

const line = (name: string, ...values: string[]): void =>
  console.log(name.padEnd(56), values.map((value) => value.padStart(14)).join(''));
const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const seconds = (since: number): string => `${((performance.now() - since) / 1_000).toFixed(1)} s`;
const uidOf = (n: number): string => `dev-${n.toString(16).padStart(16, '0')}`;
/** Returns a number below the count that looks random and is the same in each run. */
const some = (run: number): number => 1 + ((run * 7_919 * 104_729) % count);

/** A service in a process of its own. */
class Serving {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
  ) {}

  static async start(release: string, environment: { [name: string]: string } = {}): Promise<Serving> {
    const start = performance.now();
    const words = [...process.execArgv, __filename, url, given, 'serve', release];
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, words, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    const [text] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { port, ms } = JSON.parse(text) as { port: number; ms: number };
    line(`start of the service (${release})`, `${ms.toFixed(0)} ms`, seconds(start));
    return new Serving(child, port);
  }

  /** Returns the status and the duration of a request in ms. */
  async send(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; ms: number; text: string }> {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = body === undefined ? {} : { 'Content-Type': type };
    const start = performance.now();
    const sent = request({ port: this.port, host: '127.0.0.1', agent: this.#agent, method, path, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const part of response.setEncoding('utf8')) text += String(part);
    return { status: response.statusCode!, ms: performance.now() - start, text };
  }

  async stop(): Promise<void> {
    line('  most memory of its process', memoryOf(String(this.child.pid)));
    this.#agent.destroy();
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}

/** The process of a service. */
async function serve(release: string): Promise<void> {
  const start = performance.now();
  const { project } = loadProject(__dirname, RELEASES[release]);
  const environment = { ...process.env, DATABASE_URL: url, LOG_LEVEL: 'error' } as { [name: string]: string };
  const service = await startService(project, { environment });
  console.log(JSON.stringify({ port: service.port, ms: performance.now() - start }));
  process.on('SIGTERM', () => void service.close().then(() => process.exit(0)));
  // It ends with the process that measures.
  process.stdin.on('end', () => process.exit(1)).resume();
}

/** The process of `npm run check-data`. */
async function checkStored(): Promise<void> {
  process.env['DATABASE_URL'] = url;
  const { project } = loadProject(__dirname, RELEASES['selectable']);
  const kinds = mountedKinds(project);
  const start = performance.now();
  process.exitCode = await checkData(
    serviceDefinition(project, kinds),
    kinds.map(({ kind }) => kind),
    [],
  );
  line('check-data', seconds(start));
  line('  most memory of its process', memoryOf('self'));
}

/** Returns the most memory that a process had. */
function memoryOf(pid: string): string {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return `${(Number(/VmHWM:\s+(\d+)/.exec(status)![1]) / 1024).toFixed(0)} MiB`;
}

async function check(): Promise<void> {
  const words = [...process.execArgv, __filename, url, given, 'stored'];
  await once(spawn(process.execPath, words, { stdio: ['ignore', 'inherit', 'ignore'] }), 'exit');
}

async function withClient<T>(action: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(url);
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

async function sizes(): Promise<void> {
  const { rows } = await withClient((client) =>
    client.query<{ name: string; bytes: string }>(
      `SELECT c.relname AS name, pg_table_size(c.oid) AS bytes FROM pg_class c
       WHERE c.relnamespace = current_schema::regnamespace AND c.relkind IN ('r', 'i')
         AND pg_table_size(c.oid) > 1048576 ORDER BY 2 DESC`,
    ),
  );
  line('tables and indexes', mib(rows.reduce((sum, { bytes }) => sum + Number(bytes), 0)));
  for (const { name, bytes } of rows) line(`  ${name}`, mib(Number(bytes)));
}

/** Prints the median, the 99th percentile and the maximum of durations. */
function print(name: string, times: number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor((sorted.length - 1) * share)].toFixed(2);
  line(name, at(0.5), at(0.99), at(1));
}

/** Measures requests one after the other, after a fifth more to warm up. */
async function time(
  service: Serving,
  name: string,
  runs: number,
  path: (run: number) => string,
): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < runs * 1.2; run++) {
    const { status, ms } = await service.send('GET', path(run));
    if (status !== 200) throw new Error(`${path(run)}: ${status}`);
    times.push(ms);
  }
  print(name, times.slice(-runs));
}

/** Inserts copies of one resource. */
async function load(): Promise<void> {
  const service = await Serving.start('plain');
  const metadata = { labels: { env: 'prod', rack: 'r0' } };
  const made = await service.send('POST', PATH, {
    metadata,
    spec: { rack: 'rack-0', size: 0, text: FILLING },
  });
  if (made.status !== 201) throw new Error(made.text);
  // The copies have their own uids here, too.
  const { uid } = (JSON.parse(made.text) as Resource).metadata;
  await service.send('PATCH', `${PATH}/${uid}`, { spec: { serial: uid, parent: uid } });
  await service.stop();
  const start = performance.now();
  await withClient(async (client) => {
    for (let first = 1; first <= count; first += AT_ONCE) {
      await client.query(
        `INSERT INTO resources (kind, uid, revision, version, etag, kept, text, labels, position)
         SELECT t.kind, new.uid, 1, t.version, t.etag, NULL,
           replace(replace(replace(replace(t.text, t.uid, new.uid), '"rack-0"', '"rack-' || n % ${racks} || '"'),
             '"size":0', '"size":' || n % 1000), '"rack":"r0"', '"rack":"r' || n % ${racks} || '"'),
           array_replace(t.labels, t.kind || E'\\track\\tr0', t.kind || E'\\track\\tr' || n % ${racks}), t.position
         FROM (SELECT * FROM resources ORDER BY id LIMIT 1) t, generate_series($1::bigint, $2::bigint) n,
           LATERAL (SELECT 'dev-' || lpad(to_hex(n), 16, '0') AS uid) new`,
        [first, Math.min(count, first + AT_ONCE - 1)],
      );
    }
    line('insertion by SQL', seconds(start));
    const vacuum = performance.now();
    await client.query('VACUUM ANALYZE');
    line('VACUUM ANALYZE', seconds(vacuum));
  });
  await sizes();
}

async function reads(): Promise<void> {
  const service = await Serving.start('plain');
  await time(service, 'GET: median, p99, maximum in ms', 5_000, (run) => `${PATH}/${uidOf(some(run))}`);
  await time(service, 'first page of 100', 200, () => `${PATH}?limit=100`);
  const rack = (run: number): string => `rack%3Dr${some(run) % racks}`;
  await time(service, 'a label of 100', 300, (run) => `${PATH}?limit=100&labelSelector=${rack(run)}`);
  await time(service, 'a label of all, page of 100', 300, () => `${PATH}?limit=100&labelSelector=env%3Dprod`);
  await time(service, 'both labels', 300, (run) => `${PATH}?limit=100&labelSelector=env%3Dprod,${rack(run)}`);
  await time(service, 'a label of none', 100, () => `${PATH}?limit=100&labelSelector=rack%3Dnone`);
  await service.stop();
}

/** The responses of a running process while another makes new entries. */
class Probe {
  readonly #gets: number[] = [];
  readonly #writes: { status: number; ms: number }[] = [];
  #ends = false;
  readonly #running: Promise<unknown>;

  constructor(private readonly service: Serving) {
    this.#running = Promise.all([this.#read(), this.#write()]);
  }

  async end(): Promise<void> {
    this.#ends = true;
    await this.#running;
    print('  GET of the old process meanwhile', this.#gets);
    const by = (status: number): number[] =>
      this.#writes.filter((each) => each.status === status).map(({ ms }) => ms);
    for (const status of new Set(this.#writes.map((each) => each.status)))
      print(`  ${by(status).length} PATCH of the old process with ${status}`, by(status));
  }

  async #read(): Promise<void> {
    for (let run = 0; !this.#ends; run++) {
      this.#gets.push((await this.service.send('GET', `${PATH}/${uidOf(some(run))}`)).ms);
      await setTimeout(20);
    }
  }

  async #write(): Promise<void> {
    for (let run = 0; !this.#ends; run++) {
      this.#writes.push(
        await this.service.send('PATCH', `${PATH}/${uidOf(some(run))}`, { spec: { size: run % 7 } }),
      );
      await setTimeout(100);
    }
  }
}

const build = (): Promise<void> => upgrade('selectable');
const declare = (): Promise<void> => upgrade('declared');

/** Starts a release next to a plain one that reads and writes, and never gives up waiting. */
async function upgrade(release: string): Promise<void> {
  const old = await Serving.start('plain', { STORE_BUSY_TIMEOUT_MS: '3600000' });
  const probe = new Probe(old);
  await setTimeout(2_000);
  const service = await Serving.start(release);
  await probe.end();
  await old.stop();
  await service.stop();
  await sizes();
}

async function selectors(): Promise<void> {
  const service = await Serving.start('selectable');
  const field = (text: string): string => `${PATH}?limit=100&fieldSelector=${encodeURIComponent(text)}`;
  await time(service, 'a field of 100', 300, (run) => field(`spec.rack=rack-${some(run) % racks}`));
  await time(service, 'a field of a thousandth, page of 100', 300, (run) =>
    field(`spec.size=${some(run) % 1000}`),
  );
  await time(service, 'two fields', 300, (run) => field(`spec.rack=rack-${some(run) % racks},spec.size>500`));
  await time(service, 'sorted by a field, page of 100', 300, () => `${PATH}?limit=100&sort=-spec.size`);
  await time(
    service,
    'a range sorted by another field',
    100,
    () => `${field('spec.size>500')}&sort=-spec.rack`,
  );
  await service.stop();
}

/** Lets retention delete a million events that are older than it retains. */
async function retention(): Promise<void> {
  const events = Math.min(count, 1_000_000);
  await withClient(async (client) => {
    await client.query(
      `CREATE TEMP TABLE one AS SELECT * FROM events LIMIT 1;
       TRUNCATE events;
       INSERT INTO events (id, type, kind, uid, written_at, text)
       SELECT 'e-' || n, e.type, e.kind, e.uid, now() - interval '8 days', e.text
       FROM one e, generate_series(1, ${events}) n`,
    );
    await client.query('ANALYZE events');
    const service = await Serving.start('selectable', { EVENTS_KEEP: String(10 * events) });
    const start = performance.now();
    const old = "SELECT FROM events WHERE written_at < now() - interval '7 days' LIMIT 1";
    while ((await client.query(old)).rowCount !== 0) await setTimeout(1_000);
    line(`retention of ${events} events`, seconds(start));
    await time(service, 'GET after it', 1_000, (run) => `${PATH}/${uidOf(some(run))}`);
    await service.stop();
  });
  await sizes();
}

/** Updates resources at random with 32 clients for some minutes. */
async function updates(): Promise<void> {
  const service = await Serving.start('selectable');
  const until = performance.now() + Number(process.env['MINUTES'] ?? 3) * 60_000;
  const times: number[][] = [];
  const gets: number[] = [];
  const client = async (n: number): Promise<void> => {
    for (let run = n; performance.now() < until; run += 32) {
      const { status, ms } = await service.send('PATCH', `${PATH}/${uidOf(some(run))}`, {
        spec: { size: run },
      });
      if (status !== 200) throw new Error(String(status));
      const minute = Math.floor((until - performance.now()) / 60_000);
      (times[Math.max(0, minute)] ??= []).push(ms);
    }
  };
  const reader = async (): Promise<void> => {
    for (let run = 0; performance.now() < until; run += 1) {
      gets.push((await service.send('GET', `${PATH}/${uidOf(some(run))}`)).ms);
      await setTimeout(20);
    }
  };
  await Promise.all([reader(), ...Array.from({ length: 32 }, (_, n) => client(n + 1))]);
  for (const minute of times.toReversed()) print(`${minute.length} updates in a minute`, minute);
  print('GET meanwhile', gets);
  await service.stop();
  await withClient(async (connection) => {
    const { rows } = await connection.query<{ [column: string]: string }>(
      `SELECT relname, n_dead_tup, n_tup_hot_upd, n_tup_upd, autovacuum_count FROM pg_stat_user_tables
       WHERE relname IN ('resources', 'fields', 'events')`,
    );
    for (const row of rows) console.log(row);
  });
  await sizes();
}

const STEPS: { [name: string]: () => Promise<void> } = {
  load,
  reads,
  check,
  build,
  declare,
  selectors,
  retention,
  updates,
};

async function main(): Promise<void> {
  if (steps[0] === 'serve') return serve(steps[1]);
  if (steps[0] === 'stored') return checkStored();
  console.log(`${count} resources, ${new Date().toISOString()}, ${cpus()[0].model} x ${cpus().length}`);
  for (const step of steps.length > 0 ? steps : Object.keys(STEPS)) {
    console.log(`\n${step}, load ${loadavg()[0].toFixed(1)}`);
    await STEPS[step]();
  }
}

void main();
