import type { OutgoingHttpHeaders } from 'node:http';
import { authorise, isAsked } from './access';
import type { Call } from './call';
import { evaluateConditions, isConditional, type CurrentState, type Outcome } from './conditional';
import { formatHttpDate } from './http-date';
import { collectionOf } from './kind';
import { negotiate } from './negotiate';
import { HttpProblem } from './problem';
import { hubOf, represent } from './representation';
import { isUid, modifiedAt } from './resource';
import { send, sendEmpty } from './respond';
import { inScope, scopeOf } from './scope';
import type { Service } from './service';
import type { MaybePromise, StoredResource } from './store/store';

/** The resource that a call names; undefined when there is none, or none within the request's scope. */
export function lookUp(service: Service, call: Call): MaybePromise<StoredResource | undefined> {
  if (!isUid(call.uid)) return undefined;
  const stored = service.store.get(collectionOf(call.kind), call.uid);
  return stored instanceof Promise ? stored.then((found) => within(call, found)) : within(call, stored);
}

function within(call: Call, stored: StoredResource | undefined): StoredResource | undefined {
  const scope = scopeOf(call.req);
  if (stored === undefined || scope.length === 0) return stored;
  return inScope(hubOf(call.kind, stored), scope) ? stored : undefined;
}

/** The resource that a call names. Throws HttpProblem 404 when `lookUp` finds none. */
export function find(service: Service, call: Call): MaybePromise<StoredResource> {
  const stored = lookUp(service, call);
  return stored instanceof Promise ? stored.then((found) => known(call, found)) : known(call, stored);
}

function known({ kind, uid }: Call, stored: StoredResource | undefined): StoredResource {
  if (stored !== undefined) return stored;
  throw new HttpProblem(404, `${kind.kind} ${JSON.stringify(uid.slice(0, 64))} was not found.`);
}

/** The headers of every answer that holds a resource. */
export function resourceHeaders(text: string, etag: string, warnings: string[]): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {
    'Content-Type': 'application/json',
    ETag: etag,
    'Last-Modified': formatHttpDate(modifiedAt(text)),
    Vary: 'Accept',
  };
  if (warnings.length > 0) headers['Warning'] = warnings;
  return headers;
}

/** GET of one resource (endpoint 3), with conditions. It makes promises only where there is something to wait for. */
export function get(service: Service, call: Call): void | Promise<void> {
  const version = negotiate(call, undefined);
  const stored = find(service, call);
  if (!(stored instanceof Promise) && !isAsked(call, 'canGet')) return show(service, call, stored, version);
  return showAllowed(service, call, stored, version);
}

async function showAllowed(
  service: Service,
  call: Call,
  found: MaybePromise<StoredResource>,
  version: string,
): Promise<void> {
  const stored = await found;
  if (isAsked(call, 'canGet')) await authorise(call, 'canGet', hubOf(call.kind, stored));
  show(service, call, stored, version);
}

function show(service: Service, call: Call, stored: StoredResource, version: string): void {
  const { req, res, kind, warnings } = call;
  const { text, etag } = represent(kind, stored, version);
  const headers = resourceHeaders(text, etag, warnings);
  if (service.definition.cacheControl !== '') headers['Cache-Control'] = service.definition.cacheControl;
  const outcome = isConditional(req)
    ? evaluateConditions(req, conditionState(call, stored, version))
    : 'proceed';
  refuseUnmet(outcome);
  if (outcome === 304) sendEmpty(res, 304, headers);
  else send(req, res, 200, headers, text);
}

/** What conditions are evaluated against: the tag of the version asked for, and on demand those of the others. */
export function conditionState({ kind }: Call, stored: StoredResource, version: string): CurrentState {
  return {
    etag: represent(kind, stored, version).etag,
    modifiedAt: modifiedAt(stored.text),
    otherTags: () => kind.servedVersions.map((other) => represent(kind, stored, other).etag),
  };
}

/** Throws HttpProblem 412 or 428 for conditions that ask for it. */
export function refuseUnmet(outcome: Outcome): void {
  if (outcome === 412)
    throw new HttpProblem(412, 'A condition of the request does not hold: the resource has changed.');
  if (outcome === 428)
    throw new HttpProblem(428, 'This service requires If-Match on every change of a resource.');
}
