import type { Decision, PolicyContext } from '../generated';
import { claimsOf } from '../middleware/bearer-token';

/** Permissions of each role, for all kinds: `update` covers the spec, `update_status` the status. */
const ROLES: { [role: string]: readonly string[] | undefined } = {
  user: ['update'],
  controller: ['update_status'],
  admin: ['update', 'update_status', 'manage_dead_letters'],
};

/** Returns a policy method that allows callers whose token has a role with `permission`, such as `devices:update_status`. */
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
