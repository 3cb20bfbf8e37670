import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { startReceiver } from '../runtime/events/receiver';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import { halves, readContents } from './support/database';
import { type Breakage, demand, fault } from './support/fault';
import { record, unexplained } from './support/history';
import { PATIENT, type RunningService, startService } from './support/service';
import { startUnreliableProxy, type UnreliableProxy } from './support/unreliable-proxy';

const OPERATIONS = 1_500;

/** How far the clock of each machine is off, in ms. */
const CLOCKS = [0, -3_600_000, 1_800_000];

const PATIENCE = 60_000;

/** A lease, and the time for which each machine in turn stands still, in ms: longer than its leases. */
const [LEASE, STILL] = [1_000, 1_800];

/** Lets the database note each change of a cursor: who held it, and until when. */
const NOTE_CURSORS = `CREATE TABLE cursor_changes (
    at timestamptz, consumer text, owner text, former text, until timestamptz, is_back boolean);
  CREATE FUNCTION note_cursor() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN
    INSERT INTO cursor_changes VALUES (clock_timestamp(), new.consumer, new.owner, old.owner, old.held_until,
      (new.transaction, new.position) < (old.transaction, old.position));
    RETURN NULL; END';
  CREATE TRIGGER note_cursor AFTER UPDATE ON cursors FOR EACH ROW EXECUTE FUNCTION note_cursor()`;

const CURSORS = `SELECT count(*)::int AS changes, count(*) FILTER (WHERE owner <> former)::int AS handovers,
    count(*) FILTER (WHERE owner <> former AND until > at)::int AS stolen, count(*) FILTER (WHERE is_back)::int AS back
  FROM cursor_changes`;

interface Cursors {
  changes: number;
  handovers: number;
  stolen: number;
  back: number;
}

/** Services on machines of their own: each with a clock and a network that are unreliable in their own ways. */
async function startMachines(
  url: string,
  folder: string,
  broken: Breakage,
  webhook: string,
): Promise<{ services: RunningService[]; proxies: UnreliableProxy[] }> {
  const [services, proxies]: [RunningService[], UnreliableProxy[]] = [[], []];
  const { searchParams } = new URL(url.replace('@/', '@localhost/'));
  for (const [index, clock] of CLOCKS.entries()) {
    const proxy = await startUnreliableProxy(join(searchParams.get('host')!, '.s.PGSQL.5432'));
    proxies.push(proxy);
    const near = new URL(url.replace('@/', `@127.0.0.1:${proxy.port}/`));
    near.searchParams.delete('host');
    const file = join(folder, `clock-${index}`);
    writeFileSync(file, String(clock));
    const environment = {
      ...broken.environment,
      ...PATIENT,
      FAULT_CLOCK: file,
      WEBHOOK_URLS: webhook,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      EVENTS_LEASE_MS: String(LEASE),
    };
    services.push(await startService(near.href, { hooks: ['clock', ...(broken.hooks ?? [])], environment }));
  }
  return { services, proxies };
}

/** Lets the machines stand still, one after the other, until the returned function is called. */
function standStill(services: RunningService[]): () => Promise<void> {
  let isOver = false;
  const running = (async (): Promise<void> => {
    for (let turn = 0; !isOver; turn++) {
      const { child } = services[turn % services.length];
      child.kill('SIGSTOP');
      await setTimeout(STILL);
      child.kill('SIGCONT');
      await setTimeout(STILL / 3);
    }
  })();
  return () => {
    isOver = true;
    return running;
  };
}

async function machines(server: PostgresServer, broken: Breakage): Promise<string> {
  const url = await server.newSchema();
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-machines-'));
  const receiver = await startReceiver();
  const { services, proxies } = await startMachines(url, folder, broken, receiver.url);
  const direct = new Client(url);
  await direct.connect();
  try {
    await direct.query(NOTE_CURSORS);
    for (const proxy of proxies) proxy.misbehave();
    const wake = standStill(services);
    const ports = services.map(({ port }) => port);
    const recorded = await record(ports, OPERATIONS).finally(wake);
    const cuts = proxies.reduce((sum, proxy) => sum + proxy.cuts(), 0);
    for (const proxy of proxies) proxy.behave();
    const wrong = unexplained(recorded);
    demand(wrong.length === 0, `${wrong.length} of ${recorded.length} histories are not linearizable`);
    const operations = recorded.flatMap((device) => device.operations);
    const open = operations.filter(({ output }) => output === undefined).length;
    const [cursors] = (await direct.query<Cursors>(CURSORS)).rows;
    if (cursors.handovers === 0) throw new Error('no lease went to another process');
    demand(cursors.stolen === 0, `${cursors.stolen} leases were taken before they ended`);
    demand(cursors.back === 0, `a cursor went back ${cursors.back} times`);
    const contents = await readContents(url);
    const half = halves(contents);
    demand(half.length === 0, `${half.length} half written, such as ${half[0]}`);
    const ids = new Set(contents.events.map(({ text }) => (JSON.parse(text) as { id: string }).id));
    for (const end = performance.now() + PATIENCE; ; await setTimeout(50)) {
      const delivered = new Set(receiver.messages.map(({ event }) => event.id));
      if ([...ids].every((id) => delivered.has(id))) break;
      demand(performance.now() < end, `${delivered.size} of ${ids.size} events were delivered`);
    }
    return (
      `${operations.length} operations on ${recorded.length} devices, ${open} without a response, ${cuts} connections cut: ` +
      `linearizable; ${cursors.changes} changes of cursors, ${cursors.handovers} to another process: none early, none back`
    );
  } finally {
    await direct.end();
    await Promise.all(services.map((service) => service.kill()));
    for (const proxy of proxies) proxy.close();
    receiver.close();
    rmSync(folder, { recursive: true });
  }
}

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server.close());

  fault('three machines with other clocks, behind networks that delay, cut and halve', {
    check: (broken) => machines(server, broken),
    controls: {
      'a cache that is stale for 250 ms': { hooks: ['stale-cache'] },
      'a lease is taken from its holder': { hooks: ['steals-leases'] },
    },
  });
});
