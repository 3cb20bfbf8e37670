import { namesVersion } from '../../http/headers/accept';
import { actorOf } from '../../http/security/actor';
import { keyedRequest, noteVersion } from '../../idempotency/keyed-request';
import { collectionOf } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import type { Json } from '../../model/schema';
import type { Service } from '../../service/service';
import { authorise } from '../request/access';
import { JSON_BODY, withBody } from '../request/body';
import { scopeOf } from '../request/label-scope';
import { negotiate } from '../request/negotiate';
import type { RequestContext } from '../request/request-context';

/** Creates a resource from a body, and responds. */
type Creating = (service: Service, context: RequestContext, version: string, body: Json) => Promise<void>;

/**
 * POST to a collection with an Idempotency-Key: the first response again, or else that of `create`. Authorisation is checked
 * before the key, and everything about the content after it. Throws HttpProblem 422 for a key of another request.
 */
export async function createKeyed(
  service: Service,
  context: RequestContext,
  key: string,
  create: Creating,
): Promise<void> {
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
      await service.repeats.once(exchange, () => create(service, context, version, body));
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
