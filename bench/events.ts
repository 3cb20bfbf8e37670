import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { ContestantName } from './contestants';
import type { Measure } from './measure';
import type { Server } from './server';
import type { Line } from './table';

// The way of an event from the commit of its write to those who wait for it.

/** Keeps connections open, so that a write costs its sender little. */
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Creates a device; resolves with the time of the response, of performance.now(). */
async function createDevice({ port }: Server, name: string): Promise<number> {
  const headers = { 'Content-Type': 'application/json' };
  const sent = request({ agent, port, method: 'POST', path: '/devices', headers });
  sent.end(JSON.stringify({ metadata: { name }, spec: { name, location: 'building 7' } }));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const time = performance.now();
  response.resume();
  if (response.statusCode !== 201) throw new Error(`a POST got ${response.statusCode}`);
  return time;
}

/** Creates devices at an even rate per second, whose names end with their numbers; resolves with the times of the responses. */
async function createEvenly(server: Server, rate: number, seconds: number): Promise<number[]> {
  const begin = performance.now();
  const created: Promise<number>[] = [];
  while (created.length < rate * seconds) {
    const due = Math.min(rate * seconds, ((performance.now() - begin) / 1_000) * rate);
    while (created.length < due) created.push(createDevice(server, `event-${created.length}.`));
    await setTimeout(1);
  }
  return Promise.all(created);
}

/** Opens a stream of the events from now on. */
export async function readEvents({ url }: Server): Promise<IncomingMessage> {
  const opened = get(`${url}/events`, { agent: false, headers: { Accept: 'text/event-stream' } });
  const [response] = (await once(opened, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`/events got ${response.statusCode}`);
  return response.on('error', () => undefined);
}

const RATE = 1_000;

/** Time from the response to a write to its event at a reader, at 1,000 writes a second. */
function latencyOf(name: ContestantName, what: string, to: number): Measure {
  return async (contestants, seconds) => {
    const { server } = await contestants.get(name, 0);
    const arrived: number[] = [];
    await createEvenly(server, RATE, 3);
    const reader = await readEvents(server);
    reader.setEncoding('utf8').on('data', (text: string) => {
      const time = performance.now();
      for (const [, number] of text.matchAll(/"name":"event-(\d+)\."/g)) arrived[Number(number)] ??= time;
    });
    const responded = await createEvenly(server, RATE, seconds);
    await setTimeout(1_000);
    reader.destroy();
    const waits = responded.map((time, index) => Math.max(0, arrived[index] - time)).sort((a, b) => a - b);
    const value = waits[Math.floor(waits.length * 0.99)];
    const lost = responded.length - Object.keys(arrived).length;
    if (lost > 0) throw new Error(`${lost} events did not arrive`);
    return [{ what, figure: { value, unit: 'ms', to } }];
  };
}

const READERS = 1_000;

/** Processor time for each event and reader, with 1,000 readers. */
const readers: Measure = async (contestants, seconds) => {
  const { server } = await contestants.get('recorded', 0);
  const [rate, streams] = [50, [] as IncomingMessage[]];
  const cost = async (): Promise<number> => {
    const before = server.cpu();
    await createEvenly(server, rate, seconds);
    await setTimeout(200);
    return server.cpu() - before;
  };
  await cost();
  const alone = await cost();
  while (streams.length < READERS) streams.push((await readEvents(server)).resume());
  await cost();
  const value = ((await cost()) - alone) / (rate * seconds * READERS);
  for (const stream of streams) stream.destroy();
  return [{ what: 'An event for one of 1,000 readers, CPU', figure: { value, unit: 'µs', to: 20 } }];
};

/** Deliveries per second to a webhook that responds at once, while events wait. */
const webhook: Measure = async (contestants) => {
  const lines: Line[] = [];
  for (const concurrency of ['8', '64']) {
    let [delivered, isOpen] = [0, Promise.resolve()];
    const receiver = createServer((received, response) => {
      received.resume();
      void isOpen.then(() => {
        delivered += 1;
        response.writeHead(204).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as AddressInfo;
    const { server } = await contestants.get('recorded', 0, {
      WEBHOOK_URLS: `http://127.0.0.1:${port}/`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      EVENTS_CONCURRENCY: concurrency,
    });
    /** Lets events wait at the receiver, and returns how many it then takes in a second. */
    const drain = async (rate: number, seconds: number): Promise<number> => {
      let open = (): void => undefined;
      isOpen = new Promise((resolve) => (open = resolve));
      const all = delivered + rate * seconds;
      await createEvenly(server, rate, seconds);
      const begin = performance.now();
      open();
      while (delivered < all) await setTimeout(1);
      return (rate * seconds * 1_000) / (performance.now() - begin);
    };
    await drain(1_000, 5);
    const value = await drain(1_500, 5);
    lines.push({
      what: `Deliveries to a webhook per second, at most ${concurrency} at a time`,
      figure: { value, unit: 'per s', from: 2_000 },
    });
    await server.stop();
    receiver.close();
  }
  return lines;
};

/** Figures of events by title. */
export const EVENT_FIGURES: { [title: string]: Measure } = {
  'event latency': latencyOf('recorded', 'From the response to a write to its event, p99', 10),
  'event latency on PostgreSQL': latencyOf(
    'recorded-postgres',
    'From the response to a write to its event on PostgreSQL, p99',
    30,
  ),
  'event readers': readers,
  webhook,
};
