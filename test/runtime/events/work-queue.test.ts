import { setImmediate } from 'node:timers/promises';
import { WorkQueue } from '../../../templates/runtime/controllers/work-queue';
import { until } from './devices';

const QUICK = { firstMs: 1, maxMs: 5 };

test('a key that is added again before its turn is worked on once', async () => {
  const seen: string[] = [];
  const queue = new WorkQueue(async (key) => void seen.push(key), { ...QUICK, concurrency: 1 });
  for (const key of ['a', 'b', 'b', 'c', 'b']) queue.add(key);
  await until(() => seen.length === 3);
  await setImmediate();
  expect(seen).toEqual(['a', 'b', 'c']);
});

test('a key that is added while it is worked on comes again, and never twice at once', async () => {
  const running: string[] = [];
  let most = 0;
  let count = 0;
  const queue: WorkQueue = new WorkQueue(async (key) => {
    running.push(key);
    most = Math.max(most, running.length);
    if ((count += 1) === 1) for (let again = 0; again < 5; again++) queue.add(key);
    await setImmediate();
    running.pop();
  }, QUICK);
  queue.add('a');
  await until(() => count === 2 && running.length === 0);
  await setImmediate();
  expect([count, most]).toEqual([2, 1]);
});

test('different keys are worked on side by side, up to a number', async () => {
  let running = 0;
  let most = 0;
  let done = 0;
  const queue = new WorkQueue(
    async () => {
      running += 1;
      most = Math.max(most, running);
      await setImmediate();
      running -= 1;
      done += 1;
    },
    { ...QUICK, concurrency: 3 },
  );
  for (let key = 0; key < 20; key++) queue.add(String(key));
  await until(() => done === 20);
  expect(most).toBe(3);
});

test('what fails comes again, others do not wait for it', async () => {
  const seen: string[] = [];
  const failures: number[] = [];
  const queue = new WorkQueue(
    async (key) => {
      seen.push(key);
      if (key === 'a' && failures.length < 3) throw new Error('not yet');
    },
    { ...QUICK, concurrency: 1, onError: (_error, _key, count) => failures.push(count) },
  );
  queue.add('a');
  queue.add('b');
  await until(() => seen.length === 5);
  expect(failures).toEqual([1, 2, 3]);
  expect(seen).toEqual(['a', 'b', 'a', 'a', 'a']);
});

test('a key may be put off; adding it brings it forward', async () => {
  const seen: string[] = [];
  const queue = new WorkQueue(async (key) => void seen.push(key), QUICK);
  queue.addAfter('soon', 5);
  queue.addAfter('late', 1e6);
  queue.addAfter('never', 1e6);
  queue.add('late');
  await until(() => seen.length === 2);
  expect(seen).toEqual(['late', 'soon']);
  await queue.close();
});

test.each([2 ** 31, 365 * 86_400_000, Infinity])(
  'a key that is put off for %s ms is not worked on at once',
  async (ms) => {
    const seen: string[] = [];
    const queue = new WorkQueue(async (key) => void seen.push(key), QUICK);
    queue.addAfter('in a long time', ms);
    queue.addAfter('soon', 20);
    await until(() => seen.length > 0);
    expect(seen).toEqual(['soon']);
    await queue.close();
  },
);

test('a queue that closes finishes what is under way and takes no more', async () => {
  const seen: string[] = [];
  const queue = new WorkQueue(
    async (key) => {
      await setImmediate();
      seen.push(key);
    },
    { ...QUICK, concurrency: 1 },
  );
  queue.add('a');
  queue.add('b');
  await queue.close();
  queue.add('c');
  await setImmediate();
  expect(seen).toEqual(['a']);
});

test('what fails comes again, also where the report of a failure fails', async () => {
  const warning = jest.spyOn(process, 'emitWarning').mockImplementation();
  let count = 0;
  const work = async (): Promise<void> => {
    if ((count += 1) === 1) throw new Error('not yet');
  };
  const onError = (): never => {
    throw new Error('no report');
  };
  const queue = new WorkQueue(work, { ...QUICK, onError });
  queue.add('a');
  await until(() => count === 2);
  expect(warning.mock.calls).toEqual([['no report']]);
  await queue.close();
  warning.mockRestore();
});
