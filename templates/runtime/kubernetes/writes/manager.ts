import { type FieldManager, LONGEST_MANAGER } from '../../controllers/field-manager';
import { isObject, type JsonObject } from '../../model/schema';
import { type KubernetesContext, parameter } from '../face/face';
import { invalidOption, type KubernetesProblem } from '../status/problem';

/**
 * Returns the manager that writes an object as a whole or by a patch: that of the query, otherwise the first word of the
 * User-Agent. `metadata` is that of the object.
 */
export function updatingManager(context: KubernetesContext, metadata: JsonObject = {}): FieldManager {
  const name = fieldManager(context) ?? agentOf(context);
  const { managedFields } = metadata;
  const sent = Array.isArray(managedFields) ? managedFields.filter(isObject) : [];
  return { name, ...(sent.length > 0 && { sent }) };
}

/** Returns the `fieldManager` of the query; undefined without one. Throws a problem 422 for one that is no name. */
export function fieldManager(context: KubernetesContext): string | undefined {
  const name = parameter(context, 'fieldManager') || undefined;
  if (name === undefined || (name.length <= LONGEST_MANAGER && !/\p{C}/u.test(name))) return name;
  const shown = JSON.stringify(name.slice(0, LONGEST_MANAGER));
  throw invalidManager('Invalid', `${shown}: must be at most ${LONGEST_MANAGER} printable characters`);
}

/** Returns the problem 422 of the `fieldManager` of a write. */
export function invalidManager(reason: 'Invalid' | 'Required', why: string): KubernetesProblem {
  return invalidOption('PatchOptions', 'fieldManager', reason, `${reason} value: ${why}`);
}

function agentOf({ req }: KubernetesContext): string {
  const [word] = (req.headers['user-agent'] ?? '').split('/');
  return word.replaceAll(/\p{C}/gu, '').slice(0, LONGEST_MANAGER) || 'unknown';
}
