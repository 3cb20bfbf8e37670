import * as fc from 'fast-check';
import { ProjectError } from '../../src/model/problem';
import { type Combination, combinations, projectOf } from './combinations';
import { movedBack, Served } from './moving';
import { checkMove } from './moving-law';

// The law of moving the hub, for random combinations of rules between two, three and four versions.

const COMBINATIONS = Number(process.env['COMBINATIONS'] ?? 30);

/** Checks the law for a combination; false if `add version --storage` refuses it, with the place of each problem. */
function check(combination: Combination, runs: number): boolean {
  const before = new Served(projectOf(combination), {});
  let after: Served;
  try {
    after = before.moved('v1beta1', {});
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    for (const { line, hint } of error.problems)
      expect([line, hint]).toEqual([expect.any(Number), expect.any(String)]);
    return false;
  }
  checkMove(before, after, movedBack(after, {}), runs);
  return true;
}

test('random combinations of rules keep the law, or are refused with place and hint', () => {
  const all = fc.sample(combinations, COMBINATIONS);
  let accepted = 0;
  for (const combination of all) {
    try {
      if (check(combination, 6)) accepted++;
    } catch (error) {
      const { seed } = fc.readConfigureGlobal();
      const text = `seed ${seed}: ${JSON.stringify(combination)}\n${projectOf(combination)}`;
      throw new Error(text, { cause: error });
    }
  }
  // The test would say nothing if most combinations were refused.
  expect(accepted / COMBINATIONS).toBeGreaterThan(0.4);
});
