import type { Call } from './call';
import type { Policy } from './kind';
import { HttpProblem } from './problem';
import type { Resource } from './resource';

/** What is said when a policy refuses without a reason (requirement, "Errors", 403). */
const REFUSALS: { [ask in keyof Policy<Resource>]?: string } = {
  canUpdateStatus: 'Forbidden - requires update_status permission',
};

/** Asks the kind's policy. Throws HttpProblem 403 when it refuses; without a policy all is allowed. */
export async function authorise(
  { kind, req }: Pick<Call, 'kind' | 'req'>,
  ask: keyof Policy<Resource>,
  resource?: Resource,
): Promise<void> {
  const decision = await kind.hooks.policy?.[ask]?.({ request: req, resource });
  if (decision === undefined || decision.allowed) return;
  const refusal = REFUSALS[ask] ?? 'Forbidden';
  throw new HttpProblem(403, decision.reason ? `${refusal}: ${decision.reason}` : refusal);
}

/** Whether the kind's policy has this question; the hot path does not parse a resource that nobody asks about. */
export function isAsked({ kind }: Pick<Call, 'kind'>, ask: keyof Policy<Resource>): boolean {
  return kind.hooks.policy?.[ask] !== undefined;
}
