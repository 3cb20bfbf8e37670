import { turnOfLarge } from '../../concurrency/large-work';
import { namesVersion } from '../../http/headers/accept';
import { evaluateConditions, refuseUnmet } from '../../http/headers/conditional';
import { actorOf } from '../../http/security/actor';
import { idempotencyKeyOf, keyedRequest, noteVersion } from '../../idempotency/keyed-request';
import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import { versioningOf } from '../../model/kinds/versioning';
import { HttpProblem } from '../../model/problem';
import type { Resource } from '../../model/resource';
import type { Json, JsonObject } from '../../model/schema';
import { newUid } from '../../model/uid';
import type { Service } from '../../service/service';
import { authorise } from '../request/access';
import { JSON_BODY, withBody } from '../request/body';
import { scopedLabels, scopeOf } from '../request/label-scope';
import { type ClientMetadata, newMetadata } from '../request/metadata';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';
import { checkCustom } from './custom-checks';
import { writeOrJudge } from './dry-run';
import { preservedAfter } from './field-owners';
import { newStateOf } from './new-state';
import { readResource } from './writing';
import { sendWritten, type Written, writtenResponse } from './written';

/** POST to a collection (endpoint 1). */
export function create(service: Service, context: RequestContext): Promise<void> {
  const key = idempotencyKeyOf(context.req);
  if (key !== undefined && context.dryRun !== true) return createKeyed(service, context, key);
  return withBody(service, context, JSON_BODY, async (body) => {
    const version = negotiate(context, body);
    await authorise(context, 'canCreate');
    await createAndSend(service, context, version, body);
  });
}

/**
 * POST to a collection with an Idempotency-Key: the first response again, or else that of a create. Authorisation is checked
 * before the key, and everything about the content after it. Throws HttpProblem 422 for a key of another request.
 */
async function createKeyed(service: Service, context: RequestContext, key: string): Promise<void> {
  const { kind, req } = context;
  const owner = { kind: collectionOf(kind), scope: scopeOf(req), actor: actorOf(req) };
  const keyed = keyedRequest(req.originalUrl, key, owner);
  context.keyed = keyed;
  let isRead = false;
  try {
    await withBody(service, context, JSON_BODY, async (body) => {
      const version = negotiate(context, body);
      isRead = true;
      await authorise(context, 'canCreate');
      noteVersion(keyed, namesVersion(req.headers.accept) ? version : undefined);
      const exchange = { req, res: context.res, keyed };
      await service.repeats.once(exchange, () => createAndSend(service, context, version, body));
    });
  } catch (error) {
    // A body that is not JSON, or in an unknown version, differs from that of the first request.
    if (!(error instanceof HttpProblem) || error.status >= 500 || isRead || keyed.body === undefined)
      throw error;
    await authorise(context, 'canCreate');
    await service.repeats.repeat(context);
    throw error;
  }
}

async function createAndSend(
  service: Service,
  context: RequestContext,
  version: string,
  body: Json,
): Promise<void> {
  refuseUnmet(evaluateConditions(context.req, undefined));
  const written = await createFrom(service, context, version, body);
  if (written !== undefined) sendWritten(context, written);
}

/**
 * Creates a resource from a body, for a caller who may. Returns undefined where the first response to a repeated create was
 * sent instead. Throws HttpProblem.
 */
export async function createFrom(
  service: Service,
  context: RequestContext,
  version: string,
  body: Json,
): Promise<Written | undefined> {
  const { kind } = context;
  const { client: sent, spec } = readResource(service, context, version, body, undefined);
  const write = { version, part: 'spec', fields: spec } as const;
  const { fields, aside } = versioningOf(kind).writeThrough(
    service,
    kind,
    write,
    undefined,
    context.warnings,
  );
  sent.labels = scopedLabels(sent.labels, scopeOf(context.req));
  for (let generated = 0; ;) {
    const client = kind.data === undefined ? sent : (service.data?.namedMetadata(kind, sent) ?? sent);
    if (client !== sent) generated++;
    const resource = newResource(service, kind, client, fields);
    const written = { version, part: 'spec', sent: spec, aside, before: undefined, resource } as const;
    const preserved = preservedAfter(service, context, written);
    await checkCustom(service, context, version, { hub: resource, preserved }, undefined);
    if (context.large === true) await turnOfLarge();
    const state = newStateOf(service, context, resource, { cause: 'created', preserved, version });
    const labels = resource.metadata.labels ?? {};
    const response = writtenResponse(context, 201, state, version);
    const keyed = service.repeats.storable(context, response.headers, response.text);
    const creation = { action: 'create', kind: collectionOf(kind), labels, keyed, ...state } as const;
    const result = await writeOrJudge(service, context, creation);
    if (result === 'done') return response;
    if (await service.repeats.repeat(context)) return undefined;
    if (typeof result === 'object')
      await service.data?.refuse(context, { version, resource, index: state.index, generated }, result);
  }
}

/** Returns a resource with a new uid, in the storage version. */
function newResource(
  service: Service,
  { group, kind, storageVersion, uidPrefix }: KindDefinition,
  client: ClientMetadata,
  spec: JsonObject,
): Resource {
  const metadata = newMetadata(client, newUid(uidPrefix), service.now());
  return { apiVersion: `${group}/${storageVersion}`, kind, metadata, spec, status: {} };
}
