import { turnOfLarge } from '../../concurrency/large-work';
import { type Failure, HttpProblem, wrongType } from '../../model/problem';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import type { Service } from '../../service/service';
import { admit, invalid } from '../../validation/admission';
import { JSON_BODY, withBody, withPatch } from '../request/body';
import {
  checkEnvelope,
  checkKind,
  type ClientMetadata,
  formerMembers,
  readMetadata,
} from '../request/metadata';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';
import { change, type Draft } from './change';
import { type Current, judgeSent } from './judge-sent';
import { sendWritten } from './written';

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
