import { type KubernetesCall, parameter } from '../face/face';
import { badRequest } from '../status/problem';
import { fieldManager, invalidManager } from '../writes/manager';

/** Options of a server-side apply. */
interface ApplyOptions {
  manager: string;
  force: boolean;
}

/** Reads the options of a server-side apply. Throws a problem 422 without a manager, and 400 for another `force`. */
export function applyOptions(context: KubernetesCall): ApplyOptions {
  const manager = fieldManager(context);
  if (manager === undefined) throw invalidManager('Required', 'is required for apply patch');
  const force = parameter(context, 'force') || 'false';
  if (!['true', 'false', '1', '0'].includes(force))
    throw badRequest(`force: Invalid value: ${JSON.stringify(force)}: must be true or false`);
  return { manager, force: force === 'true' || force === '1' };
}
