import type { OutgoingHttpHeaders } from 'node:http';
import { authorise } from '../request/access';
import { actorOf } from '../../http/actor';
import { checkCustom } from './custom-checks';
import type { WriteContext, WrittenIn } from '../parts/data-part';
import { deleteStored } from './deletion';
import { writeOrJudge } from './dry-run';
import type { RequestContext } from '../request/request-context';
import { evaluateConditions } from '../../http/conditional';
import { fillDefaults } from '../../model/fields';
import { nextVersionId, snapshotOf } from './snapshot';
import {
  preservedText,
  versioningOf,
  type HubState,
  type Part,
  type Preserved,
  type StoredText,
} from '../../model/versioning';
import { collectionOf, type KindDefinition } from '../../model/kind';
import { nextMetadata, type ClientMetadata } from '../request/metadata';
import { equalJson } from '../../patch/json-value';
import { HttpProblem } from '../../model/problem';
import { conditionState, refuseUnmet, resourceHeaders, withStored } from '../reads/reading';
import { etagOf, represent, type Stored } from '../reads/representation';
import type { Resource } from '../../model/resource';
import { pathOf } from '../../http/request-target';
import { send } from '../../http/respond';
import type { Json, JsonObject } from '../../model/schema';
import { scopedLabels, scopeOf } from '../request/label-scope';
import { eventOfChange, publishes, type Change, type StoredState } from '../../service/feature';
import type { Service } from '../../service/service';
import type { ResourceIndex } from '../../store/indexes';
import type { MaybePromise, NewState, StoredResource } from '../../store/store';
import { judge } from '../../validation/admission';
import { LARGE, turnOfLarge } from '../../concurrency/keyed-mutex';

/** Number of attempts of a write when other processes write the same resource in between. */
export const MAX_ATTEMPTS = 100;

/** The response where the last attempt was in vain: 503. */
export function tooManyWrites(): HttpProblem {
  return new HttpProblem(503, 'Too many writes of this resource at once; nothing was written.', {
    headers: { 'Retry-After': '1' },
  });
}

/** The part of a resource that a client wants to write, in the terms of the version it speaks. */
export interface Draft {
  /** Absent for a status write, which leaves metadata alone. */
  client?: ClientMetadata;
  fields: JsonObject;
}

/**
 * Changes one resource: reads it, asks the policy, checks the conditions, lets `draft` make the new part, and
 * writes it if nobody else has written meanwhile; otherwise all of it again. So check and write are one atomic
 * step. Returns the response to the write. Throws HttpProblem 404, 403, 428, 412, 503 where others write again and again,
 * and what `draft` and the rules of fields throw.
 */
export function change(
  service: Service,
  call: RequestContext,
  target: Target,
  draft: Drafting,
): Promise<Written> {
  const since = performance.now();
  return service.turns.run(call.uid, () => changeInTurn(service, call, target, draft, since));
}

/** The part of a resource to change, and the version in whose terms it is changed. */
interface Target {
  version: string;
  /** The other part stays as it is stored. */
  part: Part;
  /**
   * Set for clients that name the revision they have read within the resource: they need no If-Match, and a write that
   * changes nothing is not made.
   */
  byRevision?: boolean;
}

/**
 * Makes the new part from the resource as the client's version shows it. It must not change that resource, which is stored
 * as `stored`.
 */
type Drafting = (shown: Resource, stored: StoredResource) => MaybePromise<Draft>;

async function changeInTurn(
  service: Service,
  call: RequestContext,
  target: Target,
  draft: Drafting,
  since: number,
): Promise<Written> {
  const before = call.warnings.length;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    call.warnings.length = before;
    const written = await withStored(service, call, COPIES, (stored) =>
      tryChange(service, call, stored, target, draft, since),
    );
    if (written !== undefined) return written;
  }
  throw tooManyWrites();
}

/**
 * Copies of a stored resource in memory during a change: the stored one, the client version's view, and the patched
 * one.
 */
const COPIES = 3;

/** Makes and writes the new state. Returns undefined when another process has written meanwhile. */
async function tryChange(
  service: Service,
  call: RequestContext,
  stored: StoredResource,
  { version, part, byRevision = false }: Target,
  draft: Drafting,
  since: number,
): Promise<Written | undefined> {
  const { kind, req } = call;
  const large = call.large === true || stored.text.length >= LARGE;
  const versioning = versioningOf(kind);
  const state = versioning.hubStateOf(kind, stored);
  const current = state.hub;
  await authorise(call, part === 'spec' ? 'canUpdate' : 'canUpdateStatus', current);
  const requireIfMatch = service.definition.requireIfMatch && !byRevision;
  refuseUnmet(evaluateConditions(req, conditionState(call, stored, version), requireIfMatch));
  if (large) await turnOfLarge();
  const { client, fields } = await draft(versioning.shownIn(kind, state, version), stored);
  const put = versioning.writeThrough(service, kind, { version, part, fields }, state, call.warnings);
  if (part === 'spec' && kind.data?.immutable !== undefined)
    refuseImmutable(service, call, current, put.fields, version);
  if (large) await turnOfLarge();
  const writer = { version, part, aside: put.aside, exact: put.exact };
  const carried = versioning.preservedAfter(kind, state, { ...current, [part]: put.fields }, writer);
  const isSame =
    part === 'status' ||
    (equalJson(current.spec, put.fields) &&
      versioning.readsSameSpec(kind, state, { hub: current, kept: carried }));
  if (large) await turnOfLarge();
  const next = nextResource(service, call, current, part, { client, fields: put.fields }, !isSame);
  const after = { resource: next, preserved: carried };
  const kept = service.owners?.after(kind, { ...call, version, part, before: state, ...after }) ?? carried;
  if (byRevision && isUnchanged(current, next) && preservedText(kept) === preservedText(state.kept))
    return { ...unwrittenResponse(call, stored, version), before: stored };
  await checkCustom(service, call, next, current, version);
  const { labels: labelsBefore = {} } = current.metadata;
  const { labels: labelsAfter = {} } = next.metadata;
  const labels = equalJson(labelsBefore, labelsAfter) ? undefined : labelsAfter;
  const cause = part === 'status' ? 'status' : 'updated';
  const written = { version, before: current };
  const row = stateOf(service, call, next, {
    cause,
    preserved: kept,
    stateBefore: state,
    stored,
    ...written,
    ...(labels && { labelsBefore }),
  });
  const { id, revision } = stored;
  const write = { action: 'update', kind: collectionOf(call.kind), id, revision, labels, ...row } as const;
  const response = writtenResponse(call, 200, row, version);
  const isLast = service.lifecycle?.completes(next.metadata) === true;
  const result = isLast
    ? await deleteStored(service, call, { version, stored, since })
    : await writeOrJudge(service, call, write, since);
  if (typeof result === 'object')
    await service.data?.refuse(call, { ...written, resource: next, index: row.index, id }, result);
  return result === 'done' ? { ...response, before: stored } : undefined;
}

/** Returns whether a write changes nothing that a client may set. */
function isUnchanged(current: Resource, next: Resource): boolean {
  const { updatedAt } = current.metadata;
  const metadata = (each: Resource): Json => ({ ...each.metadata, updatedAt }) as unknown as Json;
  return (
    equalJson(metadata(current), metadata(next)) &&
    equalJson(current.spec, next.spec) &&
    equalJson(current.status ?? {}, next.status ?? {})
  );
}

/** Treats changes of immutable fields by the validation mode, as other failures. */
function refuseImmutable(
  { definition, data }: Service,
  { kind, warnings }: RequestContext,
  current: Resource,
  spec: JsonObject,
  version: string,
): void {
  judge(definition, data?.changedFields(kind, current, spec, version) ?? [], warnings);
}

/** Returns the resource after a write: the client's part, with the server-owned members carried over. */
function nextResource(
  service: Service,
  call: RequestContext,
  current: Resource,
  part: Part,
  { client, fields }: Draft,
  specChanged: boolean,
): Resource {
  const { apiVersion, kind, metadata, spec } = current;
  const status = { ...current.status };
  const now = service.now();
  if (part === 'status' || client === undefined) {
    const version = status['version'];
    if (call.kind.history !== undefined && version !== undefined) fields['version'] = version;
    return { apiVersion, kind, metadata: nextMetadata(current, metadata, false, now), spec, status: fields };
  }
  const labels = scopedLabels(client.labels, scopeOf(call.req));
  return {
    apiVersion,
    kind,
    metadata: nextMetadata(current, { ...client, labels }, specChanged, now),
    spec: fields,
    status,
  };
}

/** A write and everything it stores besides the resource. */
interface Recorded extends Pick<Change, 'cause' | 'labelsBefore'>, WrittenIn {
  preserved: Preserved;
  /** The whole state before the write; absent on create. */
  stateBefore?: HubState;
  /** The row before the write; absent on create. */
  stored?: StoredState;
  /** False for a write that leaves the spec alone, and is not one of the status. */
  hasSnapshot?: false;
}

/**
 * Returns the row of a resource after a write, with the event of the write and the snapshot that a spec write records.
 * `status.version` names that snapshot (requirement, "Spec version history").
 */
export function stateOf(
  service: Service,
  { kind, req }: WriteContext,
  resource: Resource,
  written: Recorded,
): NewState {
  const {
    cause,
    preserved,
    labelsBefore,
    version,
    before,
    stored,
    hasSnapshot = cause !== 'status',
  } = written;
  const { storageVersion, history } = kind;
  const hub = kind.versions[storageVersion];
  const status: JsonObject = resource.status ?? {};
  fillDefaults(hub.status, hub.types, status);
  const state: Partial<NewState> = {};
  if (history !== undefined && hasSnapshot) {
    const previous = status['version'];
    const versionId = nextVersionId(service.now(), typeof previous === 'string' ? previous : undefined);
    status['version'] = versionId;
    const ofSpec = preservedText(versioningOf(kind).preservedOfSpec(preserved));
    state.snapshot = snapshotOf(resource, versionId, storageVersion, ofSpec, req && actorOf(req));
    state.keepSnapshots = history.keep;
  }
  resource.status = Object.keys(status).length > 0 ? status : undefined;
  if (kind.data !== undefined)
    state.index = service.data?.indexOf(
      { kind, req },
      { hub: resource, kept: preserved },
      { version, before },
    );
  const text = JSON.stringify(resource);
  const time = Date.parse(resource.metadata.updatedAt);
  const entriesBefore = entriesBeforeOf(service, kind, written, state.index);
  const change = { cause, resource, text, time, request: req, labelsBefore, entriesBefore, before: stored };
  state.event = eventOfChange(service, { ...change, kept: preservedText(preserved) });
  return {
    ...state,
    uid: resource.metadata.uid,
    version: storageVersion,
    text,
    etag: etagOf(text),
    kept: preservedText(preserved),
  };
}

/** Returns the entries that an update changes, as they were before, for its event; undefined where nobody would read them. */
function entriesBeforeOf(
  service: Service,
  kind: KindDefinition,
  { stateBefore }: Recorded,
  index: ResourceIndex | undefined,
): Change['entriesBefore'] {
  if (index === undefined || stateBefore === undefined || !publishes(service)) return undefined;
  return service.data?.reading.entriesBefore(kind, stateBefore, index);
}

/** The response to a write: the stored resource, in the version that the client speaks. */
export interface Written {
  status: 200 | 201 | 202;
  headers: OutgoingHttpHeaders;
  text: string;
  uid: string;
  /** The resource as it is stored then. */
  state: StoredText;
  /** The resource before; absent on create. */
  before?: StoredResource;
}

/**
 * Returns the response to a write. Everything that could fail happens here, before the write: a later error would claim
 * that nothing was written.
 */
export function writtenResponse(
  call: RequestContext,
  status: 200 | 201,
  state: NewState,
  version: string,
): Written {
  const response = unwrittenResponse(call, state, version);
  if (status === 201) response.headers['Location'] = `${collectionPath(call, version)}/${state.uid}`;
  return { ...response, status };
}

/** Returns the response with a resource that stays as it is stored. */
export function unwrittenResponse(
  { kind, warnings }: RequestContext,
  stored: Stored,
  version: string,
): Written {
  const { text, etag } = represent(kind, stored, version);
  const headers = resourceHeaders(text, etag, warnings);
  return { status: 200, headers, text, uid: stored.uid, state: stored };
}

/** Sends the response to a write. */
export function sendWritten({ req, res }: RequestContext, { status, headers, text }: Written): void {
  send(req, res, status, headers, text);
}

/** Returns the path of the collection of a create, in the version of the body where the path names an unknown one. */
function collectionPath({ req, kind, urlVersion, uid }: RequestContext, version: string): string {
  const whole = pathOf(req).replace(/\/$/, '');
  const path = uid === '' ? whole : whole.slice(0, whole.lastIndexOf('/'));
  if (urlVersion === undefined || kind.servedVersions.includes(urlVersion)) return path;
  return path.replace(/[^/]+(?=\/[^/]+$)/, version);
}
