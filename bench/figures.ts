import { openStore } from '../test/runtime/store/open-store';
import type { Contestant, ContestantName } from './contestants';
import { EVENT_FIGURES } from './events';
import { informer, kubernetesReads, watches } from './kubernetes';
import type { Measure } from './measure';
import { slowDisk } from './slow-disk';
import type { Line } from './table';
import { type Load, measure, type Measurement, middleOf } from './wrk';

const GET: Load = { name: 'get', clients: 8 };

/** Requests of others while one client reads a long list. */
const duringLists: Measure = async (contestants, seconds) => {
  const { server, uidFile } = await contestants.get('svcgen', 10_000);
  const lists = measure(server, { name: 'path', path: '/devices', clients: 2 }, seconds);
  const { p99 } = await measure(server, GET, seconds, uidFile);
  await lists;
  return [{ what: 'GET during lists of 10,000, p99', figure: { value: p99!, unit: 'ms', to: 50 } }];
};

/** GETs during POSTs on a disk that takes 2 ms for a sync, and the effect of a thread for commits on both. */
const onSlowDisk: Measure = async (contestants, seconds) => {
  const disk = slowDisk(2);
  const duringPosts = async (name: ContestantName): Promise<{ get: Measurement; post: Measurement }> => {
    const { server, uidFile } = await contestants.get(name, 10_000, disk);
    const posts = measure(server, { name: 'post', clients: 32 }, seconds);
    const get = await measure(server, { name: 'get', clients: 32 }, seconds, uidFile);
    return { get, post: await posts };
  };
  const [two, one]: Awaited<ReturnType<typeof duringPosts>>[][] = [[], []];
  for (let round = -1; round < 5; round++) {
    const measured = [await duringPosts('svcgen'), await duringPosts('one-thread')] as const;
    if (round >= 0) [two, one].forEach((all, index) => all.push(measured[index]));
  }
  const middle = (all: typeof two, value: (both: (typeof two)[0]) => number): number =>
    middleOf(all.map(value));
  const rate = (all: typeof two, load: 'get' | 'post'): number => middle(all, (both) => both[load].rate);
  const line = (all: typeof two): string =>
    (['get', 'post'] as const)
      .map((load) => `${Math.round(rate(all, load)).toLocaleString('en')} ${load.toUpperCase()}s`)
      .join(', ');
  const p99 = (all: typeof two): number => middle(all, ({ get }) => get.p99!);
  return [
    {
      what: `A sync takes 2 ms: ${line(two)} per second, p99 of GET`,
      figure: { value: p99(two), unit: 'ms', to: 3 },
    },
    {
      what: `  committing in the main thread: ${line(one)}`,
      figure: { value: p99(one), unit: 'ms' },
    },
    {
      what: '  POSTs against those',
      figure: { value: rate(two, 'post') / rate(one, 'post'), unit: '×', from: 0.9 },
    },
  ];
};

/** A GET in a version that is converted to, and one in the stored version. */
const throughSpoke: Measure = async (contestants, seconds) => {
  const { server, uidFile } = await contestants.get('two-versions', 10_000);
  const spoke: Load = { ...GET, path: '/apis/example.svc.dev/v1beta1/devices' };
  const ratios: number[] = [];
  for (let round = -1; round < 5; round++) {
    const hub = await measure(server, GET, seconds, uidFile);
    const shown = await measure(server, spoke, seconds, uidFile);
    if (round >= 0) ratios.push(hub.cpu / shown.cpu);
  }
  const value = middleOf(ratios);
  return [
    { what: 'GET in the hub version to one through a spoke, CPU', figure: { value, unit: '×', from: 0.85 } },
  ];
};

/** A label that finds 100 of 100,000, in the store alone. */
const labels: Measure = async (contestants) => {
  const { DATABASE } = await contestants.database(100_000);
  const store = await openStore(`sqlite:${DATABASE}`);
  const selector = [{ key: 'rack', operator: 'in' as const, values: ['r5'] }];
  const find = async (): Promise<number> => {
    const start = performance.now();
    await store.listTexts?.('example.svc.dev/Device', { after: 0, limit: 1000, selector }, 'v1');
    return performance.now() - start;
  };
  const times: number[] = [];
  for (let run = 0; run < 201; run++) times.push(await find());
  await store.close();
  const value = middleOf(times);
  return [
    { what: 'A label that finds 100 of 100,000, in the store', figure: { value, unit: 'ms', to: 0.2 } },
  ];
};

/** Time from the start of the process to the first response, and its memory then. */
const startUp: Measure = async (contestants) => {
  const lines: Line[] = [];
  for (const [name, to] of [
    ['10-kinds', 250],
    ['300-kinds', 600],
  ] as const) {
    const started: Contestant[] = [];
    for (let run = 0; run < 5; run++) started.push(await contestants.get(name, 0, { RUN: String(run) }));
    const value = middleOf(started.map(({ server }) => server.startedIn));
    lines.push({
      what: `Start to the first response, ${name.replace('-', ' ')}`,
      figure: { value, unit: 'ms', to },
    });
    const memory = middleOf(started.map(({ server }) => server.memory()));
    lines.push({
      what: `Memory after the start, ${name.replace('-', ' ')}`,
      figure: { value: memory, unit: 'MiB', to: name === '10-kinds' ? 80 : undefined },
    });
  }
  return lines;
};

/** Memory under GETs, lists and POSTs, which should stay constant; the first third warms up. */
const memoryUnderLoad: Measure = async (contestants, seconds) => {
  const { server, uidFile } = await contestants.get('svcgen', 10_000, { RUN: 'memory' });
  const memories: number[] = [];
  for (let round = 0; round < 3; round++) {
    await measure(server, { name: 'get', clients: 32 }, seconds * 4, uidFile);
    await measure(server, { name: 'post', clients: 64 }, seconds, undefined);
    memories.push(server.memory());
  }
  const [first, , last] = memories;
  return [
    {
      what: `Memory under load: ${Math.round(first)}, later ${Math.round(last)} MiB`,
      figure: { value: last / first, unit: '×', to: 1.3 },
    },
  ];
};

/** Slowdown of a GET among a million. */
const million: Measure = async (contestants, seconds) => {
  const few = await contestants.get('svcgen', 10_000);
  const many = await contestants.get('svcgen', 1_000_000);
  const ratios: number[] = [];
  for (let round = -2; round < 5; round++) {
    const [a, b] = [
      await measure(many.server, GET, seconds, many.uidFile),
      await measure(few.server, GET, seconds, few.uidFile),
    ];
    if (round >= 0) ratios.push(a.p99! / b.p99!);
  }
  return [
    {
      what: 'GET among 1,000,000 to among 10,000, p99',
      figure: { value: middleOf(ratios), unit: '×', to: 1.5 },
    },
  ];
};

const MANY = 1_000_000;
const FEW = 10_000;

/** A selector that finds 100 devices, next to a label that does, and among fewer devices. */
const selectors: Measure = async (contestants, seconds) => {
  const many = await contestants.get('referring', MANY);
  const few = await contestants.get('referring', FEW);
  const list = (query: string): Load => ({ name: 'path', path: `/devices?${query}`, clients: 8 });
  const [byField, byLabel] = [list('fieldSelector=spec.model%3DTX-7'), list('labelSelector=batch%3Db7')];
  const [costs, times]: number[][] = [[], []];
  for (let round = -1; round < 5; round++) {
    const field = await measure(many.server, byField, seconds);
    const label = await measure(many.server, byLabel, seconds);
    const fewer = await measure(few.server, byField, seconds);
    if (round < 0) continue;
    costs.push(field.cpu / label.cpu);
    times.push(field.p99! / fewer.p99!);
  }
  return [
    {
      what: 'A selector that finds 100 of 1,000,000 to a label that does, CPU',
      figure: { value: middleOf(costs), unit: '×', to: 2 },
    },
    {
      what: 'The selector among 1,000,000 to among 10,000, p99',
      figure: { value: middleOf(times), unit: '×', to: 1.5 },
    },
  ];
};

/** A POST without declarations, and one with two selectable fields and a reference. */
const referring: Measure = async (contestants, seconds) => {
  const plain = await contestants.get('with-site', FEW);
  const declared = await contestants.get('referring', FEW, { RUN: 'referring' });
  const site = { method: 'PUT', headers: { 'Content-Type': 'application/json', 'If-None-Match': '*' } };
  await fetch(`${declared.server.url}/sites/main`, { ...site, body: '{"spec":{}}' });
  const load: Load = { name: 'postwithsite', clients: 64 };
  const ratios: number[] = [];
  for (let round = -1; round < 5; round++) {
    const without = await measure(plain.server, load, seconds);
    const withAll = await measure(declared.server, load, seconds);
    if (round >= 0) ratios.push(without.cpu / withAll.cpu);
  }
  return [
    {
      what: 'POST without to one with two selectable fields and a reference, CPU',
      figure: { value: middleOf(ratios), unit: '×', from: 0.75 },
    },
  ];
};

/** Figures by title; a full run has them all. */
export const FIGURES: { [title: string]: Measure } = {
  'beside lists': duringLists,
  'slow disk': onSlowDisk,
  labels,
  spoke: throughSpoke,
  'start-up': startUp,
  memory: memoryUnderLoad,
  million,
  selectors,
  referring,
  'Kubernetes reads': kubernetesReads,
  informer,
  watches,
  ...EVENT_FIGURES,
};
