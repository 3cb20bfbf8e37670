import { once } from 'node:events';
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Contestants } from './contestants';
import { readEvents } from './events';
import { WORK } from './services';
import type { Line } from './table';
import { type Load, measure, type Report, wrk } from './wrk';

const MINUTES = 10;

/** Time between two requests of a client, in ms. Each client makes about so many requests per second: 1,000 / PAUSE. */
const PAUSE = 10;

/** Measurements of one minute under an even load. */
interface Minute {
  gets: Report;
  posts: Report;
  /** CPU time for each request, in µs. */
  cpu: number;
  /** In MiB. */
  memory: number;
}

/**
 * The slowest responses of ten minutes at half of the largest rate, nine GETs to a POST, of a service with history, events,
 * metrics, a webhook and a reader of events.
 */
export async function tail(contestants: Contestants): Promise<Line[]> {
  const receiver = createServer((received, response) => {
    received.resume();
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const sync = slowestSync();
  const { server, uidFile } = await contestants.get('recorded', 10_000, {
    WEBHOOK_URLS: `http://127.0.0.1:${port}/`,
    WEBHOOK_ALLOW_PRIVATE: 'true',
  });
  const reader = (await readEvents(server)).resume();
  const { rate } = await measure(server, { name: 'mixed', clients: 64 }, 20, uidFile);
  // The webhook gets what is left of this.
  await setTimeout(20_000);
  const clients = (share: number): number => Math.round(((rate / 2) * share * PAUSE) / 1_000);
  const get: Load = { name: 'get', clients: clients(0.9), pause: PAUSE };
  const post: Load = { name: 'post', clients: clients(0.1), pause: PAUSE };
  const minutes: Minute[] = [];
  while (minutes.length < MINUTES) {
    const before = server.cpu();
    const [gets, posts] = await Promise.all([wrk(server, get, 60, uidFile), wrk(server, post, 60)]);
    const cpu = (server.cpu() - before) / (gets.requests + posts.requests);
    minutes.push({ gets, posts, cpu, memory: server.memory() });
    process.stderr.write(`${JSON.stringify(minutes.at(-1))}\n`);
  }
  reader.destroy();
  await server.stop();
  receiver.close();
  return linesOf(minutes, rate, sync);
}

function linesOf(minutes: Minute[], largest: number, sync: number): Line[] {
  const worst = (value: (minute: Minute) => number): number => Math.max(...minutes.map(value));
  const [first, last] = [minutes[0], minutes.at(-1)!];
  const rate = (first.gets.requests + first.posts.requests) / first.gets.seconds;
  const at = `${Math.round(rate).toLocaleString('en')} of ${Math.round(largest).toLocaleString('en')} per second`;
  return [
    {
      what: `${at}: GET, p99 of the worst minute`,
      figure: { value: worst(({ gets }) => gets.p99), unit: 'ms', to: 5 },
    },
    {
      what: 'GET, p99.9 of the worst minute',
      figure: { value: worst(({ gets }) => gets.p999), unit: 'ms', to: 20 },
    },
    {
      what: `POST, p99 of the worst minute, to a sync of ${sync.toFixed(2)} ms (p99)`,
      figure: { value: worst(({ posts }) => posts.p99) / sync, unit: '×', to: 3 },
    },
    {
      what: 'CPU time of a request, minute 10 to minute 1',
      figure: { value: last.cpu / first.cpu, unit: '×', to: 1.05 },
    },
    {
      what: `Memory, minute 10 to minute 2: ${minutes[1].memory.toFixed(0)}, later ${last.memory.toFixed(0)} MiB`,
      figure: { value: last.memory / minutes[1].memory, unit: '×', to: 1.1 },
    },
  ];
}

/** Returns the 99th percentile of the time to write a page durably, in ms, while nothing else happens. */
function slowestSync(): number {
  const path = join(WORK, 'sync');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(4_096, 1);
  const times = Array.from({ length: 1_000 }, () => {
    const begin = performance.now();
    writeSync(file, page);
    fdatasyncSync(file);
    return performance.now() - begin;
  });
  closeSync(file);
  rmSync(path);
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
}
