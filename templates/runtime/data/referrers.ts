import { hubOf } from '../api/reads/representation';
import { mayGet } from '../api/request/access';
import { inScope, scopeOf } from '../api/request/label-scope';
import type { RequestContext } from '../api/request/request-context';
import { toFragment } from '../model/fragment';
import { hubStateOf } from '../model/kinds/versioning';
import type { ReferrerEntry } from '../model/problem';
import type { Metadata, Resource } from '../model/resource';
import type { Referrer } from '../store/indexing/store-indexes';
import type { Store, StoredResource } from '../store/store';
import type { KindPlans } from './indexed-kinds';
import { pointerIn } from './places';
import { placesOf, type Targets } from './targets';

/** Maximum number of referrers that a problem names. */
const NAMED = 10;

/** Maximum number of referrers that are read to find those that a problem names. */
export const MAX_REFERRERS = 1_000;

/** Returns the metadata of a stored resource, which is the same in all versions. */
export function metadataOf({ text }: StoredResource): Metadata {
  return (JSON.parse(text) as Resource).metadata;
}

/**
 * Returns up to 10 of these referrers as a problem names them: those that the caller may get, in the requested version
 * where their kind has it. Each is named once for each field or element that refers to one of the targets.
 */
export async function namedReferrers(
  { store, plans }: { store: Store; plans: KindPlans },
  { req }: Pick<RequestContext, 'req'>,
  { version, referrers, targets }: { version: string; referrers: readonly Referrer[]; targets: Targets },
): Promise<ReferrerEntry[]> {
  const named: ReferrerEntry[] = [];
  const scope = scopeOf(req);
  const fields = fieldsByResource(referrers);
  for (const [{ kind, uid }, names] of [...fields].slice(0, MAX_REFERRERS)) {
    if (named.length >= NAMED) break;
    const stored = await store.get(kind, uid);
    const metadata = stored && metadataOf(stored);
    if (stored === undefined || metadata === undefined || !inScope(metadata, scope)) continue;
    const owner = plans.get(kind)?.kind;
    if (owner && !(await mayGet({ kind: owner, req }, hubOf(owner, stored)))) continue;
    const entry = { kind: kind.slice(kind.lastIndexOf('/') + 1), uid, name: metadata.name };
    for (const pointer of pointersOf(plans, { kind, stored, names }, targets, version))
      named.push({ ...entry, pointer });
  }
  return named.slice(0, NAMED);
}

/** Returns each referring resource once, with the names of the fields by which it refers. */
function fieldsByResource(referrers: readonly Referrer[]): Map<Referrer, Set<string>> {
  const first = new Map<number, Referrer>();
  const fields = new Map<Referrer, Set<string>>();
  for (const referrer of referrers) {
    const known = first.get(referrer.id) ?? referrer;
    first.set(referrer.id, known);
    fields.set(known, (fields.get(known) ?? new Set()).add(referrer.field));
  }
  return fields;
}

/** A kind that is no longer served has no document to point into. */
function pointersOf(
  plans: KindPlans,
  { kind, stored, names }: { kind: string; stored: StoredResource; names: Set<string> },
  targets: Targets,
  version: string,
): string[] {
  const plan = plans.get(kind);
  if (plan === undefined) return ['#'];
  const { hub } = hubStateOf(plan.kind, stored);
  const shown = plan.kind.servedVersions.includes(version) ? version : plan.kind.storageVersion;
  return plan.references
    .filter(({ field }) => names.has(field))
    .flatMap((field) => placesOf(field, hub, targets))
    .map((pointer) => toFragment(pointerIn(plan.kind, shown, pointer)));
}
