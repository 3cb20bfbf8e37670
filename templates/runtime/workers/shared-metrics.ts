import type { Measurements } from './worker';
import { onMessage, tell, workerNumber } from './worker';

/** Gives the measurements of every worker of the service, those of this process among them. */
export type Gather = () => Promise<Measurements[]>;

/**
 * Lets the workers of a service have the measurements of each other: `/metrics` is answered by any of them, and a scrape
 * wants the sum. `measure` gives those of this process. Undefined when it is no worker.
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
