import { columnRoots, columnType } from '../../model/column-fields';
import { fieldsOf } from '../../model/fields';
import type { Column, Field, FieldType, Kind, SharedType } from '../../model/project';
import { didYouMean, listed, quoted } from '../../model/quoted';
import type { Located } from '../yaml/located';
import { UNKNOWN } from './build-fields';

/** The columns of a kind that declares none, as far as it has them. */
const DEFAULTS = ['status.phase', 'status.ready'];

/** The fields that columns are looked up in. */
interface ColumnFields {
  kind: Pick<Kind, 'history' | 'versions'>;
  /** The version that paths belong to; undefined when it has been reported. */
  storageVersion: string | undefined;
  types: SharedType[];
}

/** Returns the columns that `columns:` declares, or the default ones. Reports paths that name no field with a single value. */
export function buildColumns(place: Located, { kind, storageVersion, types }: ColumnFields): Column[] {
  const hub = kind.versions.find(({ version }) => version === storageVersion);
  if (hub === undefined) return [];
  const finder = new ColumnFinder(`the storage version ${hub.version}`, columnRoots(kind, hub), types);
  if (place.absent) return DEFAULTS.flatMap((path) => finder.find(path) ?? []);
  const seen = new Set<string>();
  return place.items().flatMap((item) => {
    const at = item.text === undefined ? item.get('path') : item;
    const path = at.text;
    if (path === undefined) return [];
    if (seen.has(path)) at.problem(`the column ${quoted(path)} is declared twice`, 'remove one of them');
    seen.add(path);
    const column = finder.find(path, at);
    if (column === undefined) return [];
    return [
      { ...column, title: item.get('title').text ?? column.title, wide: item.get('wide').value === true },
    ];
  });
}

class ColumnFinder {
  constructor(
    private readonly version: string,
    private readonly roots: Field[],
    private readonly types: SharedType[],
  ) {}

  /** Returns the column of a path; where it has none, reports why at `place`. */
  find(path: string, place?: Located): Column | undefined {
    const names = path.split('.');
    let fields: Field[] | undefined = this.roots;
    let type: FieldType = UNKNOWN;
    for (const [index, name] of names.entries()) {
      const above = names.slice(0, index).join('.');
      if (fields === undefined) return void place?.problem(`${above} is ${aType(type)}: it has no fields`);
      const field: Field | undefined = fields.find((one) => one.name === name);
      if (field === undefined) return void (place && this.reportUnknown(place, names, index, fields));
      if (field.type === UNKNOWN) return undefined;
      type = field.type;
      fields = fieldsOf(type, this.types);
    }
    const ofColumn = columnType(type);
    if (ofColumn !== undefined) return { path, title: names.at(-1)!, type: ofColumn, wide: false };
    const inside = (fields ?? []).map(({ name }) => `${path}.${name}`);
    const message = `${quoted(path)} is ${aType(type)}; a column shows a single value or a list of them`;
    const hint = inside.length > 0 ? `choose one of ${listed(inside)}` : undefined;
    return void place?.problem(message, hint);
  }

  private reportUnknown(place: Located, names: string[], index: number, fields: Field[]): void {
    const [name, above] = [names[index], names.slice(0, index)];
    const known = fields.map((field) => field.name);
    if (index > 0) {
      const all = `${above.join('.')} has ${known.length > 0 ? listed(known) : 'no fields'}`;
      const hint = didYouMean(name, known, all, (near) =>
        quoted([...above, near, ...names.slice(index + 1)].join('.')),
      );
      place.problem(`${this.version} has no field ${quoted(names.slice(0, index + 1).join('.'))}`, hint);
      return;
    }
    const holder = this.roots.find(({ type }) => fieldsOf(type, [])!.some((field) => field.name === name));
    const hint = holder
      ? `did you mean ${quoted([holder.name, ...names].join('.'))}?`
      : didYouMean(name, known, 'write spec or status, a dot and the name of a field');
    place.problem(`a column shows a field of spec or status, not ${quoted(names.join('.'))}`, hint);
  }
}

function aType({ kind }: FieldType): string {
  if (kind === 'ref' || kind === 'object') return 'an object';
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
