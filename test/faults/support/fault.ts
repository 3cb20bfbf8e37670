import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { killServices } from './service';

/** A promise that was not kept. Only this counts as the failure that a negative control has to show. */
export class Violation extends Error {
  override name = 'Violation';
}

/** Throws a Violation unless the promise is kept. */
export function demand(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new Violation(otherwise);
}

/** A deliberate defect of a service under test; empty for the service as it is. */
export interface Breakage {
  /** Files of `breakages/`, without `.js`: each changes one thing in the service before it starts. */
  hooks?: string[];
  environment?: { [name: string]: string };
}

/** One fault, what is promised for it, and how that is seen. */
export interface Fault {
  /** Brings the fault about and returns the figure. Throws a Violation when the promise is not kept. */
  check(broken: Breakage): Promise<string>;
  /** Services that do not keep the promise: the check has to find each of them out. */
  controls: { [name: string]: Breakage };
}

/** Maximum number of runs until a control is found out. */
const CONTROL_RUNS = 5;

const FIGURES = join(__dirname, '../../../.tmp/faults/figures.jsonl');

/** Declares the tests of a fault: the service holds, and every control is found out. */
export function fault(name: string, { check, controls }: Fault): void {
  const note = (what: string, figure: string): void =>
    appendFileSync(FIGURES, `${JSON.stringify({ fault: name, what, figure })}\n`);
  /** Other errors, such as a broken connection of the test, say nothing about the promise: they are printed, and the check is repeated. */
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
    for (const [control, broken] of Object.entries(controls))
      test(`is found out: ${control}`, async () => {
        let violation: unknown;
        // A broken service may happen to behave once, above all on a busy machine, where little is asked of it.
        for (let run = 0; run < CONTROL_RUNS && (run === 0 || typeof violation === 'string'); run++)
          violation = await checked(broken).catch((error: unknown) => error);
        if (typeof violation === 'string') throw new Error(`the control went unnoticed: ${violation}`);
        if (!(violation instanceof Violation)) throw violation;
        note(`control, ${control}`, violation.message.slice(0, 110));
      });
  });
}
