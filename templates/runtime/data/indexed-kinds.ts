import { hash } from 'node:crypto';
import { collectionOf, type KindDefinition } from '../model/kinds/kind';
import { hubStateOf, versioningOf } from '../model/kinds/versioning';
import { NAME_INDEX, UID_INDEX } from '../store/indexing/resource-index';
import type { IndexedKind, IndexProblem, NewIndexes } from '../store/indexing/store-indexes';
import { isProperName } from './names';
import { entriesOf } from './plan/entries';
import { type KindPlan, planOf } from './plan/kind-plan';

/** Counts up when the same declarations have other entries. */
const FORM = 3;

/** Stands between the digests that one consists of. */
const SEPARATOR = '.';

/** The tables of entries, and what the digests of their indexes begin with. */
const TABLES = { fields: 'f', unique: 'u', references: 'r' } as const;
type Table = keyof typeof TABLES;

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
    digest: [digestOf(plan), ...declaredIndexes(plan).map(({ digest }) => digest)].join(SEPARATOR),
    newSince: (digest) => newSince(plan, digest),
    of(stored) {
      const state = hubStateOf(kind, stored);
      const { index, tooLong } = entriesOf(plan, state);
      const place = ({ version, path }: (typeof tooLong)[number]): string =>
        version === kind.storageVersion ? path.join('.') : `${path.join('.')} of ${version}`;
      const isMisnamed = kind.data?.strictNames === true && !isProperName(kind.uidPrefix, state.hub.metadata);
      return { index, tooLong: tooLong.map(place), isMisnamed };
    },
  };
}

/**
 * Returns the indexes of a kind that are new since a digest, where all other entries are the same; undefined where an index
 * is gone or has changed. Only those of fields that can no longer be selected stay, until their resource is written.
 */
function newSince(plan: KindPlan, digest: string | undefined): NewIndexes | undefined {
  const rest = digestOf(plan);
  const [restBefore, ...before] = digest?.split(SEPARATOR) ?? [rest];
  const declared = declaredIndexes(plan);
  const digests = new Set(declared.map((each) => each.digest));
  const isGone = (each: string): boolean => !each.startsWith(TABLES.fields) && !digests.has(each);
  if (restBefore !== rest || before.some(isGone)) return undefined;
  const added = declared.filter((each) => !before.includes(each.digest));
  const of = (table: Table): string[] =>
    added.filter((each) => each.table === table).map(({ index }) => index);
  return { fields: of('fields'), unique: of('unique'), references: of('references') };
}

/** An index of a kind, and a digest of all that decides about its entries alone. */
interface DeclaredIndex {
  table: Table;
  index: string;
  digest: string;
}

function declaredIndexes(plan: KindPlan): DeclaredIndex[] {
  const { data } = plan;
  const declared = (table: Table, index: string, ...decisive: unknown[]): DeclaredIndex => {
    const digest = TABLES[table] + hash('sha256', JSON.stringify([index, ...decisive]), 'hex').slice(0, 16);
    return { table, index, digest };
  };
  const strict = data.strictNames === true ? ['strict'] : [];
  return [
    ...plan.indexed.flatMap(({ version, fields }) =>
      fields.map((field) => declared('fields', field.index, version, field)),
    ),
    ...(data.uniqueNames === true ? [declared('unique', NAME_INDEX, ...strict)] : []),
    ...(data.isReferable === true ? [declared('unique', UID_INDEX)] : []),
    ...plan.unique.map(({ index, path, type }) => declared('unique', index, path, type)),
    ...plan.references.map(({ field, isList, collection, target }) => {
      const found = [target.uidPrefix, target.data?.uniqueNames === true];
      return declared('references', field, isList === true, collection, ...found);
    }),
  ];
}

/** Returns a digest of what decides about all entries of a kind. */
function digestOf({ kind }: KindPlan): string {
  const { rulesOf } = versioningOf(kind);
  const rules = kind.servedVersions.map((version) => [version, rulesOf(kind, version)]);
  return hash('sha256', JSON.stringify([FORM, kind.storageVersion, rules]), 'hex');
}

/** Describes a resource that breaks a rule, in a line. Values are left out: they may be confidential. */
export function describeProblem({ kind, uid, rule, index, other }: IndexProblem): string {
  const subject = `${kind} ${uid}: ${index}`;
  switch (rule) {
    case 'unique':
      return `${subject} is the same as that of ${other}, but must be unique`;
    case 'name':
      return other === undefined
        ? `${subject} must have lowercase letters, digits, - and . (RFC 1123), and not the form of a uid`
        : `${subject} is the uid of ${other}`;
    case 'ref':
      return `${subject} refers to a resource that does not exist`;
    case 'max=500':
      return `${subject} is longer than 500 characters`;
  }
}
