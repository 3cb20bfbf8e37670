import './settings';
import type { KindDefinition } from '../model/kinds/kind';
import type { Feature } from '../service/feature';
import type { Service } from '../service/service';
import { StoreRefused } from '../store/store';
import { describeProblem, indexedKinds, type KindPlans, plansOf } from './indexed-kinds';
import { onceASecond } from './progress';
import { dataPart } from './service-data';

/**
 * Serves the names, fields and references that kinds declare. `kinds` returns all kinds of the service; they are loaded
 * at the start, because the files of kinds may import the service.
 */
export function data(kinds: () => Promise<readonly { kind: KindDefinition }[]>): Feature {
  return () => (service) => {
    let plans: KindPlans = new Map();
    return {
      adds: { data: dataPart(service, () => plans) },
      async prepare() {
        const all = (await kinds()).map(({ kind }) => kind);
        plans = plansOf(all);
        await prepareIndexes(service, all, plans);
      },
    };
  };
}

/**
 * Makes the entries of those kinds anew whose declarations or rules have changed. Throws StoreRefused with up to 100
 * resources that break a rule, and StoreUnavailable.
 */
async function prepareIndexes(
  { store, logger }: Service,
  kinds: readonly KindDefinition[],
  plans: KindPlans,
): Promise<void> {
  const progress = onceASecond((kind, done, all) => logger.info({ kind, done, all }, 'making index entries'));
  const problems = await store.indexes!.rebuild(indexedKinds(kinds, plans), progress);
  if (problems.length === 0) return;
  const lines = problems.map((problem) => `\n  ${describeProblem(problem)}`);
  throw new StoreRefused(
    `stored resources break rules of project.yaml; \`npm run check-data\` lists them too:${lines.join('')}\n${REPAIR}`,
  );
}

/** The schema has been migrated by then: the former build may refuse it, and so leave nobody to change the resources. */
const REPAIR =
  'To change them, start a service without these rules: the former build or, if the schema of the database is too new ' +
  'for that, one of the former project.yaml by the svcgen of this one';
