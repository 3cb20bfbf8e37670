import * as fc from 'fast-check';
import { planConversion } from '../../src/conversion/plan/conversion';
import { reach } from '../../src/conversion/plan/plan';
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
  // No field comes to be that of its version alone.
  const [was, is] = [ownFields(before), ownFields(after)];
  expect([...is].filter((field) => !was.has(field))).toEqual([]);
  return true;
}

/** The fields of the third and further versions that the hub has nothing for, each with its version. */
function ownFields({ project }: Served): Set<string> {
  const [{ storageVersion, kinds, types }] = project.groups;
  const [{ versions }] = kinds;
  const hub = versions.find(({ version }) => version === storageVersion)!;
  const others = versions.filter(({ version }) => !['v1', 'v1beta1'].includes(version));
  const own = others.flatMap((version) =>
    reach(planConversion(hub, version, types).plan!).flatMap(({ preserved }) =>
      preserved.map(({ slot }) => `${version.version} ${slot.text}`),
    ),
  );
  return new Set(own);
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
