import timers from 'node:timers/promises';
import { noteLarge, noteRequest, turnOfLarge } from '../../../templates/runtime/concurrency/large-work';

describe('large work', () => {
  let now = 1_000;
  const rests: number[] = [];

  /** Does large work that takes so many milliseconds of the clock of these tests. */
  async function work(ms: number): Promise<void> {
    await turnOfLarge();
    now += ms;
    await new Promise(setImmediate);
  }

  beforeEach(() => {
    rests.length = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(timers, 'setTimeout').mockImplementation(async (ms) => {
      rests.push(ms!);
      now += ms!;
    });
  });

  afterEach(() => {
    jest.restoreAllMocks();
    now += 1_000;
  });

  test('rests three times as long as it took where small requests have begun', async () => {
    await work(50);
    noteRequest();
    await work(20);
    noteRequest();
    now += 10;
    await work(20);
    expect(rests).toEqual([150, 50]);
  });

  test('does not rest where no request has begun', async () => {
    await work(50);
    await work(50);
    expect(rests).toEqual([]);
  });

  test('does not rest for large requests', async () => {
    await work(50);
    noteRequest();
    noteLarge();
    await work(50);
    expect(rests).toEqual([]);
  });
});
