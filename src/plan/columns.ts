import type { ConversionPlan } from '../conversion/plan/plan';
import { crossing } from '../conversion/reports/crossing';
import { columnRoots, columnType } from '../model/column-fields';
import { fieldAt } from '../model/fields';
import type { Column, KindVersion } from '../model/project';
import type { ConvertedKind } from './subjects';

/** Returns the columns of a kind in one of its versions, each with its path there. Those that a version has no field for are left out. */
export function columnsIn({ group, kind, conversions }: ConvertedKind, version: KindVersion): Column[] {
  if (version.version === group.storageVersion) return kind.columns;
  const { plan } = conversions.of(version.version);
  if (plan === undefined) return [];
  return kind.columns.flatMap((column) => {
    // The server's own status.version is the same in every version, and converted by no rule.
    const isServers = column.path === 'status.version' && kind.history !== undefined;
    const hub = column.path.split('.');
    const path = isServers ? hub : inSpoke(plan, hub);
    if (path === undefined) return [];
    const type = fieldAt(path, columnRoots(kind, version), group.types)?.type;
    const ofColumn = type && columnType(type);
    return ofColumn === undefined ? [] : [{ ...column, path: path.join('.'), type: ofColumn }];
  });
}

/** A column as services know it. */
type PrintedColumn = Pick<Column, 'title' | 'path' | 'type'> & { wide?: true };

/** Returns the columns of a kind by version, as services know them. */
export function printedColumns(subject: ConvertedKind): { [version: string]: PrintedColumn[] } {
  return Object.fromEntries(
    subject.kind.versions.map((version) => [
      version.version,
      columnsIn(subject, version).map(({ title, path, type, wide }) => ({
        ...{ title, path, type },
        ...(wide && { wide }),
      })),
    ]),
  );
}

/** Returns where the spoke shows a field of the hub; undefined where it does not, or only as a part of several fields. */
function inSpoke(plan: ConversionPlan, path: string[]): string[] | undefined {
  const { hub = [], spoke = [], rule } = crossing(plan, 'hub', path) ?? {};
  return hub.length === 1 && spoke.length === 1 && rule?.name !== 'custom' ? spoke[0] : undefined;
}
