import { reachOf } from '../../../templates/runtime/data/cascade';
import type { KindPlan } from '../../../templates/runtime/data/plan/kind-plan';
import type { OnDelete } from '../../../templates/runtime/model/kinds/kind-data';
import type { Referrer, StoreIndexes } from '../../../templates/runtime/store/indexing/store-indexes';

/** References as `kind field target`, with the rule. */
const RULES: [kind: string, field: string, target: string, onDelete: OnDelete][] = [
  ['Part', 'spec.parent', 'Part', 'cascade'],
  ['Part', 'spec.root', 'Part', 'restrict'],
  ['Order', 'spec.part', 'Part', 'restrict'],
];

function plansOf(): ReadonlyMap<string, KindPlan> {
  const plan = (collection: string): Partial<KindPlan> => ({
    collection,
    references: RULES.filter(([kind]) => kind === collection).map(
      ([, field, target, onDelete]) =>
        ({ field, collection: target, onDelete }) as KindPlan['references'][number],
    ),
  });
  return new Map(['Part', 'Order'].map((each) => [each, plan(each) as KindPlan]));
}

/** A chain of parts 1 to 6, each the parent of the next; the last also refers to the first. */
const CHAIN: [id: number, kind: string, field: string, target: number][] = [
  ...[2, 3, 4, 5, 6].map((id): (typeof CHAIN)[number] => [id, 'Part', 'spec.parent', id - 1]),
  [6, 'Part', 'spec.root', 1],
];

async function reached(references: typeof CHAIN, most: number) {
  const rows = references.map(([id, kind, field, target]): Referrer & { target: number } => {
    return { id, kind, field, target, uid: `uid-${id}`, bytes: 1, index: field };
  });
  const indexes = {
    referrers: async (ids: number[], limit: number) =>
      rows.filter(({ target }) => ids.includes(target)).slice(0, limit),
  } as Partial<StoreIndexes> as StoreIndexes;
  const root = { id: 1, collection: 'Part' };
  const { deleted, restricting, isTooMuch } = await reachOf({ indexes, plans: plansOf() }, root, most);
  return { deleted: deleted.length, restricting: restricting.map(({ id }) => id), isTooMuch };
}

test('a referrer that is deleted too restricts nothing, wherever the search ends', async () => {
  expect(await reached(CHAIN, 5)).toEqual({ deleted: 5, restricting: [], isTooMuch: false });
  expect(await reached(CHAIN, 2)).toMatchObject({ restricting: [], isTooMuch: true });
});

test('a referrer that cannot be deleted restricts, wherever the search ends', async () => {
  const ordered: typeof CHAIN = [...CHAIN, [7, 'Order', 'spec.part', 2]];
  for (const most of [5, 2]) expect(await reached(ordered, most)).toMatchObject({ restricting: [7] });
});
