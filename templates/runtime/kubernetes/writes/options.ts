import { type FieldManager, LONGEST_MANAGER } from '../../controllers/field-manager';
import { isObject, type JsonObject } from '../../model/schema';
import { type KubernetesContext, parameter } from '../face/face';
import { badRequest, invalidOption, type KubernetesProblem } from '../status/problem';

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

/**
 * Notes whether a write is a dry run, by its query and by the options in its body. Throws a problem 400 for another value
 * than All.
 */
export function readDryRun(context: KubernetesContext, options: JsonObject = {}): void {
  const listed = options['dryRun'] ?? [];
  const values = [
    ...(context.parameters.get('dryRun') ?? []),
    ...(Array.isArray(listed) ? listed : [listed]),
  ];
  if (values.some((value) => value !== 'All'))
    throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(values)}: supported values: "All"`);
  context.dryRun = values.length > 0;
}

/** Returns the treatment of unknown fields that a request asks for. Throws a problem 400 for one that there is not. */
export function directiveOf(context: KubernetesContext): string {
  const directive = parameter(context, 'fieldValidation') || 'Warn';
  if (['Ignore', 'Warn', 'Strict'].includes(directive)) return directive;
  throw badRequest(
    `fieldValidation: Unsupported value: ${JSON.stringify(directive)}: supported values: "Ignore", "Strict", "Warn"`,
  );
}
