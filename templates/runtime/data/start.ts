import type { KindDefinition } from '../model/kinds/kind';
import type { Service } from '../service/service';
import { StoreRefused } from '../store/store';
import { describeProblem, indexedKinds, type KindPlans } from './indexed-kinds';
import { onceASecond } from './progress';

/**
 * Makes the entries of those kinds anew whose declarations or rules have changed. Throws StoreRefused with up to 100
 * resources that break a rule, and StoreUnavailable.
 */
export async function prepareIndexes(
  { store, logger }: Pick<Service, 'store' | 'logger'>,
  kinds: readonly KindDefinition[],
  plans: KindPlans,
): Promise<void> {
  const progress = onceASecond((kind, done, all) => logger.info({ kind, done, all }, 'making index entries'));
  const problems = await store.indexes!.rebuild(indexedKinds(kinds, plans), progress);
  if (problems.length === 0) return;
  const lines = problems.map((problem) => `\n  ${describeProblem(problem)}`);
  throw new StoreRefused(
    `stored resources break rules of project.yaml; \`npm run check-data\` lists them too:${lines.join('')}`,
  );
}
