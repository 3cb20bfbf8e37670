import { type Measurements, onMessage, tell, workerNumber } from '../service/worker-process';

/** Returns the measurements of every worker of the service, including this process. */
type Gather = () => Promise<Measurements[]>;

/**
 * Shares measurements between the workers of a service: any of them serves `/metrics`, and a scrape wants the sum.
 * `measure` returns those of this process. Returns undefined in a process that is no worker.
 */
export function shareMetrics(measure: () => Promise<Measurements>): Gather | undefined {
  if (workerNumber() === undefined) return undefined;
  const waiting = new Map<number, (all: Measurements[]) => void>();
  let asked = 0;
  onMessage((message) => {
    if (message.say === 'measure') {
      const { ask } = message;
      const answer = (measurements: Measurements): void => tell({ say: 'measured', ask, measurements });
      measure().then(answer, () => answer([]));
    }
    if (message.say === 'gathered') {
      waiting.get(message.ask)?.(message.all);
      waiting.delete(message.ask);
    }
  });
  return () =>
    new Promise((resolve) => {
      waiting.set((asked += 1), resolve);
      tell({ say: 'gather', ask: asked });
    });
}
