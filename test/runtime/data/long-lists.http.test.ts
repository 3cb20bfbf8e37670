import { changedEntries } from '../../../templates/runtime/data/selecting/event-selection';
import { Shop } from './exchange';

// Lists of references and of selectable strings may have as many elements as a body has room for.

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `n${index}`);

/** Returns the processor time of an action, in seconds: a busy machine does not change it. */
async function secondsOf(action: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

test('30,000 references without a target are refused in time linear in their number', async () => {
  const shop = await Shop.start('sqlite::memory:');
  const failures: string[] = [];
  const seconds = await secondsOf(async () => {
    const spec = { sku: 'long', supplier: 'nobody', related: names(30_000) };
    failures.push(...(await shop.send('POST', '/parts', { spec })).failures);
  });
  await shop.close();
  expect([failures.length, ...failures.slice(0, 2)]).toEqual([
    100,
    '#/spec/supplier ref=Supplier',
    '#/spec/related/0 ref=Part',
  ]);
  expect(seconds).toBeLessThan(20);
});

test('the entries of 100,000 elements are compared in time linear in their number', async () => {
  const entries = (keys: string[]) => keys.map((key) => ({ index: 'spec.tags', key }));
  const [before, after] = [entries(names(100_000)), entries(names(100_000))];
  let changed: unknown;
  const seconds = await secondsOf(() => (changed = changedEntries(before, after)));
  expect(changed).toBeUndefined();
  expect(changedEntries(before, entries(['other', ...names(99_999)]))).toEqual({
    'spec.tags': names(100_000),
  });
  expect(seconds).toBeLessThan(5);
});
