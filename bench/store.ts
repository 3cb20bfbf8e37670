import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../templates/runtime/store/open-store';
import type { Store, Write } from '../templates/runtime/store/store';

/**
 * What the SQLite store costs, without HTTP: `node -r ts-node/register/transpile-only bench/store.ts [folder]`.
 * The folder (the system's for temporary files without one) must be on a real disk for the writes to mean anything.
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

/** Durable writes per second with so many writers, each waiting for its own before the next. */
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

/** The median time of an action in ms, after as many runs to warm up. */
async function median(runs: number, action: (run: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs * 2; run++) {
    const start = performance.now();
    await action(run);
    times.push(performance.now() - start);
  }
  return times.slice(runs).toSorted((a, b) => a - b)[runs >> 1];
}

async function main(parent: string): Promise<void> {
  const folder = mkdtempSync(join(parent, 'svcgen-bench-'));
  const line = (name: string, value: string): void => console.log(name.padEnd(58), value.padStart(12));
  try {
    let store = await openStore(`sqlite:${folder}/alone.db`, { batchWrites: 1 });
    line('durable creates/s, 64 writers, a commit each', String(await writes(store, 64, 5_000, 0)));
    await store.close();
    store = await openStore(`sqlite:${folder}/group.db`);
    line('durable creates/s, 1 writer', String(await writes(store, 1, 3_000, 200_000)));
    line('durable creates/s, 64 writers', String(await writes(store, 64, 100_000, 0)));
    const snapshot = { versionId: '1', version: 'v1', text: TEXT, kept: null };
    const event = { id: '0'.repeat(36), type: 'io.svc.device.created', text: TEXT };
    line(
      'the same with snapshot and event',
      String(await writes(store, 64, 20_000, 300_000, { snapshot, event } as Partial<Write>)),
    );

    const uid = (n: number): string => `dev-${((n * 7919) % 100_000).toString(16).padStart(16, '0')}`;
    line('get, ms', (await median(10_000, (run) => store.get(KIND, uid(run)))).toFixed(4));
    const list =
      (
        limit: number,
        ...selector: { key: string; operator: 'in' | 'exists' | 'absent' | 'notin'; values: string[] }[]
      ) =>
      () =>
        store.list(KIND, { after: 10_000, limit, selector });
    const rack = { key: 'rack', operator: 'in', values: ['r5'] } as const;
    const env = { key: 'env', operator: 'in', values: ['prod'] } as const;
    const selectors: [string, () => unknown, number][] = [
      ['list of 100, ms', list(100), 100],
      ['list of 10,000, ms', list(10_000), 10],
      ['rack=r5, 100 of 100,000, ms', list(100, { ...rack, values: [...rack.values] }), 100],
      [
        'env=prod,rack=r5, ms',
        list(100, { ...env, values: [...env.values] }, { ...rack, values: [...rack.values] }),
        100,
      ],
      ['rack in (r5,r6), ms', list(100, { key: 'rack', operator: 'in', values: ['r5', 'r6'] }), 100],
      ['env (exists), 100 of 100,000, ms', list(100, { key: 'env', operator: 'exists', values: [] }), 10],
      ['!env, nothing of 100,000, ms', list(100, { key: 'env', operator: 'absent', values: [] }), 5],
    ];
    for (const [name, action, runs] of selectors) line(name, (await median(runs, action)).toFixed(3));
    await store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main(process.argv[2] ?? tmpdir());
