import { turnOfLarge } from '../../concurrency/large-work';
import { evaluateConditions, refuseUnmet } from '../../http/headers/conditional';
import { idempotencyKeyOf } from '../../idempotency/keyed-request';
import { collectionOf, type KindDefinition } from '../../model/kinds/kind';
import { versioningOf } from '../../model/kinds/versioning';
import { type Failure, HttpProblem, wrongType } from '../../model/problem';
import type { Resource } from '../../model/resource';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import { newUid } from '../../model/uid';
import type { Service } from '../../service/service';
import { admit, invalid } from '../../validation/admission';
import { authorise } from '../request/access';
import { JSON_BODY, withBody, withPatch } from '../request/body';
import { scopedLabels, scopeOf } from '../request/label-scope';
import {
  checkEnvelope,
  checkKind,
  type ClientMetadata,
  formerMembers,
  newMetadata,
  readMetadata,
} from '../request/metadata';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';
import { change, type Draft } from './change';
import { checkCustom } from './custom-checks';
import { writeOrJudge } from './dry-run';
import { preservedAfter } from './field-owners';
import { type Current, judgeSent } from './judge-sent';
import { createKeyed } from './keyed-create';
import { newStateOf } from './new-state';
import { sendWritten, type Written, writtenResponse } from './written';

/** POST to a collection (endpoint 1). */
export function create(service: Service, context: RequestContext): Promise<void> {
  const key = idempotencyKeyOf(context.req);
  if (key !== undefined && context.dryRun !== true) return createKeyed(service, context, key, createAndSend);
  return withBody(service, context, JSON_BODY, async (body) => {
    const version = negotiate(context, body);
    await authorise(context, 'canCreate');
    await createAndSend(service, context, version, body);
  });
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

/** PUT of one resource (endpoint 4): the spec is replaced, the status stays. */
export function replace(service: Service, context: RequestContext): Promise<void> {
  return withBody(service, context, JSON_BODY, async (body) => {
    const version = negotiate(context, body);
    const created = context.kind.data && service.data?.createNamed(context, version, body);
    if (created !== undefined) return created;
    const written = await change(service, context, { version, part: 'spec' }, (shown, stored) => {
      const { labels, annotations, finalizers, ownerReferences } = shown.metadata;
      const { client, spec } = readResource(service, context, version, body, { shown, stored });
      return { client: { labels, annotations, finalizers, ownerReferences, ...client }, fields: spec };
    });
    sendWritten(context, written);
  });
}

/** PATCH of one resource (endpoint 5). It applies to the whole document; the server restores the members it owns. */
export function applyPatch(service: Service, context: RequestContext): Promise<void> {
  return withPatch(service, context, async (body, patch) => {
    const version = negotiate(context, body);
    const written = await change(service, context, { version, part: 'spec' }, (shown, stored) => {
      const patched = patch(shown as unknown as JsonObject);
      const read = (): Draft => readPatched(service, context, version, patched, { shown, stored });
      return context.large === true ? turnOfLarge().then(read) : read();
    });
    sendWritten(context, written);
  });
}

function readPatched(
  service: Service,
  context: RequestContext,
  version: string,
  patched: Json,
  current: Current,
): Draft {
  if (!isObject(patched) || !isObject(patched['spec'])) {
    throw new HttpProblem(500, 'The patched document is not a resource: its spec is not an object.');
  }
  const document = { ...patched, kind: context.kind.kind };
  const { client, spec } = readResource(service, context, version, document, current);
  return { client, fields: spec };
}

/**
 * Reads a resource that a client sent, and checks its fields by the rules of `version`. Throws HttpProblem 400 for
 * another kind, for a spec that is no object, and for failures that the validation mode refuses.
 */
export function readResource(
  service: Service,
  context: RequestContext,
  version: string,
  body: Json,
  current: Current | undefined,
): { client: ClientMetadata; spec: JsonObject } {
  if (!isObject(body)) throw new HttpProblem(400, 'The body must be a JSON object.');
  const { kind } = context;
  const { shown, stored } = current ?? {};
  checkKind(kind, body);
  const spec = body['spec'] ?? null;
  if (spec === null) throw invalid([{ pointer: '/spec', rule: 'required', detail: 'spec is required' }]);
  if (!isObject(spec)) throw invalid([wrongType('/spec', 'an object')]);
  const failures: Failure[] = [];
  checkEnvelope(kind, body, failures);
  const generates = kind.data?.uniqueNames === true || shown?.metadata.generateName !== undefined;
  const names = generates ? (['name', 'generateName'] as const) : (['name'] as const);
  const more = service.lifecycle ?? formerMembers(shown?.metadata);
  const client = readMetadata(body['metadata'], failures, names, more);
  const write = { version, part: 'spec', fields: spec } as const;
  failures.push(...admit(service, kind, write, shown?.spec));
  const sent = { version, part: 'spec', fields: spec, client, shown } as const;
  judgeSent(service, context, sent, stored, failures);
  return { client, spec };
}
