import { LARGE, turnOfLarge } from '../../concurrency/large-work';
import type { MoreMemory } from '../../memory/memory-budget';
import { same } from '../../model/fields/values';
import { collectionOf } from '../../model/kinds/kind';
import { type HubState, hubStateOf, type Part, versioningOf } from '../../model/kinds/versioning';
import { HttpProblem, unavailable } from '../../model/problem';
import type { Resource } from '../../model/resource';
import type { JsonObject } from '../../model/schema';
import type { Service } from '../../service/service';
import type { MaybePromise, StoredResource, Write, WriteResult } from '../../store/store';
import { lengthOf } from '../../store/stored-resource';
import { judge } from '../../validation/admission';
import { refuseConditions, withStored } from '../reads/reading';
import { authoriseWrite } from '../request/access';
import { scopedLabels, scopeOf } from '../request/label-scope';
import { type ClientMetadata, nextMetadata } from '../request/metadata';
import type { RequestContext } from '../request/request-context';
import { checkCustom } from './custom-checks';
import { deleteStored } from './deletion';
import { writeOrJudge } from './dry-run';
import { newStateOf } from './new-state';
import { unwrittenResponse, type Written, writtenResponse } from './written';

/** Number of attempts of a write when other processes write the same resource in between. */
export const MAX_ATTEMPTS = 100;

/**
 * Repeats a write until it has a result: others may write the same resource in between. Warnings of attempts in vain are
 * removed. Throws HttpProblem 503 after too many attempts.
 */
export async function untilWritten<T extends object>(
  { warnings }: Pick<RequestContext, 'warnings'>,
  attempt: (count: number) => Promise<T | undefined>,
): Promise<T> {
  const before = warnings.length;
  for (let count = 0; count < MAX_ATTEMPTS; count++) {
    warnings.length = before;
    const result = await attempt(count);
    if (result !== undefined) return result;
  }
  throw unavailable('Too many writes of this resource at once; nothing was written.');
}

/** The part of a resource that a client wants to write, in the terms of the version it speaks. */
export interface Draft {
  /** Absent for a status write, which leaves metadata alone. */
  client?: ClientMetadata;
  fields: JsonObject;
}

/** The part of a resource to change, and the version in whose terms it is changed. */
interface Target {
  version: string;
  /** The other part stays as it is stored. */
  part: Part;
  /**
   * Set for clients that name the revision they have read within the resource: they need no If-Match. Returns whether a write
   * changes nothing, which is not made then.
   */
  byRevision?: (before: HubState, after: HubState) => boolean;
}

/**
 * Makes the new part from the resource as the client's version shows it. It must not change that resource, which is stored
 * as `stored`.
 */
type Drafting = (shown: Resource, stored: StoredResource) => MaybePromise<Draft>;

/** A change under way. */
interface Changing {
  service: Service;
  context: RequestContext;
  target: Target;
  draft: Drafting;
  /** As for `Store.write`. */
  since: number;
}

/**
 * Changes one resource: reads it, asks the policy, checks the conditions, lets `draft` make the new part, and writes it
 * if nobody else has written meanwhile; otherwise it starts again. Check and write are thus one atomic step. Returns
 * the response to the write. Throws HttpProblem 404, 403, 428, 412, 503 after too many attempts, and the errors of
 * `draft` and of the field rules.
 */
export function change(
  service: Service,
  context: RequestContext,
  target: Target,
  draft: Drafting,
): Promise<Written> {
  const changing = { service, context, target, draft, since: performance.now() };
  return service.turns.run(turnOf(context), () => changeInTurn(changing));
}

/** Returns the key of the turns of a resource. Another kind may have the same name. */
export function turnOf({ kind, uidOrName }: Pick<RequestContext, 'kind' | 'uidOrName'>): string {
  return `${collectionOf(kind)}/${uidOrName}`;
}

/**
 * Copies of a stored resource in memory during a change: the stored one, the client version's view, and the patched
 * one. Policies and the user's own checks get another.
 */
const COPIES = 3;

/**
 * The first attempt begins with the row in memory, if there is one, without asking whether another process has written it
 * since: the write itself asks, by the revision. An error that comes of such a row counts only while it is the stored one.
 */
function changeInTurn(changing: Changing): Promise<Written> {
  const { service, context, target } = changing;
  const { validate, policy } = context.kind.hooks;
  const asksUser = (validate ?? policy) !== undefined;
  const copies = asksUser ? COPIES + 1 : COPIES;
  // User code must see the stored row, and so must a change that may change nothing.
  const isChecked = asksUser || target.byRevision !== undefined || service.store.remembered === undefined;
  return untilWritten(context, (count) => {
    const mayBeOld = count === 0 && !isChecked;
    const attempt = mayBeOld ? tryRemembered : tryChange;
    return withStored(service, context, copies, (stored, more) => attempt(changing, stored, more), mayBeOld);
  });
}

/** Tries a change of a row from memory. Returns undefined instead of an error if others have replaced the row meanwhile. */
async function tryRemembered(
  changing: Changing,
  stored: StoredResource,
  more: MoreMemory,
): Promise<Written | undefined> {
  try {
    return await tryChange(changing, stored, more);
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    const now = await changing.service.store.get(collectionOf(changing.context.kind), stored.uid);
    if (now?.id === stored.id && now.revision === stored.revision) throw error;
    return undefined;
  }
}

/**
 * Makes and writes the new state, or deletes the resource where only this write was waited for. Returns undefined when another
 * process has written meanwhile.
 */
async function tryChange(
  changing: Changing,
  stored: StoredResource,
  more: MoreMemory,
): Promise<Written | undefined> {
  const { service, context, target, since } = changing;
  const { part, version } = target;
  const before = hubStateOf(context.kind, stored);
  await authoriseWrite(context, part === 'spec' ? 'canUpdate' : 'canUpdateStatus', before.hub);
  const requireIfMatch = service.definition.requireIfMatch && target.byRevision === undefined;
  refuseConditions(context, stored, version, requireIfMatch);
  const after = await stateAfter(changing, stored, before);
  if (target.byRevision?.(before, after) === true)
    return { before: stored, ...unwrittenResponse(context, stored, version) };
  await checkCustom(service, context, version, after, before);
  const { write, response } = updateOf(changing, stored, before, after);
  const isLast = service.lifecycle?.completes(after.hub.metadata) === true;
  const result: WriteResult = isLast
    ? await deleteStored(service, context, { version, stored, since, more })
    : await writeOrJudge(service, context, write, since);
  if (typeof result === 'object') {
    const { id, index } = write;
    await service.data?.refuse(
      context,
      { version, before: before.hub, resource: after.hub, index, id },
      result,
    );
  }
  return result === 'done' ? { before: stored, ...response } : undefined;
}

/** Lets the client make its part, and returns the whole resource with it, and what is preserved then. */
async function stateAfter(changing: Changing, stored: StoredResource, before: HubState): Promise<HubState> {
  const { service, context, draft } = changing;
  const { version, part } = changing.target;
  const { kind, warnings } = context;
  const versioning = versioningOf(kind);
  const isLarge = context.large === true || lengthOf(stored) >= LARGE;
  if (isLarge) await turnOfLarge();
  const { client, fields } = await draft(versioning.shownIn(kind, before, version), stored);
  const put = versioning.writeThrough(service, kind, { version, part, fields }, before, warnings);
  if (part === 'spec') refuseImmutable(changing, before.hub, put.fields);
  if (isLarge) await turnOfLarge();
  const writer = { version, part, aside: put.aside, exact: put.exact };
  const preserved = versioning.preservedAfter(kind, before, { ...before.hub, [part]: put.fields }, writer);
  const isSameSpec =
    part === 'status' ||
    (same(before.hub.spec, put.fields) &&
      versioning.readsSameSpec(kind, before, { hub: before.hub, preserved }));
  if (isLarge) await turnOfLarge();
  const hub = nextResource(changing, before.hub, { client, fields: put.fields }, !isSameSpec);
  const owned = service.owners?.after(kind, {
    ...context,
    ...{ version, part, sent: fields, before, resource: hub, preserved },
  });
  return { hub, preserved: owned ?? preserved };
}

/** Treats changes of immutable fields by the validation mode, as other failures. */
function refuseImmutable({ service, context, target }: Changing, current: Resource, spec: JsonObject): void {
  const { kind, warnings } = context;
  if (kind.data?.immutable === undefined) return;
  judge(service.definition, service.data?.changedFields(kind, current, spec, target.version) ?? [], warnings);
}

/** Returns the resource after a write: the client's part, with the server-owned members carried over. */
function nextResource(
  { service, context, target }: Changing,
  current: Resource,
  { client, fields }: Draft,
  specChanged: boolean,
): Resource {
  const { apiVersion, kind, metadata, spec } = current;
  const status = { ...current.status };
  const now = service.now();
  if (target.part === 'status' || client === undefined) {
    const version = status['version'];
    if (context.kind.history !== undefined && version !== undefined) fields['version'] = version;
    return { apiVersion, kind, metadata: nextMetadata(current, metadata, false, now), spec, status: fields };
  }
  const labels = scopedLabels(client.labels, scopeOf(context.req));
  return {
    apiVersion,
    kind,
    metadata: nextMetadata(current, { ...client, labels }, specChanged, now),
    spec: fields,
    status,
  };
}

/** Returns the write of a new state, and the response to it. */
function updateOf(
  { service, context, target }: Changing,
  stored: StoredResource,
  before: HubState,
  after: HubState,
): { write: Write & { action: 'update' }; response: Written } {
  const { version, part } = target;
  const { labels: labelsAfter = {} } = after.hub.metadata;
  const labels = same(before.hub.metadata.labels ?? {}, labelsAfter) ? undefined : labelsAfter;
  const row = newStateOf(service, context, after.hub, {
    cause: part === 'status' ? 'status' : 'updated',
    preserved: after.preserved,
    before: { state: before, row: stored },
    version,
  });
  const { id, revision } = stored;
  return {
    write: { action: 'update', kind: collectionOf(context.kind), id, revision, labels, ...row },
    response: writtenResponse(context, 200, row, version),
  };
}
