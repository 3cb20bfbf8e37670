import { PATIENCE } from '../../support/patience';
import { rowsOf } from '../store/database-rows';
import { type HttpResponse, JSON_TYPE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { type ServiceProcess, startProcess } from '../support/service-process';

// Idempotency-Keys in several processes, and across the death of one.

const BODY = { spec: { name: 'lamp', location: 'hall' } };

const post = (port: number, key: string): Promise<HttpResponse> =>
  send(port, 'POST', '/devices', {
    headers: { ...JSON_TYPE, 'Idempotency-Key': key },
    body: BODY,
    alone: true,
  });

/** The parts of a response that every repeat must have. */
const parts = ({ status, headers: { date: _, ...headers }, text }: HttpResponse): unknown => ({
  status,
  headers,
  text,
});

onBothStores((makeUrl) => {
  let url: string;
  const start = (more = {}): Promise<ServiceProcess> =>
    startProcess({ ...PATIENCE, DATABASE_URL: url, ...more }, 'idempotency/keyed-child.ts');
  const stop = async ({ child, ended }: ServiceProcess): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };

  beforeEach(async () => void (url = await makeUrl()));

  test('after kill -9 between the commit and the response, another process returns the first response', async () => {
    const killed = await start({ KILL_AFTER_WRITE: 'yes' });
    await expect(post(killed.port, 'k')).rejects.toThrow();
    await killed.ended;
    const before = await rowsOf(url);
    expect([before['resources'].length, before['responses'].length]).toEqual([1, 1]);
    const [one, two] = await Promise.all([start(), start()]);
    const responses = [await post(one.port, 'k'), await post(two.port, 'k'), await post(one.port, '"k"')];
    expect(responses[0].status).toBe(201);
    expect(responses.map(parts)).toEqual(responses.map(() => parts(responses[0])));
    const { location = '', etag } = responses[0].headers;
    const stored = await send(two.port, 'GET', location, { alone: true });
    expect([stored.text, stored.headers.etag]).toEqual([responses[0].text, etag]);
    expect(await rowsOf(url)).toEqual(before);
    await Promise.all([stop(one), stop(two)]);
  });

  test('of two processes that get a key at once, one creates, and both return its response', async () => {
    const processes = await Promise.all([start(), start()]);
    const keys = Array.from({ length: 40 }, (_, n) => `key-${n}`);
    const [one, two] = await Promise.all(
      processes.map(({ port }) => Promise.all(keys.map((key) => post(port, key)))),
    );
    expect(one.map(({ status }) => status)).toEqual(keys.map(() => 201));
    expect(two.map(parts)).toEqual(one.map(parts));
    const { resources, responses, snapshots } = await rowsOf(url);
    expect([resources.length, responses.length, snapshots.length]).toEqual(keys.map(() => 40).slice(0, 3));
    await Promise.all(processes.map(stop));
  });
});
