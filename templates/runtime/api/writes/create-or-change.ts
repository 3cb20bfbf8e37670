import { HttpProblem } from '../../model/problem';
import type { Service } from '../../service/service';
import type { RequestContext } from '../request/request-context';
import { MAX_ATTEMPTS, tooManyWrites } from './change';

/**
 * Calls `write`, which creates the resource that a request names or changes it, again where others have deleted or created
 * it in between. Throws what `write` throws, and HttpProblem 503 where others do so again and again.
 */
export async function createOrChange<T>(
  service: Service,
  context: RequestContext,
  write: () => Promise<T>,
): Promise<T> {
  const before = context.warnings.length;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    context.warnings.length = before;
    try {
      return await write();
    } catch (error) {
      if (!(await isOvertaken(service, context, error))) throw error;
    }
  }
  throw tooManyWrites();
}

/** Returns whether a resource was deleted before its change, or between its create, which its name refused, and now. */
async function isOvertaken(
  { data }: Service,
  { kind, uid }: RequestContext,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof HttpProblem)) return false;
  if (error.status === 404) return true;
  const isTaken =
    error.status === 409 && error.extras.errors?.some(({ pointer }) => pointer === '#/metadata/name');
  return isTaken === true && (await data?.find(kind, uid)) === undefined;
}
