import type {
  KindData,
  ReferenceField,
  ScalarType,
  SelectableField,
} from '../../templates/runtime/model/kinds/kind-data';
import { crossing } from '../conversion/reports/crossing';
import type { LockedData } from '../lock/data-changes';
import { columnRoots } from '../model/column-fields';
import { fieldAt, isScalar, isSelectable } from '../model/fields';
import type { DeclaredField, Reference } from '../model/project';
import type { ConvertedKind, KindSubject } from './subjects';

/** Returns the declarations of a kind as its service needs them; undefined where it has none. */
export function dataOf(subject: ConvertedKind): KindData | undefined {
  const { kind } = subject;
  const declared = declaredOf(subject);
  const paths = (name: 'unique' | 'immutable') =>
    declared.filter((field) => field[name]).map(({ path }) => path);
  const [unique, immutable] = [paths('unique'), paths('immutable')];
  const references = declared.flatMap(referenceField);
  const selectable = Object.fromEntries(
    kind.versions
      .map(({ version }) => [version, selectableIn(subject, version)] as const)
      .filter(([, fields]) => fields.length > 0),
  );
  const data: KindData = {
    ...(kind.uniqueNames && { uniqueNames: true }),
    ...(kind.ownedFields && { strictNames: true }),
    ...(kind.isReferable && { isReferable: true }),
    ...(Object.keys(selectable).length > 0 && { selectable }),
    ...(unique.length > 0 && { unique }),
    ...(immutable.length > 0 && { immutable }),
    ...(references.length > 0 && { references }),
  };
  return Object.keys(data).length > 0 ? data : undefined;
}

function referenceField({ path, ref, isList }: DeclaredField): ReferenceField[] {
  return ref === undefined ? [] : [{ path, ...ref, ...(isList && { isList }) }];
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

/** Returns the declarations of a kind: those of its storage version. None for a kind that lacks it, which is reported. */
export function declaredOf({ group, kind }: KindSubject): DeclaredField[] {
  return kind.versions.find(({ version }) => version === group.storageVersion)?.declared ?? [];
}

/** Returns the selectable fields of a version, those of metadata left out, in the order of the storage version's. */
export function selectableIn(subject: ConvertedKind, version: string): SelectableField[] {
  const fields = declaredOf(subject).filter(isSelectable);
  if (fields.length === 0) return [];
  if (version === subject.group.storageVersion) {
    return fields.map((field) => selectableField(version, field.path, field));
  }
  const found = new Map<string, SelectableField>();
  for (const field of fields) {
    for (const each of inSpoke(subject, version, field)) found.set(each.path.join('.'), each);
  }
  return [...found.values()];
}

/** Returns whether lists in a spoke can be selected by the fields that show a selectable field of the hub. */
export function isSelectableIn(subject: ConvertedKind, spoke: string, field: DeclaredField): boolean {
  return inSpoke(subject, spoke, field).length > 0;
}

/** Returns the fields of a spoke that show a selectable field of the hub, as far as they can be selected by. */
function inSpoke(subject: ConvertedKind, version: string, field: DeclaredField): SelectableField[] {
  const { plan } = subject.conversions.of(version);
  const found = plan && crossing(plan, 'hub', field.path);
  if (found === undefined || found.how === 'apart') return [];
  const selectable = new Set(
    declaredOf(subject)
      .filter(isSelectable)
      .map(({ path }) => path.join('.')),
  );
  if (!found.hub.every((path) => selectable.has(path.join('.')))) return [];
  return found.spoke.flatMap((path) => {
    const type = fieldType(subject, version, path);
    if (type === undefined) return [];
    const shown = selectableField(version, path, type);
    const isReference = field.ref !== undefined && found.how === 'same' && type.type === field.type;
    return [{ ...shown, ...(isReference && { reference: field.path.join('.') }) }];
  });
}

/** Returns the type of a field of a version; undefined for one that is neither a single value nor a list of them. */
function fieldType(
  { group, kind }: KindSubject,
  version: string,
  path: string[],
): Pick<DeclaredField, 'type' | 'isList'> | undefined {
  const fields = columnRoots(
    kind,
    kind.versions.find((one) => one.version === version)!,
  );
  const type = fieldAt(path, fields, group.types)?.type;
  const isList = type?.kind === 'list';
  const scalar = isList ? type.items.type : type;
  return scalar && isScalar(scalar) ? { type: scalar.kind, isList } : undefined;
}

function selectableField(
  version: string,
  path: string[],
  { type, isList }: Pick<DeclaredField, 'type' | 'isList'>,
): SelectableField {
  const index = `${version}:${path.join('.')}`;
  return { path, type: type as ScalarType, ...(isList && { isList }), index };
}

/** Returns the record of a version's declarations: those of the hub, for the fields that show its fields. */
export function lockedData(subject: ConvertedKind, version: string): LockedData | undefined {
  const declared = declaredOf(subject);
  if (declared.length === 0) return undefined;
  const isHub = version === subject.group.storageVersion;
  const { plan } = isHub ? {} : subject.conversions.of(version);
  const shown = ({ path }: DeclaredField): string[] => {
    const found = isHub ? [path] : plan && crossing(plan, 'hub', path)?.spoke;
    return (found ?? []).map((each) => each.join('.'));
  };
  const pathsOf = (isMeant: (field: DeclaredField) => unknown): string[] =>
    [...new Set(declared.filter(isMeant).flatMap(shown))].sort();
  const refs = declared.flatMap((field) => shown(field).map((path) => [path, field.ref] as const));
  const selectable = selectableIn(subject, version).map(({ path }) => path.join('.'));
  const data: Required<LockedData> = {
    selectable: selectable.sort(),
    unique: pathsOf(({ unique }) => unique),
    immutable: pathsOf(({ immutable }) => immutable),
    refs: Object.fromEntries(refs.filter(([, ref]) => ref !== undefined)) as { [path: string]: Reference },
  };
  const filled = Object.entries(data).filter(([, each]) => Object.keys(each).length > 0);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}
