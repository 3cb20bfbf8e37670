import { lookUp, withAllowed } from '../api/reads/reading';
import { authorise } from '../api/request/access';
import type { RequestContext } from '../api/request/request-context';
import { createAtName, createOrChange } from '../api/writes/create-or-change';
import { sendWritten } from '../api/writes/written';
import { refuseUnmet } from '../http/headers/conditional';
import { isObject, type Json } from '../model/schema';
import type { Service } from '../service/service';
import { invalid } from '../validation/admission';

/**
 * Creates the resource that a PUT names, and responds; undefined for a PUT that does not demand by `If-None-Match: *` that its name
 * is new. Throws HttpProblem: 412 where there is one of this name.
 */
export function createNamed(
  service: Service,
  context: RequestContext,
  version: string,
  body: Json,
): Promise<void> | undefined {
  const { kind, req } = context;
  if (kind.data?.uniqueNames !== true || req.headers['if-none-match']?.trim() !== '*') return undefined;
  return createOrChange(service, context, async () => {
    if ((await lookUp(service, context)) !== undefined)
      return withAllowed(service, context, 'canUpdate', () => refuseUnmet(412));
    await authorise(context, 'canCreate');
    const written = await createAtName(service, context, version, withName(body, context.uidOrName));
    if (written === undefined) refuseUnmet(412);
    else sendWritten(context, written);
  });
}

/** Returns a body with the name of its path. Throws HttpProblem 400 for a body with another. */
function withName(body: Json, name: string): Json {
  const metadata = isObject(body) ? (body['metadata'] ?? {}) : undefined;
  // Anything else is refused when it is read.
  if (!isObject(body) || !isObject(metadata)) return body;
  const given = metadata['name'] ?? name;
  if (given === name) return { ...body, metadata: { ...metadata, name } };
  const detail = `metadata.name must be ${JSON.stringify(name.slice(0, 253))}, as in the path`;
  throw invalid([{ pointer: '/metadata/name', rule: 'name', detail }]);
}
