import { admit, invalid, judge } from './admission';
import { JSON_BODY, readBody, readPatch } from './body';
import type { Call } from './call';
import { change } from './change';
import { checkEnvelope, checkKind } from './metadata';
import { negotiate } from './negotiate';
import { HttpProblem, type Failure } from './problem';
import type { Resource } from './resource';
import { isObject, type Json, type JsonObject } from './schema';
import type { Service } from './service';

/** PUT of `/status` (endpoint 7): the status is replaced, the spec stays. */
export async function replaceStatus(service: Service, call: Call): Promise<void> {
  const body = await readBody(call.req, JSON_BODY, service.settings);
  const version = negotiate(call, body);
  await change(service, call, { version, part: 'status' }, (shown) => {
    if (!isObject(body)) throw new HttpProblem(400, 'The body must be a JSON object with a status.');
    checkKind(call.kind, body);
    const failures: Failure[] = [];
    checkEnvelope(body, failures);
    return { fields: readStatus(service, call, version, shown, body['status'], failures) };
  });
}

/**
 * PATCH of `/status` (endpoint 8), in all three formats, on the whole document; only the status is kept.
 * A merge patch without a `status` member is read as a bare status.
 */
export async function patchStatus(service: Service, call: Call): Promise<void> {
  const { body, patch } = await readPatch(call.req, service.settings, wrapBareStatus);
  const version = negotiate(call, body);
  await change(service, call, { version, part: 'status' }, (shown) => {
    const patched = patch.apply({ status: {}, ...shown } as unknown as JsonObject);
    const status = isObject(patched) ? patched['status'] : undefined;
    return { fields: readStatus(service, call, version, shown, status, []) };
  });
}

function wrapBareStatus(type: string, body: Json): Json {
  if (type !== 'application/merge-patch+json' || !isObject(body) || Object.hasOwn(body, 'status'))
    return body;
  const { apiVersion, ...status } = body;
  return apiVersion === undefined ? { status } : { apiVersion, status };
}

function readStatus(
  service: Service,
  { kind, warnings }: Call,
  version: string,
  shown: Resource,
  status: Json | undefined,
  failures: Failure[],
): JsonObject {
  if (!isObject(status))
    throw invalid([{ pointer: '/status', rule: 'type', detail: 'status must be an object' }]);
  if (kind.history !== undefined) delete status['version'];
  failures.push(...admit(kind, version, 'status', status, shown.status));
  judge(service.definition, failures, warnings);
  return status;
}
