import { retain } from '../../../templates/runtime/events/log/retention';
import { createLogger } from '../../../templates/runtime/service/logger';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { type Store, StoreUnavailable } from '../../../templates/runtime/store/store';
import { openStore } from '../store/open-store';
import { creation } from '../store/store-writes';
import { until } from './devices';

const LIMIT = { events: 10_000, bytes: 1e9 };
const logger = createLogger('test', readSettings({ LOG_LEVEL: 'silent' }));

let store: Store;
let ending: AbortController;
let retaining: Promise<void>;

beforeEach(async () => {
  store = await openStore('sqlite::memory:');
  ending = new AbortController();
});

afterEach(async () => {
  ending.abort();
  await retaining;
  await store.close();
});

function start(): void {
  retaining = retain(store.events!, { events: 50, days: 7 }, logger, ending.signal, 2);
}

async function write(from: number, to: number): Promise<void> {
  for (let index = from; index < to; index++) {
    const event = { id: String(index), type: 'io.svc.device.created', text: String(index), kept: null };
    await store.write(creation(String(index), { event }));
  }
}

const kept = async (): Promise<string[]> => (await store.events!.read('0', LIMIT)).map(({ text }) => text);

test('the newest events stay while others are written', async () => {
  start();
  await write(0, 700);
  await until(async () => (await kept()).length === 50);
  expect(await kept()).toEqual(Array.from({ length: 50 }, (_, index) => String(650 + index)));
});

test('nothing is removed before the consumers of a service that was away have taken hold again', async () => {
  await write(0, 60);
  const prune = jest.spyOn(store.events!, 'prune');
  retaining = retain(store.events!, { events: 50, days: 7 }, logger, ending.signal, 60_000);
  await new Promise(setImmediate);
  expect(prune).not.toHaveBeenCalled();
});

test('nor right after a suspension of the process, or while the store is away', async () => {
  await write(0, 60);
  const calls: string[] = [];
  const newest = store.events!.newest.bind(store.events);
  jest
    .spyOn(store.events!, 'newest')
    .mockImplementationOnce(() => {
      calls.push('away');
      throw new StoreUnavailable('no connection');
    })
    .mockImplementation(() => {
      calls.push('newest');
      return newest();
    });
  jest.spyOn(store.events!, 'prune').mockImplementation(() => {
    calls.push('prune');
    return Promise.resolve(false);
  });
  const clock = jest.spyOn(Date, 'now').mockReturnValue(0);
  start();
  clock.mockReturnValue(7_200_000);
  await until(() => calls.length > 3);
  clock.mockRestore();
  expect(calls.slice(0, 4)).toEqual(['away', 'newest', 'prune', 'prune']);
});

test('more than one bite at a time', async () => {
  await write(0, 1_200);
  start();
  await until(async () => (await kept()).length === 50);
});

test('a store that fails for a time is asked again', async () => {
  await write(0, 60);
  const prune = jest
    .spyOn(store.events!, 'prune')
    .mockRejectedValueOnce(new StoreUnavailable('the disk is full'));
  start();
  await until(async () => (await kept()).length === 50);
  expect(prune.mock.calls.length).toBeGreaterThan(1);
});
