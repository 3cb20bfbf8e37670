import { fieldsOf } from './column-fields';
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
  const steps = [root];
  let sharedType: string | undefined;
  let field: Field | undefined;
  let fields: Field[] | undefined = root === 'spec' ? version.spec : version.status;
  for (const [index, name] of names.entries()) {
    if (field?.type.kind === 'ref') sharedType ??= field.type.name;
    field = fields?.find((one) => one.name === name);
    if (field === undefined) throw new Error(`there is no field ${[root, ...names].join('.')}`);
    if (sharedType === undefined) steps.push(...(index > 0 ? ['fields'] : []), name);
    fields = fieldsOf(field.type, types);
  }
  return { steps, field: field!, sharedType };
}
