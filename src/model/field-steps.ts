import { fieldsAlong } from './fields';
import type { Field, KindVersion, SharedType } from './project';

/** The place of a field below its version in project.yaml. */
interface FieldSteps {
  /** Keys; for a field of a shared type, those of the field that has the type. */
  steps: string[];
  field: Field;
  /** The shared type that declares the field; undefined where the version does. */
  sharedType: string | undefined;
}

/** Returns where a field of a version, such as `['spec', 'size', 'width']`, is declared. Throws for an unknown field. */
export function fieldSteps(
  version: Pick<KindVersion, 'spec' | 'status'>,
  [root, ...names]: readonly string[],
  types: SharedType[],
): FieldSteps {
  const along = fieldsAlong(names, root === 'spec' ? version.spec : version.status, types);
  if (along === undefined) throw new Error(`there is no field ${[root, ...names].join('.')}`);
  const shared = along.slice(0, -1).findIndex(({ type }) => type.kind === 'ref');
  const own = shared === -1 ? names : names.slice(0, shared + 1);
  const type = along[shared]?.type;
  return {
    steps: [root, ...keysTo(own)],
    field: along.at(-1)!,
    sharedType: type?.kind === 'ref' ? type.name : undefined,
  };
}

/** Returns the keys from a part of a version to a declaration; `[]` is the element of a list, `{}` the value of a map. */
export function keysTo(names: readonly string[]): string[] {
  return names.flatMap((name, index) => {
    if (name === '[]') return ['items'];
    if (name === '{}') return ['values'];
    return index > 0 ? ['fields', name] : [name];
  });
}
