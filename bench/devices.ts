import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Labels } from '../templates/runtime/model/selectors/selector';
import type { Store } from '../templates/runtime/store/store';
import { openStore } from '../test/runtime/store/open-store';
import type { Server } from './server';

/** Returns the body with which a client creates the device of a number; load.lua sends the same. */
export function deviceBody(number: number) {
  return {
    metadata: { name: `device-${number}`, labels: { env: 'production', rack: `r${number % 1000}` } },
    spec: {
      name: `sensor-${number}`,
      location: `building 7, floor 3, room ${number % 100}`,
      model: 'TX-200',
      config: { interval: '30s', unit: 'celsius', threshold: '21.5' },
    },
  };
}

const uidOf = (number: number): string => `dev-${number.toString(16).padStart(16, '0')}`;

/** Number of devices of a batch: those with the same label `batch`, and those with the same model. */
const OF_A_BATCH = 100;

/**
 * Fills a database with devices as the service would store them, and a file with their uids. `isBatched` gives each batch a
 * label and a model of its own.
 */
export async function seedStore(
  database: string,
  count: number,
  uidFile: string,
  isBatched = false,
): Promise<void> {
  const store = await openStore(`sqlite:${database}`);
  const uids: string[] = [];
  const batches = Math.ceil(count / OF_A_BATCH);
  const batchOf = (number: number): number | undefined => (isBatched ? number % batches : undefined);
  for (let first = 0; first < count; first += 1000) {
    const numbers = Array.from({ length: Math.min(1000, count - first) }, (_, index) => first + index);
    uids.push(...(await Promise.all(numbers.map((number) => storeDevice(store, number, batchOf(number))))));
  }
  await store.close();
  writeFileSync(uidFile, uids.join('\n'));
}

async function storeDevice(store: Store, number: number, batch: number | undefined): Promise<string> {
  const uid = uidOf(number);
  const body = deviceBody(number);
  const { name } = body.metadata;
  const own: Labels = batch === undefined ? {} : { batch: `b${batch}` };
  const labels = { ...body.metadata.labels, ...own };
  const spec = batch === undefined ? body.spec : { ...body.spec, model: `TX-${batch}` };
  const now = new Date().toISOString();
  const text = JSON.stringify({
    apiVersion: 'example.svc.dev/v1',
    kind: 'Device',
    metadata: { name, uid, createdAt: now, updatedAt: now, generation: 1, labels },
    spec,
    status: { ready: false },
  });
  const etag = `"${createHash('sha256').update(text).digest('hex')}"`;
  const kind = 'example.svc.dev/Device';
  await store.write({ action: 'create', kind, uid, version: 'v1', text, etag, kept: null, labels });
  return uid;
}

/** Creates the same devices by requests. A server that makes its own uids returns them in its responses. */
export async function seedServer({ url }: Server, count: number, uidFile: string): Promise<void> {
  const uids: string[] = [];
  const create = async (number: number): Promise<void> => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(`${url}/devices`, {
      method: 'POST',
      headers,
      body: JSON.stringify(deviceBody(number)),
    });
    const { metadata } = (await response.json()) as { metadata: { uid: string } };
    uids.push(metadata.uid);
  };
  await inParallel(count, create);
  writeFileSync(uidFile, uids.join('\n'));
}

/** Writes the file in which json-server holds its data. */
export function seedJson(file: string, count: number, uidFile: string): void {
  const devices = Array.from({ length: count }, (_, number) => ({
    id: uidOf(number),
    apiVersion: 'example.svc.dev/v1',
    kind: 'Device',
    ...deviceBody(number),
    status: { ready: false },
  }));
  writeFileSync(file, JSON.stringify({ devices }));
  writeFileSync(uidFile, devices.map(({ id }) => id).join('\n'));
}

/** Writes a file with the present ETags of some devices, for patches. */
export async function writeEtags({ url }: Server, uidFile: string, etagFile: string): Promise<void> {
  const uids = readFileSync(uidFile, 'utf8').split('\n').slice(0, 1000);
  const lines: string[] = [];
  await inParallel(uids.length, async (index) => {
    const response = await fetch(`${url}/devices/${uids[index]}`);
    await response.arrayBuffer();
    lines.push(`${uids[index]} ${response.headers.get('etag')}`);
  });
  writeFileSync(etagFile, lines.join('\n'));
}

async function inParallel(count: number, action: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await action(next++);
  };
  await Promise.all(Array.from({ length: 32 }, worker));
}
