import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDevice, JSON_TYPE, MERGE, send } from './support/client';
import { type Breakage, demand, fault } from './support/fault';
import { type Load, LOADS } from './support/loads';
import { PATIENT, startService } from './support/service';

/** Number of clients that write and read devices, one each, and of their rounds. */
const CLIENTS = 8;
const WRITES = 15;

/**
 * Writes at one process and, when that has answered, reads at the other: what was written has to be there, whether it is read as
 * it is, with the old tag, changed on condition of the new tag, or deleted. Returns the number of requests. Throws a Violation
 * for one that shows an earlier state.
 */
async function findStale(write: number, read: number, client: number): Promise<number> {
  let asked = 0;
  const expect = (isFresh: boolean, what: string): void => {
    asked += 1;
    demand(isFresh, `request ${asked} of a client shows an earlier state: ${what}`);
  };
  const created = await createDevice(write, `c${client}`);
  const path = created.headers.location!;
  let { etag } = created.headers;
  // A row is kept from its second read on.
  for (let times = 0; times < 3; times++) await send(read, 'GET', path);
  for (let n = 0; n < WRITES; n++) {
    const body = { spec: { name: `c${client} n${n}` } };
    const old = etag;
    ({ etag } = (await send(write, 'PUT', path, { headers: JSON_TYPE, body })).headers);
    if (n % 4 === 3) {
      const { text } = await send(read, 'GET', '/devices');
      expect(text.includes(body.spec.name), 'a list');
    } else if (n % 3 === 0) {
      const { text } = await send(read, 'GET', path);
      expect(text.includes(body.spec.name), 'a GET');
    } else if (n % 3 === 1) {
      const { status } = await send(read, 'GET', path, { headers: { 'If-None-Match': old } });
      expect(status === 200, `${status} for the old tag`);
    } else {
      const headers = { ...MERGE, 'If-Match': etag };
      const response = await send(read, 'PATCH', path, { headers, body: { spec: { location: `n${n}` } } });
      expect(response.status === 200, `${response.status} for the new tag`);
      etag = response.headers.etag ?? etag;
    }
  }
  await send(write, 'DELETE', path);
  const { status } = await send(read, 'GET', path);
  expect(status === 404, `${status} after a deletion`);
  return asked;
}

/** Looks for reads of an earlier state in two services on one file, of which one has a load; or in two workers that share it. */
async function freshness(load: Load, workers: number, { hooks, environment }: Breakage): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-fresh-'));
  const url = `sqlite:${folder}/service.db`;
  const broken = { hooks, environment: { ...PATIENT, ...environment, WORKERS: String(workers) } };
  const read = await startService(url, broken);
  const write = workers > 1 ? read : await startService(url, broken);
  const end = await load(read.port);
  try {
    const clients = Array.from({ length: CLIENTS }, (_, client) => findStale(write.port, read.port, client));
    const asked = await Promise.all(clients);
    return `${asked.reduce((sum, each) => sum + each)} requests after a write of another process: all show it`;
  } finally {
    await end();
    await Promise.all([read.kill(), write.kill()]);
    rmSync(folder, { recursive: true });
  }
}

const controls = { 'the state is read seldom': { hooks: ['checks-seldom'] } };

for (const [name, load] of Object.entries(LOADS)) {
  fault(`what another process wrote, SQLite, ${name}`, {
    check: (broken) => freshness(load, 1, broken),
    controls,
  });
}

fault('what another worker wrote, SQLite, under 2,500 connections', {
  check: (broken) => freshness(LOADS['under 2,500 connections'], 2, broken),
  // The threads of a worker know the state by other ways than the one that the control breaks.
  controls: {},
});
