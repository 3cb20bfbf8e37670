import type { KindData, ReferenceField } from '../../templates/runtime/model/kinds/kind-data';
import type { Group, Kind } from '../model/project';
import { Conversions } from './conversions';
import { dataOf } from './kind-data';

/** Returns the declarations of a kind; undefined where it has none. */
export function declaredData(group: Group, kind: Kind): KindData | undefined {
  const own = { ...group, kinds: [kind] };
  return dataOf({ group: own, kind, conversions: new Conversions(own, kind) });
}

/** Returns the references that requests in a version can name, with their paths in it. */
export function referencesIn(
  { references = [], selectable = {} }: KindData,
  hub: string,
  version: string,
): ReferenceField[] {
  return references.flatMap((reference) => {
    if (version === hub) return [reference];
    const own = (selectable[version] ?? []).find((field) => field.reference === reference.path.join('.'));
    return own === undefined ? [] : [{ ...reference, path: own.path }];
  });
}
