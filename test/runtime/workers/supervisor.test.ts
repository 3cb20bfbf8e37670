import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '../../../templates/runtime/service/logger';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { Supervisor } from '../../../templates/runtime/workers/supervisor';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

test('a worker that dies while others start is replaced by one', async () => {
  const workers: EventEmitter[] = [];
  const fork = jest.spyOn(cluster, 'fork').mockImplementation(() => {
    const worker = new EventEmitter();
    workers.push(worker);
    return worker as Worker;
  });
  const before = SIGNALS.map((signal) => process.listeners(signal));
  const logger = { info: () => undefined, error: () => undefined } as unknown as Logger;
  new Supervisor(readSettings({ WORKERS: '3' }), logger).start();
  workers[0].emit('listening', { port: 1 });
  expect(workers).toHaveLength(3);
  workers[1].emit('listening', { port: 1 });
  workers[1].emit('exit', 1, null);
  workers[2].emit('listening', { port: 1 });
  await setTimeout(500);
  expect(workers).toHaveLength(4);
  fork.mockRestore();
  for (const [index, signal] of SIGNALS.entries())
    for (const listener of process.listeners(signal))
      if (!before[index].includes(listener)) process.off(signal, listener);
});
