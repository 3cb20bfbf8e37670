import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { parseSelector } from '../templates/runtime/model/selectors/selector';
import { connect } from '../templates/runtime/store/sqlite/connection/driver';
import type { Store, StoredResource, Write } from '../templates/runtime/store/store';
import { openStore } from '../test/runtime/store/open-store';

/**
 * Size and speed of a store with many resources, without HTTP: `npx tsx bench/scale.ts
 * [place] [count]`. The place is the `postgres://` URL of an empty database, or a folder for a SQLite file; the count
 * is a million. Docs: docs/scale.md.
 */

const KIND = 'example.svc.dev/Device';
const TEXT = JSON.stringify({ spec: 'x'.repeat(540) });
const ETAG = `"${'a'.repeat(64)}"`;
/** Number of resources with each value of the label `rack`. */
const OF_A_RACK = 100;
/** The default of EVENTS_KEEP. */
const EVENTS = 100_000;
const AT_ONCE = 2_000;

const [place = tmpdir(), given = '1000000'] = process.argv.slice(2);
const count = Number(given);
const isPostgres = place.startsWith('postgres');
const racks = Math.ceil(count / OF_A_RACK);

const uidOf = (n: number): string => `dev-${((n * 2_654_435_761) % 2 ** 32).toString(16).padStart(16, '0')}`;
const line = (name: string, value: string): void => console.log(name.padEnd(52), value.padStart(16));
const mib = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

function creation(n: number): Write {
  const labels = { env: n % 10 === 0 ? 'dev' : 'prod', rack: `r${n % racks}` };
  return {
    action: 'create',
    kind: KIND,
    uid: uidOf(n),
    version: 'v1',
    text: TEXT,
    etag: ETAG,
    kept: null,
    labels,
  };
}

/** Returns a change of a resource with its event and a snapshot of its spec. */
function change({ id, uid }: StoredResource): Write {
  const state = { uid, version: 'v1', text: TEXT, etag: ETAG, kept: null };
  const snapshot = { versionId: `v-${String(id).padStart(20, '0')}`, version: 'v1', text: TEXT, kept: null };
  const text = `${TEXT}${'e'.repeat(400)}`;
  const event = { id: `e-${id}`, type: 'io.svc.device.updated', text, kept: null };
  return { action: 'update', kind: KIND, id, revision: 1, ...state, snapshot, event };
}

/** Makes so many writes, some concurrently, and prints the duration. */
async function write(
  store: Store,
  name: string,
  total: number,
  next: (n: number) => Promise<Write[]>,
): Promise<void> {
  const start = performance.now();
  for (let n = 0; n < total; n += AT_ONCE) {
    const results = await Promise.all((await next(n)).map((each) => store.write(each)));
    if (results.some((result) => result !== 'done')) throw new Error(`${name}: a write was not made`);
  }
  const seconds = (performance.now() - start) / 1_000;
  line(name, `${seconds.toFixed(1)} s`);
  line('  each second', String(Math.round(total / seconds)));
}

async function creations(n: number): Promise<Write[]> {
  return Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, index) => creation(n + index));
}

/** Returns a function that yields changes of the resources, in order of creation. */
function changesOf(store: Store): () => Promise<Write[]> {
  let after = 0;
  return async () => {
    const resources = await store.list(KIND, { after, limit: AT_ONCE, selector: [] });
    after = resources.at(-1)?.id ?? after;
    return resources.map(change);
  };
}

/** Measures an action in ms: the median and the 99th percentile, after a fifth more to warm up. */
async function time(name: string, runs: number, action: (run: number) => unknown): Promise<void> {
  const times: number[] = [];
  for (let run = 0; run < runs * 1.2; run++) {
    const start = performance.now();
    await action(run);
    times.push(performance.now() - start);
  }
  const sorted = times.slice(-runs).toSorted((a, b) => a - b);
  const at = (share: number): string => sorted[Math.floor(sorted.length * share)].toFixed(3);
  line(name, `${at(0.5)} / ${at(0.99)} ms`);
}

async function sizes(url: string): Promise<void> {
  if (isPostgres) return postgresSizes(url);
  const path = url.slice('sqlite:'.length);
  line('file', mib(statSync(path).size));
  try {
    const sql =
      'SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name HAVING bytes > 1048576 ORDER BY bytes DESC';
    for (const { name, bytes } of connect(path, true).prepare<{ name: string; bytes: number }>(sql).all())
      line(`  ${name}`, mib(bytes));
  } catch {
    line('  this SQLite has no dbstat', '');
  }
}

async function postgresSizes(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  // What the server does by itself within minutes.
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `SELECT c.relname AS name, pg_relation_size(c.oid) AS bytes FROM pg_class c
     WHERE c.relnamespace = current_schema::regnamespace AND pg_relation_size(c.oid) > 1048576 ORDER BY 2 DESC`,
  );
  line('tables and indexes', mib(rows.reduce((sum, { bytes }) => sum + Number(bytes), 0)));
  for (const { name, bytes } of rows) line(`  ${name}`, mib(Number(bytes)));
  await client.end();
}

/** Returns a number below the bound that looks random and is the same in each run. */
const some = (run: number, bound: number): number => (run * 7_919 * 104_729) % bound;

async function measure(store: Store): Promise<void> {
  const all = { after: 0, limit: 100, selector: [] };
  const select = (text: string, limit = 100) => ({ after: 0, limit, selector: parseSelector(text) });
  const last = (await store.events!.read('0', { events: 1, bytes: 1 }))[0]?.position ?? '0';
  await time('GET of one by uid, median / p99', 5_000, (run) => store.get(KIND, uidOf(some(run, count))));
  await time('first page of 100', 300, () => store.list(KIND, all));
  await time('page of 100 after 99 %', 300, () =>
    store.list(KIND, { ...all, after: Math.floor(count * 0.99) }),
  );
  await time(`label of ${OF_A_RACK}, all of them`, 300, (run) =>
    store.list(KIND, select(`rack=r${some(run, racks)}`, 1_000)),
  );
  await time('label of 10 %, page of 100', 100, () => store.list(KIND, select('env=dev')));
  await time('label of 10 % and one of 100', 100, (run) =>
    store.list(KIND, select(`env=dev,rack=r${some(run, racks / 10) * 10}`)),
  );
  await time('without a label of 90 %, page of 100', 20, () => store.list(KIND, select('env!=prod')));
  await time('100 events after a position', 300, () => store.events!.read(last, { events: 100, bytes: 1e6 }));
  await time('newest position', 300, () => store.events!.newest());
  await time('versions of all that is stored (at each start)', 5, () => store.versions.all());
}

async function main(): Promise<void> {
  const folder = isPostgres ? undefined : mkdtempSync(join(place, 'scale-'));
  const url = folder === undefined ? place : `sqlite:${folder}/store.db`;
  console.log(`${count} resources, ${url}, ${new Date().toISOString()}`);
  console.log(
    `${cpus()[0].model} x ${cpus().length}, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`,
  );
  let store = await openStore(url);
  await write(store, 'creates', count, creations);
  await store.close();
  await sizes(url);
  store = await openStore(url);
  await write(store, 'updates with event and snapshot', Math.min(EVENTS, count), changesOf(store));
  await store.close();
  await sizes(url);
  const start = performance.now();
  store = await openStore(url);
  line('open', `${(performance.now() - start).toFixed(1)} ms`);
  await measure(store);
  line('memory of the process', mib(process.memoryUsage().rss));
  console.log(`load ${loadavg()[0].toFixed(1)}`);
  await store.close();
  if (folder !== undefined) rmSync(folder, { recursive: true });
}

void main();
