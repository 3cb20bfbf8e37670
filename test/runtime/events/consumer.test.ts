import { pino } from 'pino';
import { Consumer } from '../../../templates/runtime/events/delivery/consumer';
import type { Cursor } from '../../../templates/runtime/events/delivery/cursor';
import type { Batch, EventTail } from '../../../templates/runtime/events/log/event-tail';
import type { LoggedEvent } from '../../../templates/runtime/events/log/logged-event';
import { until } from './devices';

const BATCHES = 100;

const event = { position: '1', text: '{}', writtenAt: 0 } as LoggedEvent;

test('requests get their responses while a consumer passes over events that it does not get', async () => {
  const read = (after: string): Promise<Partial<Batch>> =>
    Promise.resolve({ events: [event], end: String(Number(after) + 1), more: Number(after) < BATCHES });
  const wait = (_: Batch, _ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  let isDone = false;
  const cursor: Cursor = {
    open: () => Promise.resolve({ position: '0', signal: new AbortController().signal }),
    isHeld: () => true,
    advance: () => undefined,
    close: () => Promise.resolve(),
  };
  const tail = { read, wait: (...args: Parameters<typeof wait>) => ((isDone = true), wait(...args)) };
  const consumer = new Consumer(tail as unknown as EventTail, pino({ level: 'silent' }), {
    name: 'rare',
    cursor,
    limits: { concurrency: 1, attempts: 1, maxAgeMs: 1, firstMs: 1, maxMs: 1 },
    aheadBytes: () => 1_000,
    matches: () => false,
    deliver: () => undefined,
    giveUp: () => undefined,
  });
  let ticks = 0;
  const count = (): void => void ((ticks += 1), isDone || setImmediate(count));
  setImmediate(count);
  consumer.start();
  await until(() => isDone);
  await consumer.close();
  expect(ticks).toBeGreaterThanOrEqual(BATCHES / 2);
});
