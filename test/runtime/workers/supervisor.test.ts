import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../../templates/runtime/service/logger';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { Supervisor } from '../../../templates/runtime/workers/supervisor';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Workers without a process, in the order in which they are forked. */
let workers: EventEmitter[];
let fork: jest.SpyInstance;
const exit = jest.spyOn(process, 'exit').mockImplementation();
const before = SIGNALS.map((signal) => process.listeners(signal));
const logger = { info: () => undefined, error: () => undefined, fatal: () => undefined } as unknown as Logger;

beforeEach(() => {
  workers = [];
  fork = jest.spyOn(cluster, 'fork').mockImplementation(() => {
    const worker = Object.assign(new EventEmitter(), { process: {}, isConnected: () => false });
    workers.push(worker);
    return worker as unknown as Worker;
  });
  new Supervisor(readSettings({ WORKERS: '3', SHUTDOWN_TIMEOUT_MS: '0' }), logger).start();
  expect(workers).toHaveLength(1);
});

afterEach(() => {
  fork.mockRestore();
  exit.mockClear();
  for (const [index, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal))
      if (!before[index].includes(listener)) process.off(signal, listener);
});
afterAll(() => exit.mockRestore());

const listening = (worker: EventEmitter): boolean => worker.emit('listening', { port: 1 });

test("messages of the project's own code in a worker are ignored", () => {
  listening(workers[0]);
  for (const message of [null, 'restart', 1, {}]) cluster.emit('message', workers[0], message);
  expect(exit).not.toHaveBeenCalled();
});

test('a worker that dies while others start is replaced by one', async () => {
  listening(workers[0]);
  expect(workers).toHaveLength(3);
  listening(workers[1]);
  workers[1].emit('exit', 1, null);
  listening(workers[2]);
  await setTimeout(500);
  expect(workers).toHaveLength(4);
});

test('a worker that does not start at first is started again, while another one listens', async () => {
  listening(workers[0]);
  workers[1].emit('exit', 1, null);
  await setTimeout(500);
  expect(workers).toHaveLength(4);
  expect(exit).not.toHaveBeenCalled();
});

test('a worker whose process cannot be made is started again', async () => {
  for (let number = 0; number < 3; number++) listening(workers[number]);
  workers[1].emit('error', new Error('spawn node ENOENT'));
  await setTimeout(500);
  expect(workers).toHaveLength(4);
  fork.mockImplementationOnce(() => {
    throw new Error('spawn ENOMEM');
  });
  workers[2].emit('exit', null, 'SIGKILL');
  await setTimeout(1_000);
  expect(workers).toHaveLength(5);
  expect(exit).not.toHaveBeenCalled();
});

test('where the first cannot be made, the service ends', () => {
  workers[0].emit('error', new Error('spawn node ENOENT'));
  expect(exit).toHaveBeenCalledWith(1);
});
