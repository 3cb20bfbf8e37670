import { once } from '../../../templates/runtime/http/responses/static-response';

test('a result is made once', async () => {
  let count = 0;
  const value = once(() => Promise.resolve((count += 1)));
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(1);
});

test('a failure is not: the next call tries again', async () => {
  const results = [Promise.reject(new Error('too many open files')), Promise.resolve('page')];
  const page = once(() => results.shift()!);
  await expect(page()).rejects.toThrow('too many open files');
  expect(await page()).toBe('page');
  expect(await page()).toBe('page');
});
