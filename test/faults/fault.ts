import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { killServices } from './service';

/** A promise that was not kept. Only this counts as the failure that a negative control has to show. */
export class Violation extends Error {
  override name = 'Violation';
}

/** Throws a Violation unless the promise is kept. */
export function demand(kept: boolean, otherwise: string): asserts kept {
  if (!kept) throw new Violation(otherwise);
}

/** How a service under test is broken on purpose; empty for the service as it is. */
export interface Breakage {
  /** Files of `breakages/`, without `.js`: each changes one thing in the service before it starts. */
  hooks?: string[];
  environment?: { [name: string]: string };
}

/** One fault, what is promised for it, and how that is seen. */
export interface Fault {
  /** Brings the fault about; gives the figure. Throws a Violation when the promise is not kept. */
  check(broken: Breakage): Promise<string>;
  /** Services that do not keep the promise: the check has to find each of them out. */
  controls: { [name: string]: Breakage };
}

const FIGURES = join(__dirname, '../../.tmp/faults/figures.jsonl');

/** Declares the tests of a fault: the service holds, and every control is found out. */
export function fault(name: string, { check, controls }: Fault): void {
  const note = (what: string, figure: string): void =>
    appendFileSync(FIGURES, `${JSON.stringify({ fault: name, what, figure })}\n`);
  /** What is no Violation, such as a connection of the test that broke, says nothing of the promise: it is told, and tried again. */
  const checked = (broken: Breakage): Promise<string> =>
    check(broken).catch((error: unknown) => {
      if (error instanceof Violation) throw error;
      note('tried again', String(error));
      return check(broken);
    });
  describe(name, () => {
    afterAll(killServices);
    test('holds', async () => {
      const start = performance.now();
      const figure = await checked({});
      note('holds', `${figure} [${((performance.now() - start) / 1000).toFixed(0)} s]`);
    });
    test.each(Object.entries(controls))('is found out: %s', async (control, broken) => {
      const violation = await checked(broken).catch((error: unknown) => error);
      if (typeof violation === 'string') throw new Error(`the control went unnoticed: ${violation}`);
      if (!(violation instanceof Violation)) throw violation;
      note(`control, ${control}`, violation.message.slice(0, 110));
    });
  });
}
