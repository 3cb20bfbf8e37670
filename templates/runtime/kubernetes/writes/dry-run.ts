import { isObject, type Json } from '../../model/schema';
import type { KubernetesContext } from '../face/face';
import { badRequest } from '../status/problem';

/** Notes whether a write is a dry run, by its query and by the options in its body. Throws a problem 400 for another value than All. */
export function readDryRun(context: KubernetesContext, options: Json = null): void {
  const listed = isObject(options) ? (options['dryRun'] ?? []) : [];
  const values = [
    ...(context.parameters.get('dryRun') ?? []),
    ...(Array.isArray(listed) ? listed : [listed]),
  ];
  if (values.some((value) => value !== 'All'))
    throw badRequest(`dryRun: Unsupported value: ${JSON.stringify(values)}: supported values: "All"`);
  context.dryRun = values.length > 0;
}
