import { crossing } from '../conversion/reports/crossing';
import { columnRoots, columnType, fieldsOf } from '../model/column-fields';
import type { Field, Kind } from '../model/project';
import type { HubMove, MoveProblem } from './move-declarations';
import type { KindText } from './project-text';
import { replaceValue } from './yaml-edit';

/**
 * Returns project.yaml with the columns of a kind as fields of the new storage version. Adds to `problems`, at places below
 * the kind, those that it has no single field for.
 */
export function moveColumns(
  text: string,
  kind: KindText,
  move: HubMove & Pick<Kind, 'history'>,
  problems: MoveProblem[],
): string {
  const { from, to, types } = move;
  const roots = columnRoots(move, to);
  let edited = text;
  for (const { path, steps } of kind.columns) {
    const found = crossing(move.plan, 'hub', path.split('.'));
    const [moved = path] = found?.hub.length === 1 ? found.spoke.map((names) => names.join('.')) : [];
    if (moved !== path) edited = replaceValue(edited, [...kind.path, ...steps], moved);
    if (found !== undefined && found.hub.length + found.spoke.length !== 2) {
      const message = `the column ${path} of ${from.version} has no single field in ${to.version}`;
      problems.push({ path: steps, message, hint: 'choose another column, or remove this one' });
    } else if (!isColumn(moved.split('.'), roots)) {
      const message = `the column ${path} of ${from.version} has no field with a single value in ${to.version}`;
      problems.push({ path: steps, message, hint: `add one to ${to.version}, or remove the column` });
    }
  }
  return edited;

  function isColumn([name, ...below]: string[], fields: Field[] | undefined): boolean {
    const field = fields?.find((one) => one.name === name);
    if (field === undefined) return false;
    return below.length > 0
      ? isColumn(below, fieldsOf(field.type, types))
      : columnType(field.type) !== undefined;
  }
}
