import { own } from '../../../templates/runtime/model/fields/values';
import type { Declarations, Field, Json } from '../../model/project';
import type { FieldContext } from './build-fields';
import { problemAt } from './declaration-place';

/** Reports declarations of a field that cannot work because of the objects around it; `around` begins with the outermost one. */
export function checkSurroundings(
  field: Field,
  declared: Declarations,
  around: readonly Field[],
  { declarations, places }: FieldContext,
): void {
  const fixed = around.find((each) => declarations.get(each)?.immutable);
  if (declared.ref?.onDelete === 'clear' && fixed !== undefined) {
    const place = places.get(field.type.kind === 'list' ? field.type.items : field)!;
    const message = `onDelete: clear would change ${fixed.name}, which is immutable`;
    place
      .get('ref')
      .get('onDelete')
      .problem(message, 'use restrict or cascade, or remove the rule immutable');
  }
  const filled = around.find((each, index) => hasValueAt(each.default, [...around.slice(index + 1), field]));
  if (declared.unique && filled !== undefined) {
    const message = `the default of ${filled.name} has a value for a unique field: only one resource could have it`;
    problemAt(places.get(field)!, 'unique', message, 'remove the value from the default');
  }
}

function hasValueAt(value: Json | undefined, path: readonly Field[]): boolean {
  return (path.reduce((parent, { name }) => own(parent, name), value) ?? null) !== null;
}
