import { writeFileSync } from 'node:fs';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { Contestant } from './contestants';
import type { Measure } from './measure';
import type { Server } from './server';
import type { Line } from './table';
import { type Load, measure, middleOf } from './wrk';

// The costs of Kubernetes clients for a service: their reads against those of the plain API, an informer's first list, and watches
// next to writes.

const DEVICES = 10_000;
const ROUNDS = 5;
const OBJECTS = '/k8s/apis/example.svc.dev/v1/devices';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Returns the middle ratio of the CPU times of two loads, in turn; the round before the first is the warm-up. */
async function ratioOf(one: () => Promise<number>, other: () => Promise<number>): Promise<number> {
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const ratio = (await one()) / (await other());
    if (round >= 0) ratios.push(ratio);
  }
  return middleOf(ratios);
}

/** Writes names of devices into a file, all of one length. */
function namesFile({ uidFile }: Contestant): string {
  const file = `${uidFile}.names`;
  writeFileSync(
    file,
    Array.from({ length: DEVICES / 2 }, (_, index) => `device-${index + 1_000}`).join('\n'),
  );
  return file;
}

/** GETs and lists through both APIs, and a GET of a service without the one for Kubernetes clients. */
export const kubernetesReads: Measure = async (contestants, seconds) => {
  const without = await contestants.get('recorded', DEVICES);
  const subject = await contestants.get('kubernetes', DEVICES);
  const [byUid, names] = [{ name: 'get', clients: 32 } as const, namesFile(subject)];
  const cpu = async ({ server }: Contestant, load: Load, file?: string): Promise<number> =>
    (await measure(server, load, seconds, file)).cpu;
  const list = (path: string, accept?: string): Load => ({ name: 'path', path, accept, clients: 4 });
  const plain = await ratioOf(
    () => cpu(subject, byUid, subject.uidFile),
    () => cpu(without, byUid, without.uidFile),
  );
  const object = await ratioOf(
    () => cpu(subject, { ...byUid, path: OBJECTS }, names),
    () => cpu(subject, byUid, names),
  );
  const table = await ratioOf(
    () => cpu(subject, list(`${OBJECTS}?limit=500`, TABLE)),
    () => cpu(subject, list('/devices?limit=500')),
  );
  return [
    {
      what: 'GET with Kubernetes clients to one without, CPU',
      figure: { value: plain, unit: '×', to: 1.05 },
    },
    { what: 'GET of a Kubernetes object to a plain one, CPU', figure: { value: object, unit: '×', to: 1.3 } },
    { what: 'List of 500 as a Table to a plain one, CPU', figure: { value: table, unit: '×', to: 2 } },
  ];
};

/** The time that an informer needs to know all objects, by a list and by a watch that begins with them. */
export const informer: Measure = async (contestants) => {
  const { server } = await contestants.get('kubernetes', DEVICES);
  const initial =
    'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
  const watched = (): Promise<number> => watchUntilEnd(server, `${OBJECTS}?${initial}`);
  return [
    await secondsOf(`An informer lists ${DEVICES} objects`, () => listed(server)),
    await secondsOf(`An informer gets ${DEVICES} objects by a watch`, watched),
  ];
};

async function secondsOf(what: string, sync: () => Promise<number>): Promise<Line> {
  const times: number[] = [];
  for (let round = -1; round < ROUNDS; round++) {
    const start = performance.now();
    const count = await sync();
    // Measured before are POSTs of others, so that there may be more.
    if (count < DEVICES) throw new Error(`${what}: it got ${count}`);
    if (round >= 0) times.push((performance.now() - start) / 1000);
  }
  return { what, figure: { value: middleOf(times), unit: 's', to: 2 } };
}

async function listed({ url }: Server): Promise<number> {
  let [count, token] = [0, ''];
  do {
    const response = await fetch(`${url}${OBJECTS}?limit=500&continue=${encodeURIComponent(token)}`);
    const { items, metadata } = (await response.json()) as {
      items: object[];
      metadata: { continue?: string };
    };
    count += items.length;
    token = metadata.continue ?? '';
  } while (token !== '');
  return count;
}

/** Returns the number of objects that a watch begins with. */
async function watchUntilEnd({ url }: Server, path: string): Promise<number> {
  const { request, response } = await open(url + path);
  let [count, rest] = [0, ''];
  for await (const chunk of response.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      const { type } = JSON.parse(line) as { type: string };
      if (type === 'ADDED') count += 1;
      if (type === 'BOOKMARK') {
        request.destroy();
        return count;
      }
    }
  }
  throw new Error('the watch ended before its first bookmark');
}

function open(url: string): Promise<{ request: ClientRequest; response: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false }, (response) => resolve({ request, response }));
    request.on('error', reject);
  });
}

/** POSTs while 100 clients watch, and while nobody does. */
export const watches: Measure = async (contestants, seconds) => {
  const { server } = await contestants.get('kubernetes', DEVICES);
  const posts = async (): Promise<number> =>
    (await measure(server, { name: 'postunique', clients: 64 }, seconds)).cpu;
  const watchedPosts = async (): Promise<number> => {
    const { metadata } = (await (await fetch(`${server.url}${OBJECTS}?limit=1`)).json()) as {
      metadata: { resourceVersion: string };
    };
    const path = `${OBJECTS}?watch=true&resourceVersion=${metadata.resourceVersion}`;
    const opened = await Promise.all(Array.from({ length: 100 }, () => open(server.url + path)));
    for (const { response } of opened) response.on('error', () => undefined).resume();
    const cpu = await posts();
    for (const { request } of opened) request.destroy();
    return cpu;
  };
  const value = await ratioOf(watchedPosts, posts);
  return [{ what: 'POST next to 100 watches to one without, CPU', figure: { value, unit: '×', to: 1.3 } }];
};
