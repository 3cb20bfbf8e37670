import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { parseSelector } from '../templates/runtime/model/selectors/selector';
import type { Store, Write } from '../templates/runtime/store/store';
import { openStore } from '../test/runtime/store/open-store';

/**
 * Speed of a store, without HTTP: `npx tsx bench/store.ts [place]`. The place is a
 * `postgres://` URL of an empty database, or a folder for SQLite files: one on a real disk, for the writes to mean
 * anything. Without it, the folder is the system's for temporary files.
 */

const KIND = 'example.svc.dev/Device';
const TEXT = JSON.stringify({ spec: 'x'.repeat(540) });
const ETAG = `"${'a'.repeat(64)}"`;

function creation(n: number, more: Partial<Write> = {}): Write {
  const uid = `dev-${n.toString(16).padStart(16, '0')}`;
  const labels = { env: n % 10 === 0 ? 'dev' : 'prod', rack: `r${n % 1000}` };
  return {
    action: 'create',
    kind: KIND,
    uid,
    version: 'v1',
    text: TEXT,
    etag: ETAG,
    kept: null,
    labels,
    ...more,
  } as Write;
}

/** Returns durable writes per second with so many writers, each waiting for its own before the next. */
async function writes(
  store: Store,
  writers: number,
  count: number,
  first: number,
  more: Partial<Write> = {},
): Promise<number> {
  let next = first;
  const start = performance.now();
  const writer = async (): Promise<void> => {
    while (next < first + count) await store.write(creation(next++, more));
  };
  await Promise.all(Array.from({ length: writers }, writer));
  return Math.round(count / ((performance.now() - start) / 1000));
}

/** Returns the median time of an action in ms, after as many runs to warm up. */
async function median(runs: number, action: (run: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs * 2; run++) {
    const start = performance.now();
    await action(run);
    times.push(performance.now() - start);
  }
  return times.slice(runs).toSorted((a, b) => a - b)[runs >> 1];
}

/** Returns reads of one row per second, so many at a time. */
async function reads(store: Store, readers: number, count: number): Promise<number> {
  let next = 0;
  const start = performance.now();
  const reader = async (): Promise<void> => {
    while (next < count) await store.get(KIND, uid(next++));
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return Math.round(count / ((performance.now() - start) / 1000));
}

const uid = (n: number): string => `dev-${((n * 7919) % 100_000).toString(16).padStart(16, '0')}`;

const line = (name: string, value: string): void => console.log(name.padEnd(48), value.padStart(12));

/** Does what the server does by itself within minutes. */
async function analyze(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query('VACUUM ANALYZE');
  await client.end();
}

async function measure(url: string): Promise<void> {
  let store = await openStore(url, { batchWrites: 1 });
  line('durable creates/s, 64 writers, a commit each', String(await writes(store, 64, 5_000, 400_000)));
  await store.close();
  store = await openStore(url);
  line('durable creates/s, 1 writer', String(await writes(store, 1, 3_000, 200_000)));
  line('durable creates/s, 64 writers', String(await writes(store, 64, 100_000, 0)));
  const snapshot = { versionId: '1', version: 'v1', text: TEXT, kept: null };
  const event = { id: '0'.repeat(36), type: 'io.svc.device.created', text: TEXT };
  const more = { snapshot, event } as Partial<Write>;
  line('the same with snapshot and event', String(await writes(store, 64, 20_000, 300_000, more)));
  if (url.startsWith('postgres')) await analyze(url);
  line('gets/s, 64 readers', String(await reads(store, 64, 50_000)));
  line('get, ms', (await median(5_000, (run) => store.get(KIND, uid(run)))).toFixed(4));
  const selectors: [string, number, number][] = [
    ['', 100, 100],
    ['', 10_000, 10],
    ['rack=r5', 100, 100],
    ['env=prod,rack=r5', 100, 100],
    ['rack in (r5,r6)', 100, 100],
    ['env', 100, 20],
    ['!env', 100, 5],
  ];
  for (const [text, limit, runs] of selectors) {
    const query = { after: 10_000, limit, selector: parseSelector(text) };
    line(`list of ${limit} ${text}, ms`, (await median(runs, () => store.list(KIND, query))).toFixed(3));
  }
  await store.close();
}

async function main(place: string): Promise<void> {
  if (place.startsWith('postgres')) return measure(place);
  const folder = mkdtempSync(join(place, 'svcgen-bench-'));
  await measure(`sqlite:${folder}/service.db`).finally(() => rmSync(folder, { recursive: true }));
}

void main(process.argv[2] ?? tmpdir());
