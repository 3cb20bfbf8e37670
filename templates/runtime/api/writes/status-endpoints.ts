import { hubStateOf } from '../../model/kinds/versioning';
import { type Failure, HttpProblem, wrongType } from '../../model/problem';
import { isObject, type Json, type JsonObject } from '../../model/schema';
import type { Patch } from '../../patch/apply-patch';
import type { Service } from '../../service/service';
import { admit, invalid, isFirstStatus } from '../../validation/admission';
import { JSON_BODY, withBody, withPatch } from '../request/body';
import { checkEnvelope, checkKind } from '../request/metadata';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';
import { change } from './change';
import { type Current, judgeSent } from './judge-sent';
import { sendWritten } from './written';

/** PUT of `/status` (endpoint 7): the status is replaced, the spec stays. */
export function replaceStatus(service: Service, context: RequestContext): Promise<void> {
  return withBody(service, context, JSON_BODY, async (body) => {
    const version = negotiate(context, body);
    const written = await change(service, context, { version, part: 'status' }, (shown, stored) => {
      if (!isObject(body)) throw new HttpProblem(400, 'The body must be a JSON object with a status.');
      checkKind(context.kind, body);
      const failures: Failure[] = [];
      checkEnvelope(context.kind, body, failures);
      const status = body['status'];
      return { fields: readStatus(service, context, { version, shown, stored, status, failures }) };
    });
    sendWritten(context, written);
  });
}

/**
 * PATCH of `/status` (endpoint 8), in all three formats. It applies to the whole document, of which only the status is
 * written. A merge patch without a `status` member is read as a bare status.
 */
export function patchStatus(service: Service, context: RequestContext): Promise<void> {
  const patchFrom = async (body: Json, patch: Patch): Promise<void> => {
    const version = negotiate(context, body);
    const written = await change(service, context, { version, part: 'status' }, (shown, stored) => {
      const patched = patch({ status: {}, ...shown } as unknown as JsonObject);
      const status = isObject(patched) ? patched['status'] : undefined;
      return { fields: readStatus(service, context, { version, shown, stored, status }) };
    });
    sendWritten(context, written);
  };
  return withPatch(service, context, patchFrom, { prepare: wrapBareStatus });
}

function wrapBareStatus(type: string, body: Json): Json {
  if (type !== 'application/merge-patch+json' || !isObject(body) || Object.hasOwn(body, 'status'))
    return body;
  const { apiVersion, ...status } = body;
  return apiVersion === undefined ? { status } : { apiVersion, status };
}

/** A status that a client sent. */
interface SentStatus extends Current {
  version: string;
  status: Json | undefined;
  /** Failures in the rest of the body. */
  failures?: Failure[];
}

/**
 * Reads a status that a client sent, and checks its fields by the rules of `version`. Throws HttpProblem 400 for a status that is
 * no object, and for failures that the validation mode refuses.
 */
export function readStatus(
  service: Service,
  context: RequestContext,
  { version, shown, stored, status, failures = [] }: SentStatus,
): JsonObject {
  if (!isObject(status)) throw invalid([wrongType('/status', 'an object')]);
  const { kind } = context;
  if (kind.history !== undefined) delete status['version'];
  const write = { version, part: 'status', fields: status } as const;
  const isFirst = () => isFirstStatus(kind, hubStateOf(kind, stored).hub);
  failures.push(...admit(service, kind, write, shown.status, isFirst));
  judgeSent(service, context, { shown, ...write }, stored, failures);
  return status;
}
