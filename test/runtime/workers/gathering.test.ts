import type { Worker } from 'node:cluster';
import type { Measurements, ToWorker } from '../../../templates/runtime/service/worker-process';
import { Gatherings } from '../../../templates/runtime/workers/gathering';

/** A worker that receives messages, and has counted responses. */
class FakeWorker {
  readonly received: ToWorker[] = [];

  constructor(readonly id: number) {}

  isConnected(): boolean {
    return true;
  }

  send(message: ToWorker): void {
    this.received.push(message);
  }

  get asWorker(): Worker {
    return this as unknown as Worker;
  }

  /** Responds to the last question for measurements. */
  respond(gatherings: Gatherings, count: number): void {
    const asked = this.received.findLast((message) => message.say === 'measure');
    gatherings.take(asked!.ask, this.asWorker, counted(count));
  }

  /** The sum of the responses in the last measurements of all; undefined before there are some. */
  sum(): number | undefined {
    const last = this.received.at(-1);
    if (last?.say !== 'gathered') return undefined;
    const metrics = last.all.flat() as { type: string; values: { value: number }[] }[];
    const counters = metrics.filter(({ type }) => type === 'counter');
    return counters.flatMap(({ values }) => values).reduce((sum, { value }) => sum + value, 0);
  }
}

const counted = (count: number): Measurements => [
  { name: 'http_requests_total', type: 'counter', values: [{ labels: { method: 'GET' }, value: count }] },
  { name: 'nodejs_heap_size_total_bytes', type: 'gauge', values: [{ labels: {}, value: 1e6 }] },
];

let gatherings: Gatherings;
let first: FakeWorker;
let second: FakeWorker;
beforeEach(() => {
  gatherings = new Gatherings();
  [first, second] = [new FakeWorker(1), new FakeWorker(2)];
});
afterEach(() => void jest.useRealTimers());

const begin = (...workers: FakeWorker[]): void =>
  gatherings.begin(
    workers.map(({ asWorker }) => asWorker),
    first.asWorker,
    7,
  );

test('the counters of a worker that ended stay in the sum, and its gauges do not', () => {
  begin(first, second);
  first.respond(gatherings, 5);
  second.respond(gatherings, 3);
  expect(first.sum()).toBe(8);
  gatherings.ended(second.asWorker);
  const third = new FakeWorker(3);
  begin(first, third);
  first.respond(gatherings, 6);
  third.respond(gatherings, 1);
  expect(first.sum()).toBe(10);
  gatherings.ended(third.asWorker);
  begin(first);
  first.respond(gatherings, 6);
  expect(first.sum()).toBe(10);
  const { all } = first.received.at(-1) as Extract<ToWorker, { say: 'gathered' }>;
  expect((all.flat() as { type: string }[]).filter(({ type }) => type === 'gauge')).toHaveLength(1);
});

test('a worker that ends in the meantime is not waited for, and counts once', () => {
  begin(first, second);
  second.respond(gatherings, 3);
  first.respond(gatherings, 5);
  begin(first, second);
  first.respond(gatherings, 5);
  expect(first.sum()).toBeUndefined();
  gatherings.ended(second.asWorker);
  expect(first.sum()).toBe(8);
  // Its response arrives after its end.
  second.respond(gatherings, 4);
  begin(first);
  first.respond(gatherings, 5);
  expect(first.sum()).toBe(8);
});

test('a worker that does not respond in time counts with what it sent before', () => {
  jest.useFakeTimers();
  begin(first, second);
  first.respond(gatherings, 5);
  second.respond(gatherings, 3);
  begin(first, second);
  first.respond(gatherings, 6);
  jest.advanceTimersByTime(1_000);
  expect(first.sum()).toBe(9);
});
