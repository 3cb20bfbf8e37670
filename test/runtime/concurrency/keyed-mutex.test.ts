import { KeyedMutex } from '../../../templates/runtime/concurrency/keyed-mutex';

/** An action that ends when `end` is called. */
function held(log: string[], name: string): { action: () => Promise<string>; end: (error?: Error) => void } {
  let resolve!: (name: string) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<string>((...settle) => ([resolve, reject] = settle));
  return {
    action: () => {
      log.push(name);
      return promise;
    },
    end: (error) => (error === undefined ? resolve(name) : reject(error)),
  };
}

test('one key: one at a time, in the order of arrival, also after a failure', async () => {
  const turns = new KeyedMutex();
  const log: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => held(log, name));
  const results = Promise.allSettled([a, b, c].map(({ action }) => turns.run('x', action)));
  c.end();
  a.end(new Error('a'));
  await new Promise(setImmediate);
  expect(log).toEqual(['a', 'b']);
  b.end();
  expect(await results).toEqual([
    { status: 'rejected', reason: new Error('a') },
    { status: 'fulfilled', value: 'b' },
    { status: 'fulfilled', value: 'c' },
  ]);
  expect(log).toEqual(['a', 'b', 'c']);
  expect(await turns.run('x', () => Promise.resolve('d'))).toBe('d');
});

test('other keys do not wait', async () => {
  const turns = new KeyedMutex();
  const first = held([], 'first');
  const waiting = turns.run('x', first.action);
  expect(await turns.run('y', () => Promise.resolve(1))).toBe(1);
  first.end();
  expect(await waiting).toBe('first');
});
