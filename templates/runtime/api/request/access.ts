import type { PolicyMethods } from '../../model/kinds/kind';
import { HttpProblem } from '../../model/problem';
import type { Resource } from '../../model/resource';
import type { MaybePromise } from '../../store/store';
import type { RequestContext } from './request-context';

/** A question to a policy, and the request that it is about. */
type Ask = keyof PolicyMethods<Resource>;
type Asking = Pick<RequestContext, 'kind' | 'req' | 'dryRun'>;

/** Details of the refusals of a policy that names no reason (specification, "Errors", 403). */
const REFUSALS: { [ask in Ask]?: string } = {
  canUpdateStatus: 'Forbidden - requires update_status permission',
};

/**
 * Asks the kind's policy. Throws HttpProblem 403 when it refuses; without a policy all is allowed, and there is nothing to
 * wait for.
 */
export function authorise(context: Asking, ask: Ask, resource?: Resource): MaybePromise<void> {
  return isAsked(context, ask) ? askPolicy(context, ask, resource) : undefined;
}

/** Asks about a write of a resource. The policy gets a copy: a change that it makes to the resource must not be written. */
export function authoriseWrite(context: Asking, ask: Ask, resource: Resource): MaybePromise<void> {
  return isAsked(context, ask) ? askPolicy(context, ask, structuredClone(resource)) : undefined;
}

async function askPolicy({ kind, req, dryRun }: Asking, ask: Ask, resource?: Resource): Promise<void> {
  const decision = await kind.hooks.policy?.[ask]?.({ request: req, resource, dryRun });
  // JavaScript may return anything: nothing but an explicit permission allows.
  if (decision?.allowed === true) return;
  const refusal = REFUSALS[ask] ?? 'Forbidden';
  throw new HttpProblem(403, decision?.reason ? `${refusal}: ${decision.reason}` : refusal);
}

/** Returns whether the kind's policy lets the caller get a resource. A policy that throws an HttpProblem refuses. */
export async function mayGet(context: Asking, resource: Resource): Promise<boolean> {
  try {
    await authorise(context, 'canGet', resource);
    return true;
  } catch (error) {
    if (error instanceof HttpProblem) return false;
    throw error;
  }
}

/**
 * Returns whether the kind's policy has this question. The hot path does not parse a resource that nobody asks about.
 */
export function isAsked({ kind }: Pick<RequestContext, 'kind'>, ask: Ask): boolean {
  return kind.hooks.policy?.[ask] !== undefined;
}
