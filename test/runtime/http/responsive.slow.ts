import { existsSync, readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import {
  create,
  type HttpResponse,
  JSON_PATCH,
  JSON_TYPE,
  MERGE,
  send,
  SHORTHAND_PATCH,
} from '../support/client';
import { type ServiceProcess, startProcess } from '../support/service-process';

/**
 * Requests of one client must not delay the responses to another. The service runs in a process of its own. The
 * times are printed. They are processor time of the service where the system reports it: a machine that is busy with other
 * things makes clients wait too.
 */
let service: ServiceProcess;
beforeAll(async () => void (service = await startProcess()));

const BOUND = 1_500;

/** So often a wait beyond the bound may be that of the machine: what the service makes a client wait for, it does every time. */
const CHANCES = 5;

/** Returns the longest wait of another client while `load` runs, the least of a few times if it is beyond the bound. */
async function longestWait(load: () => Promise<unknown>): Promise<number> {
  let least = Infinity;
  for (let chance = 0; chance < CHANCES && least >= BOUND; chance++)
    least = Math.min(least, await waitUnder(load));
  return least;
}

/** Milliseconds, as `waitUnder` counts them. */
function clock(): number {
  const stat = `/proc/${service.child.pid}/stat`;
  if (!existsSync(stat)) return performance.now();
  // utime and stime, in hundredths of a second (proc_pid_stat(5)).
  const fields = readFileSync(stat, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Runs `load` while another client reads one resource again and again, and returns its longest wait. */
async function waitUnder(load: () => Promise<unknown>): Promise<number> {
  const { path } = await create(service.port, '/books', { title: 'a', author: 'b' });
  let longest = 0;
  let loading = true;
  const reader = (async (): Promise<void> => {
    while (loading) {
      const start = clock();
      expect((await send(service.port, 'GET', path)).status).toBe(200);
      longest = Math.max(longest, clock() - start);
    }
  })();
  await load().finally(() => (loading = false));
  await reader;
  return longest;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const keys = (count: number, prefix = 'k'): object =>
  Object.fromEntries(numbers(count).map((index) => [prefix + index, 1]));

const copies = (count: number): unknown => [
  { op: 'add', path: '/spec/any', value: ['x'] },
  ...numbers(count).map(() => ({ op: 'copy', path: '/spec/any/-', from: '/spec/any' })),
];

const HOSTILE: [name: string, want: number[], method: string, type: object, body: unknown][] = [
  ['a bomb of copies', [413], 'PATCH', JSON_PATCH, copies(900)],
  ['1,001 operations', [413], 'PATCH', JSON_PATCH, copies(1_000)],
  ['30,000 operations', [413], 'PATCH', JSON_PATCH, copies(30_000)],
  ['100,000 levels', [400], 'PATCH', MERGE, '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)],
  ['500,000 open brackets', [400], 'PUT', JSON_TYPE, '['.repeat(500_000)],
  [
    'paths with 20,000 × 13 parts',
    [413],
    'PATCH',
    SHORTHAND_PATCH,
    keys(20_000, `spec.any${'.a'.repeat(11)}`),
  ],
  ['60,000 shorthand keys', [200, 413], 'PATCH', SHORTHAND_PATCH, keys(50_000, 'spec.any.k')],
  ['60,000 merged keys', [200], 'PATCH', MERGE, { spec: { any: keys(60_000) } }],
  ['60,000 unknown fields', [400], 'PUT', JSON_TYPE, { spec: keys(60_000) }],
  ['60,000 labels', [400], 'PUT', JSON_TYPE, { spec: {}, metadata: { labels: keys(60_000) } }],
  [
    '900 tests of a large value',
    [422],
    'PATCH',
    JSON_PATCH,
    [
      { op: 'add', path: '/spec/any', value: numbers(100_000) },
      ...numbers(900).map(() => ({ op: 'test', path: '/spec/any', value: [] })),
    ],
  ],
  ['more than a body may have', [413], 'PUT', JSON_TYPE, 'x'.repeat(5_000_000)],
];

test.each(HOSTILE)('%s', async (name, want, method, headers, body) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { path } = await create(service.port, '/things', { any: {} });
  const attack = async (): Promise<HttpResponse> =>
    send(service.port, method, path, { headers: { ...headers }, body: text });
  let answers: HttpResponse[] = [];
  const wait = await longestWait(async () => {
    answers.push(...(await Promise.all([attack(), attack(), attack(), attack()])));
  });
  answers = answers.filter(({ status }) => !want.includes(status));
  expect(answers.map(({ status, text }) => [status, text.slice(0, 200)])).toEqual([]);
  process.stderr.write(`  ${name}: another client waited ${wait.toFixed(0)} ms\n`);
  expect(wait).toBeLessThan(BOUND);
});

test('a list of 10,000', async () => {
  const spec = { title: 'x'.repeat(150), author: 'y'.repeat(90), description: 'z'.repeat(200) };
  for (let left = 10_000; left > 0; left -= 100) {
    await Promise.all(numbers(100).map(() => create(service.port, '/books', spec, { labels: { a: 'b' } })));
  }
  for (const query of ['', '?label=a=b', '?labelSelector=a!=c']) {
    let count = 0;
    const wait = await longestWait(async () => {
      for (let round = 0; round < 5; round++) {
        const { text } = await send(service.port, 'GET', `/books${query}`);
        count = (JSON.parse(text) as unknown[]).length;
      }
    });
    expect(count).toBeGreaterThanOrEqual(10_000);
    process.stderr.write(`  a list of ${count}${query}: another client waited ${wait.toFixed(0)} ms\n`);
    expect(wait).toBeLessThan(BOUND);
  }
});

test('200 writers of one resource', async () => {
  const { path } = await create(service.port, '/things', { any: {} });
  const start = performance.now();
  const wait = await longestWait(() =>
    Promise.all(
      numbers(200).map((index) =>
        send(service.port, 'PATCH', path, { headers: MERGE, body: { spec: { any: { [`k${index}`]: 1 } } } }),
      ),
    ),
  );
  const took = performance.now() - start;
  process.stderr.write(
    `  200 writers of one resource: ${took.toFixed(0)} ms, another client waited ${wait.toFixed(0)} ms\n`,
  );
  expect(wait).toBeLessThan(BOUND);
});
