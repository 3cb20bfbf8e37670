import { authorise } from './access';
import { checkCustom, type Part } from './admission';
import type { Call } from './call';
import { evaluateConditions } from './conditional';
import { eventOf, type Cause } from './events/cloud-event';
import { noteLabelsBefore } from './events/logged-event';
import { fillDefaults } from './fields';
import { nextVersionId, snapshotOf } from './history';
import { hubStateOf, keptAfter, shownIn } from './hub-state';
import { keptOfSpec, keptText, type Kept } from './kept';
import { collectionOf } from './kind';
import { nextMetadata, type ClientMetadata } from './metadata';
import { copyJson, equalJson } from './patch/json-value';
import { HttpProblem } from './problem';
import { conditionState, find, refuseUnmet, resourceHeaders } from './reading';
import { etagOf, represent } from './representation';
import type { Resource } from './resource';
import { send } from './respond';
import type { JsonObject } from './schema';
import { scopedLabels, scopeOf } from './scope';
import type { Service } from './service';
import { writeThrough } from './spoke-writing';
import type { NewState } from './store/store';
import { traceparentOf } from './trace-context';
import { LARGE, turnOfLarge } from './turns';

/** How often a write is tried again when other processes write the same resource in between. */
const MAX_ATTEMPTS = 100;

/** What a client wants a part of a resource to be, in the terms of the version it speaks. */
export interface Draft {
  /** Absent for a status write, which leaves metadata alone. */
  client?: ClientMetadata;
  fields: JsonObject;
}

/**
 * Changes one resource: reads it, asks the policy, checks the conditions, lets `draft` make the new part, and
 * writes it if nobody else has written meanwhile; otherwise all of it again. So check and write are one atomic
 * step. Throws HttpProblem 404, 403, 428, 412, and what `draft` throws.
 */
export function change(service: Service, call: Call, target: Target, draft: Drafting): Promise<void> {
  const since = performance.now();
  return service.turns.take(call.uid, () => changeInTurn(service, call, target, draft, since));
}

/** What of a resource is changed, and in the terms of which version. */
interface Target {
  version: string;
  /** The other part stays as it is stored. */
  part: Part;
}

type Drafting = (shown: Resource) => Draft;

async function changeInTurn(
  service: Service,
  call: Call,
  { version, part }: Target,
  draft: Drafting,
  since: number,
): Promise<void> {
  const { kind, req } = call;
  const before = call.warnings.length;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    call.warnings.length = before;
    const stored = await find(service, call);
    const large = stored.text.length >= LARGE;
    if (large) await turnOfLarge();
    const state = hubStateOf(kind, stored);
    const current = state.hub;
    await authorise(call, part === 'spec' ? 'canUpdate' : 'canUpdateStatus', current);
    const { requireIfMatch } = service.definition;
    refuseUnmet(evaluateConditions(req, conditionState(call, stored, version), requireIfMatch));
    const copy = copyJson(current as unknown as JsonObject) as unknown as Resource;
    const { client, fields } = draft(shownIn(kind, { ...state, hub: copy }, version));
    const put = writeThrough(service.definition, kind, { version, part, fields }, state, call.warnings);
    if (large) await turnOfLarge();
    const next = nextResource(service, call, current, part, { client, fields: put.fields });
    await checkCustom(call, next, current, version);
    const kept = keptAfter(kind, state, next, { version, part, aside: put.aside });
    const row = stateOf(service, call, next, part === 'status' ? 'status' : 'updated', kept);
    const { labels: labelsBefore = {} } = current.metadata;
    const { labels: labelsAfter = {} } = next.metadata;
    const labels = equalJson(labelsBefore, labelsAfter) ? undefined : labelsAfter;
    if (labels !== undefined && row.event !== undefined) noteLabelsBefore(row.event, labelsBefore);
    const { id, revision } = stored;
    const write = { action: 'update', kind: collectionOf(call.kind), id, revision, labels, ...row } as const;
    const result = await service.store.write(write, since);
    if (result === 'done') return respondWritten(call, 200, row, version);
  }
  throw new HttpProblem(503, 'Too many writes of this resource at once; nothing was written.', {
    headers: { 'Retry-After': '1' },
  });
}

/** The resource after a write: the client's part, and what the server owns carried on. */
function nextResource(
  service: Service,
  call: Call,
  current: Resource,
  part: Part,
  { client, fields }: Draft,
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
  const specChanged = !equalJson(spec, fields);
  return {
    apiVersion,
    kind,
    metadata: nextMetadata(current, { ...client, labels }, specChanged, now),
    spec: fields,
    status,
  };
}

/**
 * The row of a resource as a write leaves it, with the event of the write, and with the snapshot that a spec write
 * records: `status.version` names it (requirement, "Spec version history").
 */
export function stateOf(
  service: Service,
  { kind, req }: Pick<Call, 'kind'> & Partial<Pick<Call, 'req'>>,
  resource: Resource,
  cause: Cause,
  kept: Kept,
): NewState {
  const { storageVersion, history } = kind;
  const hub = kind.versions[storageVersion];
  const status: JsonObject = resource.status ?? {};
  fillDefaults(hub.status, hub.types, status);
  const state: Partial<NewState> = {};
  if (history !== undefined && cause !== 'status') {
    const previous = status['version'];
    const versionId = nextVersionId(service.now(), typeof previous === 'string' ? previous : undefined);
    status['version'] = versionId;
    state.snapshot = snapshotOf(resource, versionId, storageVersion, keptText(keptOfSpec(kept)));
    state.keepSnapshots = history.keep;
  }
  resource.status = Object.keys(status).length > 0 ? status : undefined;
  const text = JSON.stringify(resource);
  if (service.definition.events) {
    const time = Date.parse(resource.metadata.updatedAt);
    const trace = req && traceparentOf(req);
    state.event = { ...eventOf(cause, resource, text, time, trace), kept: keptText(kept) };
  }
  return {
    ...state,
    uid: resource.metadata.uid,
    version: storageVersion,
    text,
    etag: etagOf(text),
    kept: keptText(kept),
  };
}

/** Answers a write with the resource as it is now stored, in the version that the client speaks. */
export function respondWritten(call: Call, status: 200 | 201, state: NewState, version: string): void {
  const { req, res, kind, warnings } = call;
  const { text, etag } = represent(kind, state, version);
  const headers = resourceHeaders(text, etag, warnings);
  if (status === 201)
    headers['Location'] = `${req.originalUrl.split('?', 1)[0].replace(/\/$/, '')}/${state.uid}`;
  send(req, res, status, headers, text);
}
