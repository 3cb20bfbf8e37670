import type { KindVersion } from '../model';
import { lastName } from './path';
import { parseRules } from './parse-rules';

/**
 * The names of fields that a client of a spoke may leave out even where they are required, since a rule `default` of
 * the version supplies them. Fields elsewhere may have the same names.
 */
export function suppliedFields(
  { conversion }: Pick<KindVersion, 'conversion'>,
  types: string[],
): Set<string> {
  const rules = parseRules(conversion, types, () => undefined);
  const defaults = rules.filter(({ name }) => name === 'default');
  const names = new Set(defaults.flatMap(({ hub, spoke }) => [...hub, ...spoke]).map(lastName));
  for (const { hub, spoke } of rules) {
    if (hub.some((path) => names.has(lastName(path)))) spoke.forEach((path) => names.add(lastName(path)));
  }
  return names;
}
