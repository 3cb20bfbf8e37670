import { hash } from 'node:crypto';
import { collectionOf, type KindDefinition } from '../model/kind';
import { hubStateOf } from '../model/versioning';
import type { IndexedKind, IndexProblem } from '../store/indexing/index-state';
import { entriesOf } from './plan/entries';
import { planOf, type KindPlan } from './plan/kind-plan';

/** Counts up when the same declarations have other entries. */
const FORM = 2;

/** Stands between the digests that one consists of. */
const SEPARATOR = '.';

/** The plans of the kinds with data, by collection. */
export type KindPlans = ReadonlyMap<string, KindPlan>;

/** Returns the plans of those kinds that have data. Throws the errors of `planOf`. */
export function plansOf(kinds: readonly KindDefinition[]): KindPlans {
  const byCollection = new Map(kinds.map((kind) => [collectionOf(kind), kind]));
  const plans = new Map<string, KindPlan>();
  for (const [collection, kind] of byCollection)
    if (kind.data !== undefined) plans.set(collection, planOf(kind, kind.data, byCollection));
  return plans;
}

/** Returns all kinds as the store makes their entries: none for a kind without data. */
export function indexedKinds(kinds: readonly KindDefinition[], plans: KindPlans): IndexedKind[] {
  return kinds.map((kind) => {
    const plan = plans.get(collectionOf(kind));
    return { kind: collectionOf(kind), ...(plan && { entries: entriesOfKind(plan) }) };
  });
}

function entriesOfKind(plan: KindPlan): IndexedKind['entries'] {
  const { kind } = plan;
  return {
    digest: [digestOf(plan), ...digestsOfFields(plan).values()].join(SEPARATOR),
    newSince: (digest) => newSince(plan, digest),
    of(stored) {
      const { index, tooLong } = entriesOf(plan, hubStateOf(kind, stored));
      const place = ({ version, path }: (typeof tooLong)[number]): string =>
        version === kind.storageVersion ? path.join('.') : `${path.join('.')} of ${version}`;
      return { index, tooLong: tooLong.map(place) };
    },
  };
}

/**
 * Returns the indexes of a kind that are new since a digest, where all other entries are the same. Those of fields that can no
 * longer be selected stay until their resource is written.
 */
function newSince(plan: KindPlan, digest: string | undefined): string[] | undefined {
  const { data, unique, references } = plan;
  const hasOthers =
    data.uniqueNames === true || data.isReferable === true || unique.length + references.length > 0;
  if (digest === undefined && hasOthers) return undefined;
  const [rest = digestOf(plan), ...before] = digest?.split(SEPARATOR) ?? [];
  if (rest !== digestOf(plan)) return undefined;
  return [...digestsOfFields(plan)].filter(([, field]) => !before.includes(field)).map(([index]) => index);
}

/** Returns digests of the selectable fields of a kind, by the name of the index. */
function digestsOfFields({ indexed }: KindPlan): Map<string, string> {
  return new Map(
    indexed.flatMap(({ version, fields }) =>
      fields.map((field) => [
        field.index,
        hash('sha256', JSON.stringify([version, field]), 'hex').slice(0, 16),
      ]),
    ),
  );
}

/** Returns a digest of all that decides about the entries of a kind, but for its selectable fields. */
function digestOf({ kind, data: { selectable: _, ...data }, references }: KindPlan): string {
  const rules = kind.servedVersions.map((version) => [version, kind.versions[version].converter?.rules]);
  const targets = references.map(({ target }) => [target.uidPrefix, target.data?.uniqueNames === true]);
  return hash('sha256', JSON.stringify([FORM, data, kind.storageVersion, rules, targets]), 'hex');
}

/** Describes a resource that breaks a rule, in a line. Values are left out: they may be confidential. */
export function describeProblem({ kind, uid, rule, index, other }: IndexProblem): string {
  const subject = `${kind} ${uid}: ${index}`;
  switch (rule) {
    case 'unique':
      return `${subject} is the same as that of ${other}, but must be unique`;
    case 'name':
      return `${subject} is the uid of ${other}`;
    case 'ref':
      return `${subject} refers to a resource that does not exist`;
    case 'max=500':
      return `${subject} is longer than 500 characters`;
  }
}
