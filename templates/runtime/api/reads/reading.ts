import type { OutgoingHttpHeaders } from 'node:http';
import { LARGE, noteLarge, turnOfLarge } from '../../concurrency/large-work';
import {
  type CurrentState,
  evaluateConditions,
  isConditional,
  refuseUnmet,
} from '../../http/headers/conditional';
import { formatHttpDate } from '../../http/headers/http-date';
import { storedCost } from '../../http/request/json-body';
import { expandedNames, parseQuery } from '../../http/request/query';
import { send, sendEmpty } from '../../http/responses/respond';
import type { MoreMemory } from '../../memory/memory-budget';
import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import { isUid, modifiedAt } from '../../model/resource';
import type { Service } from '../../service/service';
import type { MaybePromise, StoredResource } from '../../store/store';
import { lengthOf } from '../../store/stored-resource';
import { authorise, isAsked } from '../request/access';
import { addCaching } from '../request/caching';
import { inScope, scopeOf } from '../request/label-scope';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';
import { expansionOf } from './expansion';
import { hubOf, represent } from './representation';

/** Returns the stored resource with a uid, or with a name in a kind with unique names; undefined where there is none. */
export function findStored(
  { data, store }: Pick<Service, 'data' | 'store'>,
  kind: KindDefinition,
  uidOrName: string,
): MaybePromise<StoredResource | undefined> {
  if (kind.data?.uniqueNames === true) return data?.find(kind, uidOrName);
  return isUid(uidOrName) ? store.get(collectionOf(kind), uidOrName) : undefined;
}

/** Returns the resource that a request names; undefined when there is none within the request's scope. */
export function lookUp(service: Service, context: RequestContext): MaybePromise<StoredResource | undefined> {
  const stored = findStored(service, context.kind, context.uidOrName);
  return stored instanceof Promise ? stored.then((found) => within(context, found)) : within(context, stored);
}

/** Returns a stored resource, unless it is outside the request's scope. */
export function within(
  context: RequestContext,
  stored: StoredResource | undefined,
): StoredResource | undefined {
  const scope = scopeOf(context.req);
  if (stored === undefined || scope.length === 0) return stored;
  return inScope(hubOf(context.kind, stored).metadata, scope) ? stored : undefined;
}

/** Returns the resource that a request names. Throws HttpProblem 404 when `lookUp` finds none. */
function find(service: Service, context: RequestContext): MaybePromise<StoredResource> {
  const stored = lookUp(service, context);
  return stored instanceof Promise ? stored.then((found) => known(context, found)) : known(context, stored);
}

function known({ kind, uidOrName }: RequestContext, stored: StoredResource | undefined): StoredResource {
  if (stored !== undefined) return stored;
  throw new HttpProblem(404, `${kind.kind} ${JSON.stringify(uidOrName.slice(0, 64))} was not found.`);
}

/** Returns the resource as this process remembers it: others may have written it since. Otherwise as `find` does. */
function recall(service: Service, context: RequestContext): MaybePromise<StoredResource> {
  const remembered = service.store.remembered?.(collectionOf(context.kind), context.uidOrName);
  return within(context, remembered) ?? find(service, context);
}

/**
 * Calls `action` with the resource that a request names, while memory is reserved for `copies` of it as an object. A
 * large resource waits for its turn. It may be one that others have replaced where `mayBeOld` says so. Throws HttpProblem
 * 404, and 413 and 503 where there is no memory.
 */
export function withStored<T>(
  service: Service,
  context: RequestContext,
  copies: number,
  action: (stored: StoredResource, more: MoreMemory) => Promise<T>,
  mayBeOld = false,
): Promise<T> {
  const read = (): MaybePromise<StoredResource> => (mayBeOld ? recall : find)(service, context);
  const cost = (stored: StoredResource): number => copies * storedCost(stored);
  const inTurn = (stored: StoredResource, more: MoreMemory): Promise<T> =>
    lengthOf(stored) < LARGE ? action(stored, more) : turnOfLarge().then(() => action(stored, more));
  return service.memory.spend('stored', context.res, { read, cost, action: inTurn });
}

/**
 * Asks the policy about the resource that a request names, and calls `action` with it. Throws what `withStored` throws,
 * and 403.
 */
export async function withAllowed<T>(
  service: Service,
  context: RequestContext,
  ask: 'canGet' | 'canUpdate',
  action: (stored: StoredResource) => MaybePromise<T>,
): Promise<T> {
  if (!isAsked(context, ask)) return action(await find(service, context));
  // The text of a large resource is in memory too, to be sent.
  return withStored(service, context, 2, async (stored) => {
    await authorise(context, ask, hubOf(context.kind, stored));
    return action(stored);
  });
}

/** Returns the headers of every response that holds a resource. */
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

/**
 * GET of one resource (endpoint 3), with conditions, and with the targets of references on request. It makes promises only where
 * there is something to wait for.
 */
export function get(service: Service, context: RequestContext): void | Promise<void> {
  const version = negotiate(context, undefined);
  const names = context.query === '' ? [] : expandedNames(parseQuery(context.query));
  if (names.length > 0) return expansionOf(service, context, version, names).show();
  return sendAllowed(service, context, 2, (stored) => show(service, context, stored, version));
}

/** Sends a resource. */
type Sending = (stored: StoredResource) => void;

/**
 * Calls `sending` with the resource that a request names, if the policy allows it. A large one is sent in its turn, when there
 * is memory for `copies` of it; it is not held until then, but read again. Throws what `withAllowed` throws.
 */
export function sendAllowed(
  service: Service,
  context: RequestContext,
  copies: number,
  sending: Sending,
): void | Promise<void> {
  if (isAsked(context, 'canGet')) return withAllowed(service, context, 'canGet', sending);
  const nowOrLater = (stored: StoredResource): void | Promise<void> =>
    lengthOf(stored) < LARGE
      ? sending(stored)
      : sendLater(service, context, copies * lengthOf(stored), sending);
  const stored = find(service, context);
  return stored instanceof Promise ? stored.then(nowOrLater) : nowOrLater(stored);
}

async function sendLater(
  service: Service,
  context: RequestContext,
  bytes: number,
  sending: Sending,
): Promise<void> {
  noteLarge();
  const reserved = await service.memory.reserve('response', bytes, context.res);
  let stored: StoredResource;
  try {
    await turnOfLarge();
    stored = await find(service, context);
  } finally {
    // The server reserves memory for what the client does not take at once.
    reserved.release();
  }
  sending(stored);
}

function show(service: Service, context: RequestContext, stored: StoredResource, version: string): void {
  const { req, res, kind, warnings } = context;
  const { text, etag } = represent(kind, stored, version);
  const headers = resourceHeaders(text, etag, warnings);
  addCaching(service, context, headers);
  const outcome = isConditional(req)
    ? evaluateConditions(req, conditionState(context, stored, version))
    : 'proceed';
  refuseUnmet(outcome);
  if (outcome === 304) return sendEmpty(res, 304, headers);
  send(req, res, 200, headers, text);
}

/**
 * Throws HttpProblem 412 and 428 where the conditions of a request refuse it on a stored resource. Nearly no request has any,
 * and then the resource is not represented for its tag.
 */
export function refuseConditions(
  context: RequestContext,
  stored: StoredResource,
  version: string,
  requireIfMatch = false,
): void {
  const { req } = context;
  if (!requireIfMatch && !isConditional(req)) return;
  refuseUnmet(evaluateConditions(req, conditionState(context, stored, version), requireIfMatch));
}

/**
 * Returns the state that conditions are evaluated against: the tag of the requested version, and on demand those of the
 * others.
 */
function conditionState({ kind }: RequestContext, stored: StoredResource, version: string): CurrentState {
  return {
    etag: represent(kind, stored, version).etag,
    modifiedAt: () => modifiedAt(stored.text),
    otherTags: () => kind.servedVersions.map((other) => represent(kind, stored, other).etag),
  };
}
