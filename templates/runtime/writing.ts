import { authorise } from './access';
import { admit, checkCustom, invalid, judge } from './admission';
import { JSON_BODY, readBody, readPatch } from './body';
import type { Call } from './call';
import { change, respondWritten, stateOf } from './change';
import { evaluateConditions } from './conditional';
import { eventOf } from './events/cloud-event';
import { collectionOf } from './kind';
import { checkEnvelope, checkKind, newMetadata, readMetadata, type ClientMetadata } from './metadata';
import { negotiate } from './negotiate';
import { HttpProblem, type Failure } from './problem';
import { conditionState, find, refuseUnmet } from './reading';
import { hubStateOf, keptAfter } from './hub-state';
import { keptText } from './kept';
import { hubOf, represent } from './representation';
import type { Resource } from './resource';
import { sendJson } from './respond';
import { isObject, type Json, type JsonObject } from './schema';
import { scopedLabels, scopeOf } from './scope';
import type { Service } from './service';
import { writeThrough } from './spoke-writing';
import type { NewEvent, StoredResource } from './store/store';
import { traceparentOf } from './trace-context';
import { newUid } from './uid';

/** POST to a collection (endpoint 1). */
export async function create(service: Service, call: Call): Promise<void> {
  const { req, kind } = call;
  const body = await readBody(req, JSON_BODY, service.settings);
  const version = negotiate(call, body);
  await authorise(call, 'canCreate');
  refuseUnmet(evaluateConditions(req, undefined));
  const { client, spec } = readResource(service, call, version, body, undefined);
  const write = { version, part: 'spec', fields: spec } as const;
  const { fields, aside } = writeThrough(service.definition, kind, write, undefined, call.warnings);
  client.labels = scopedLabels(client.labels, scopeOf(req));
  for (;;) {
    const uid = newUid(kind.uidPrefix);
    const resource: Resource = {
      apiVersion: `${kind.group}/${kind.storageVersion}`,
      kind: kind.kind,
      metadata: newMetadata(client, uid, service.now()),
      spec: fields,
      status: {},
    };
    await checkCustom(call, resource, undefined, version);
    const kept = keptAfter(kind, undefined, resource, { version, part: 'spec', aside });
    const state = stateOf(service, call, resource, 'created', kept);
    const labels = resource.metadata.labels ?? {};
    const result = await service.store.write({
      action: 'create',
      kind: collectionOf(call.kind),
      labels,
      ...state,
    });
    if (result === 'done') return respondWritten(call, 201, state, version);
  }
}

/** PUT of one resource (endpoint 4): the spec is replaced, the status stays. */
export async function replace(service: Service, call: Call): Promise<void> {
  const body = await readBody(call.req, JSON_BODY, service.settings);
  const version = negotiate(call, body);
  await change(service, call, { version, part: 'spec' }, (shown) => {
    const { labels, annotations } = shown.metadata;
    const { client, spec } = readResource(service, call, version, body, shown);
    return { client: { labels, annotations, ...client }, fields: spec };
  });
}

/** PATCH of one resource (endpoint 5): it applies to the whole document, the server restores what is its own. */
export async function applyPatch(service: Service, call: Call): Promise<void> {
  const { body, patch } = await readPatch(call.req, service.settings);
  const version = negotiate(call, body);
  await change(service, call, { version, part: 'spec' }, (shown) => {
    const patched = patch.apply(shown as unknown as JsonObject);
    if (!isObject(patched) || !isObject(patched['spec'])) {
      throw new HttpProblem(500, 'The patched document is no resource: its spec is not an object.');
    }
    const { client, spec } = readResource(
      service,
      call,
      version,
      { ...patched, kind: call.kind.kind },
      shown,
    );
    return { client, fields: spec };
  });
}

/** DELETE of one resource (endpoint 6), with its snapshots. */
export async function remove(service: Service, call: Call): Promise<void> {
  const since = performance.now();
  return service.turns.take(call.uid, () => removeInTurn(service, call, since));
}

async function removeInTurn(service: Service, call: Call, since: number): Promise<void> {
  const version = negotiate(call, undefined);
  for (;;) {
    const stored = await find(service, call);
    const current = hubOf(call.kind, stored);
    await authorise(call, 'canDelete', current);
    refuseUnmet(
      evaluateConditions(call.req, conditionState(call, stored, version), service.definition.requireIfMatch),
    );
    const { id, uid, revision } = stored;
    const event = deletionOf(service, call, stored, current);
    const write = { action: 'delete', kind: collectionOf(call.kind), id, uid, revision, event } as const;
    const result = await service.store.write(write, since);
    if (result === 'done') return respondDeleted(call, `${call.kind.kind} deleted successfully`);
  }
}

/** Answers a deletion. */
export function respondDeleted({ req, res, warnings }: Call, message: string): void {
  sendJson(req, res, 200, { message }, warnings);
}

function deletionOf(
  { definition, now }: Service,
  { kind, req }: Call,
  stored: StoredResource,
  last: Resource,
): NewEvent | undefined {
  if (!definition.events) return undefined;
  const { text } = represent(kind, stored, kind.storageVersion);
  const moved = stored.version !== kind.storageVersion;
  const kept = moved ? keptText(hubStateOf(kind, stored).kept) : stored.kept;
  const time = Math.max(now(), Date.parse(last.metadata.updatedAt));
  return { ...eventOf('deleted', last, text, time, traceparentOf(req)), kept };
}

/**
 * What a client sent as a resource, its fields checked by the rules of `version`.
 * Throws HttpProblem 400 for another kind, a spec that is no object, and what the validation mode refuses.
 */
function readResource(
  service: Service,
  { kind, warnings }: Call,
  version: string,
  body: Json,
  shown: Resource | undefined,
): { client: ClientMetadata; spec: JsonObject } {
  if (!isObject(body)) throw new HttpProblem(400, 'The body must be a JSON object.');
  checkKind(kind, body);
  const spec = body['spec'] ?? null;
  if (!isObject(spec)) {
    const rule = spec === null ? 'required' : 'type';
    throw invalid([
      { pointer: '/spec', rule, detail: spec === null ? 'spec is required' : 'spec must be an object' },
    ]);
  }
  const failures: Failure[] = [];
  checkEnvelope(body, failures);
  const client = readMetadata(body['metadata'], failures);
  failures.push(...admit(kind, version, 'spec', spec, shown?.spec));
  judge(service.definition, failures, warnings);
  return { client, spec };
}
