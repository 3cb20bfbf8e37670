import type { OnDelete } from '../model/kinds/kind-data';
import type { Referrer, StoreIndexes } from '../store/indexing/store-indexes';
import type { KindPlans } from './indexed-kinds';

/** Everything that a deletion reaches. */
export interface Reach {
  /** The referrers that are deleted too, in order; each once. */
  deleted: Referrer[];
  /** The references of resources that stay, which forbid the deletion. */
  restricting: Referrer[];
  /** The resources that stay and lose references; each once. */
  cleared: Referrer[];
  /** Set where more than `most` resources are reached. The others may be incomplete then. */
  isTooMuch: boolean;
}

/** The least number of rows that are asked for at once. */
const ROWS = 100;

/**
 * Finds what the deletion of a resource reaches, along all references to what is deleted. Deleted referrers do not restrict
 * it, which is why that is judged at the end. Where the search ends early, only those restrict it that no search could have
 * found to be deleted.
 */
export async function reachOf(
  { indexes, plans }: { indexes: StoreIndexes; plans: KindPlans },
  { id: root, collection }: { id: number; collection: string },
  most: number,
): Promise<Reach> {
  const deleted = new Map<number, Referrer>();
  const edges: { rule: OnDelete; referrer: Referrer }[] = [];
  let isTooMuch = false;
  for (let ids = [root]; ids.length > 0 && !isTooMuch;) {
    const next: number[] = [];
    const found = await referrersOf(indexes, ids, most);
    isTooMuch = found.isTooMuch;
    for (const referrer of found.rows) {
      if (referrer.id === root || deleted.has(referrer.id)) continue;
      const rule = ruleOf(plans, referrer);
      edges.push({ rule, referrer });
      if (rule !== 'cascade') continue;
      deleted.set(referrer.id, referrer);
      next.push(referrer.id);
    }
    isTooMuch ||= deleted.size > most;
    ids = next;
  }
  const deletable = isTooMuch ? deletedWith(plans, collection) : undefined;
  const staying = edges.filter(({ referrer }) => !deleted.has(referrer.id));
  const restricting = staying
    .filter(({ rule, referrer }) => rule === 'restrict' && !deletable?.has(referrer.kind))
    .map(({ referrer }) => referrer);
  const clearing = staying.filter(({ rule }) => rule === 'clear').map(({ referrer }) => referrer);
  const cleared = [...new Map(clearing.map((referrer) => [referrer.id, referrer])).values()];
  isTooMuch ||= deleted.size + cleared.length > most;
  return { deleted: [...deleted.values()], restricting, cleared, isTooMuch };
}

/** Returns the kinds whose resources the deletion of one of this kind may delete too, along any number of references. */
function deletedWith(plans: KindPlans, collection: string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const targets = [collection]; targets.length > 0;) {
    const target = targets.pop();
    for (const { collection: kind, references } of plans.values()) {
      if (found.has(kind)) continue;
      if (!references.some((each) => each.onDelete === 'cascade' && each.collection === target)) continue;
      found.add(kind);
      targets.push(kind);
    }
  }
  return found;
}

/** Returns all rows of referrers, or where they are more than `most` resources, some. */
async function referrersOf(
  indexes: StoreIndexes,
  ids: number[],
  most: number,
): Promise<{ rows: Referrer[]; isTooMuch: boolean }> {
  for (let limit = most + ROWS; ; limit *= 4) {
    const rows = await indexes.referrers(ids, limit);
    if (rows.length < limit) return { rows, isTooMuch: false };
    // A resource comes once for each of its fields.
    if (new Set(rows.map(({ id }) => id)).size > most) return { rows, isTooMuch: true };
  }
}

/** A kind that is no longer served keeps what it refers to: it may come back. */
function ruleOf(plans: KindPlans, { kind, field }: Referrer): OnDelete {
  return plans.get(kind)?.references.find((each) => each.field === field)?.onDelete ?? 'restrict';
}
