import { crossing } from '../conversion/reports/crossing';
import { columnRoots, columnType } from '../model/column-fields';
import { fieldAt } from '../model/fields';
import type { HubMove, MoveReport } from './move-declarations';
import type { KindText } from './project-text';
import { replaceValue } from './yaml-edit';

/**
 * Returns project.yaml with the columns of a kind as fields of the new storage version. Reports those that it has no single
 * field for.
 */
export function moveColumns(text: string, kind: KindText, move: HubMove, report: MoveReport): string {
  const { from, to, types } = move;
  const roots = columnRoots(move, to);
  let edited = text;
  for (const { path, steps } of kind.columns) {
    const found = crossing(move.plan, 'hub', path.split('.'));
    const [moved = path] = found?.hub.length === 1 ? found.spoke.map((names) => names.join('.')) : [];
    if (moved !== path) edited = replaceValue(edited, [...kind.path, ...steps], moved);
    const type = fieldAt(moved.split('.'), roots, types)?.type;
    const subject = `the column ${path} of ${from.version} has no`;
    if (found !== undefined && found.hub.length + found.spoke.length !== 2)
      report(steps, `${subject} single field in ${to.version}`, 'choose another column, or remove this one');
    else if (type === undefined || columnType(type) === undefined)
      report(
        steps,
        `${subject} field with a single value in ${to.version}`,
        `add one to ${to.version}, or remove the column`,
      );
  }
  return edited;
}
