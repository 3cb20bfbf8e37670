import type { ReferredDeletion } from '../api/parts/data-part';
import { inScope, scopeOf } from '../api/request/label-scope';
import { nextMetadata } from '../api/request/metadata';
import type { RequestContext } from '../api/request/request-context';
import { deletionEvent } from '../api/writes/deletion';
import { writeOrJudge } from '../api/writes/dry-run';
import { ownState } from '../api/writes/own-write';
import { storedCost } from '../http/request/json-body';
import { collectionOf } from '../model/kinds/kind';
import { hubStateOf } from '../model/kinds/versioning';
import { HttpProblem } from '../model/problem';
import type { Service } from '../service/service';
import type { Referrer } from '../store/indexing/store-indexes';
import type { SingleWrite, StoredResource } from '../store/store';
import { type Reach, reachOf } from './cascade';
import type { KindPlans } from './indexed-kinds';
import type { KindPlan } from './plan/kind-plan';
import { metadataOf, namedReferrers } from './referrers';
import { conflict } from './refusals';
import { clearReferences, Targets } from './targets';

/** Copies in memory of a resource that a deletion changes: its text, and its states before and after. */
const COPIES = 3;
/** The least memory for each byte of a stored resource: `jsonCost` counts two bytes for each character. */
const LEAST = 2 * COPIES;

/** A deletion of a resource that others may refer to. */
interface Removal extends ReferredDeletion {
  service: Service;
  plans: KindPlans;
  context: RequestContext;
}

/** A resource that a deletion reaches. */
interface Reached {
  plan: KindPlan;
  stored: StoredResource;
}

/**
 * Deletes a resource, and deletes or clears its referrers as they declare, in one transaction. The store judges that nothing is
 * left dangling: only where something refers to the resource is it looked for. Throws HttpProblem 409, also where a referrer
 * that would be deleted too has finalizers.
 */
export async function removeReferred(removal: Removal): Promise<'done' | 'conflict'> {
  const { service, plans, context, write, since, stored } = removal;
  const result = await writeOrJudge(service, context, write, since);
  if (typeof result === 'string') return result;
  const most = service.settings.CASCADE_MAX;
  const root = { id: stored.id, collection: collectionOf(context.kind) };
  const reach = await reachOf({ indexes: service.store.indexes!, plans }, root, most);
  if (reach.restricting.length > 0) throw await restricted(removal, reach);
  if (reach.isTooMuch) throw new HttpProblem(409, tooMuch(most));
  const reached = [...reach.deleted, ...reach.cleared];
  // The least that they cost when they are read: there may be as many as CASCADE_MAX.
  await removal.more(reached.reduce((sum, { bytes }) => sum + LEAST * bytes, 0));
  const read = await stillThere(removal, reached);
  if (read.length < reached.length) return 'conflict';
  if (read.some(({ stored }) => !inScope(metadataOf(stored), scopeOf(context.req))))
    throw new HttpProblem(409, OUT_OF_SCOPE);
  const held = reach.deleted.filter((_, i) => service.lifecycle?.holds(metadataOf(read[i].stored)));
  if (held.length > 0) throw await restricted(removal, { ...reach, restricting: held });
  await removal.more(read.reduce((sum, { stored }) => sum + COPIES * storedCost(stored), 0));
  const writes = writesOf(removal, read.splice(0, reach.deleted.length), read);
  const whole = await writeOrJudge(service, context, { action: 'all', writes }, since);
  // Something refers to it that did not before.
  return whole === 'done' ? 'done' : 'conflict';
}

const OUT_OF_SCOPE = 'Conflict: other resources refer to it';

function tooMuch(most: number): string {
  return `Conflict: the deletion would change more than ${most} resources that refer to it (CASCADE_MAX)`;
}

/** Returns the problem of a deletion that referrers forbid. It names those within the caller's scope. */
async function restricted(removal: Removal, { restricting, deleted }: Reach): Promise<HttpProblem> {
  const { service, plans, context, version } = removal;
  const targets = targetsOf(removal, await stillThere(removal, deleted));
  const named = { version, referrers: restricting, targets };
  return conflict([], await namedReferrers({ store: service.store, plans }, context, named));
}

/** Reads referrers of kinds that are served; those that are gone are left out. */
async function stillThere({ service, plans }: Removal, referrers: readonly Referrer[]): Promise<Reached[]> {
  const found: Reached[] = [];
  for (const { kind, uid } of referrers) {
    const stored = await service.store.get(kind, uid);
    if (stored !== undefined) found.push({ plan: plans.get(kind)!, stored });
  }
  return found;
}

/** Returns what is deleted with its referrers, as references name it. */
function targetsOf({ context, stored }: Removal, gone: readonly Reached[]): Targets {
  const targets = new Targets();
  targets.add(context.kind, stored.uid, metadataOf(stored).name);
  for (const { plan, stored } of gone) targets.add(plan.kind, stored.uid, metadataOf(stored).name);
  return targets;
}

function writesOf(removal: Removal, gone: readonly Reached[], cleared: readonly Reached[]): SingleWrite[] {
  const { service, context, write } = removal;
  const { req } = context;
  const targets = targetsOf(removal, gone);
  const deletions = gone.map(({ plan, stored }): SingleWrite => {
    const { id, uid, revision } = stored;
    const event = deletionEvent(service, { kind: plan.kind, req }, stored);
    return { action: 'delete', kind: plan.collection, id, uid, revision, event, isIndexed: true };
  });
  return [write, ...deletions, ...cleared.map((each) => clearing(service, req, each, targets))];
}

/** Returns the write that removes references to what is deleted: an ordinary write of the spec. */
function clearing(
  service: Service,
  req: RequestContext['req'],
  { plan, stored }: Reached,
  targets: Targets,
): SingleWrite {
  const { kind } = plan;
  const before = hubStateOf(kind, stored);
  const spec = structuredClone(before.hub.spec);
  clearReferences(plan.references, spec, targets);
  const { hub } = before;
  const metadata = nextMetadata(hub, hub.metadata, true, service.now());
  const next = { ...hub, metadata, spec, status: { ...hub.status } };
  const row = ownState(service, { kind, req }, 'spec', next, { state: before, row: stored });
  return { action: 'update', kind: plan.collection, id: stored.id, revision: stored.revision, ...row };
}
