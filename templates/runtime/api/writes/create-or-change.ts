import { refuseUnmet } from '../../http/headers/conditional';
import { HttpProblem } from '../../model/problem';
import type { Json } from '../../model/schema';
import type { Service } from '../../service/service';
import { lookUp, within } from '../reads/reading';
import type { RequestContext } from '../request/request-context';
import { untilWritten } from './change';
import { createFrom } from './creating';
import type { Written } from './written';

/**
 * Calls `write`, which creates or changes the resource that a request names, and repeats it if another request has
 * deleted or created the resource meanwhile. Throws the errors of `write`, and HttpProblem 503 after too many attempts.
 */
export async function createOrChange<T>(
  service: Service,
  context: RequestContext,
  write: () => Promise<T>,
): Promise<T> {
  const { result } = await untilWritten(context, async () => {
    try {
      return { result: await write() };
    } catch (error) {
      if (!(await isOvertaken(service, context, error))) throw error;
      return undefined;
    }
  });
  return result;
}

/**
 * Returns whether a resource was deleted before its change, or created by others before its create. One outside the request's scope
 * stays there.
 */
async function isOvertaken({ data }: Service, context: RequestContext, error: unknown): Promise<boolean> {
  const { kind, uidOrName } = context;
  if (!(error instanceof HttpProblem)) return false;
  if (error.status === 404) return true;
  const isTaken =
    error.status === 409 && error.extras.errors?.some(({ pointer }) => pointer === '#/metadata/name');
  if (isTaken !== true) return false;
  const stored = await data?.find(kind, uidOrName);
  return stored === undefined || within(context, stored) !== undefined;
}

/**
 * Creates the resource that a request names. Returns undefined where it is there meanwhile. Throws the errors of `createFrom`, and
 * HttpProblem 412 for `If-Match`: nothing had the name, so that even `*` fails.
 */
export async function createAtName(
  service: Service,
  context: RequestContext,
  version: string,
  body: Json,
): Promise<Written | undefined> {
  if (context.req.headers['if-match'] !== undefined) refuseUnmet(412);
  try {
    return await createFrom(service, context, version, body);
  } catch (error) {
    const isTaken = error instanceof HttpProblem && error.status === 409;
    if (isTaken && (await lookUp(service, context)) !== undefined) return undefined;
    throw error;
  }
}
