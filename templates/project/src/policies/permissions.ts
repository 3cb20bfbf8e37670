import type { Decision, PolicyContext } from '../generated/runtime/kind';
import { claimsOf } from '../middleware/bearer-token';

/** What each role may do with resources of any kind: `update` their spec, `update_status` their status. */
const ROLES: { [role: string]: readonly string[] | undefined } = {
  user: ['update'],
  controller: ['update_status'],
  admin: ['update', 'update_status'],
};

/** Answers a policy: whether the caller's token has a role with a permission such as `devices:update_status`. */
export function requires(permission: string): (context: PolicyContext<unknown>) => Decision {
  const verb = permission.slice(permission.indexOf(':') + 1);
  return ({ request }) => {
    const roles: unknown = claimsOf(request)?.roles;
    const allowed = Array.isArray(roles) && roles.some((role) => permits(role, verb));
    return allowed ? { allowed } : { allowed, reason: `${permission} is not among your permissions` };
  };
}

function permits(role: unknown, verb: string): boolean {
  return typeof role === 'string' && Object.hasOwn(ROLES, role) && ROLES[role]!.includes(verb);
}
