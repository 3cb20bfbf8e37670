import { resolved, type Schema, type VersionSchemas } from '../model/json-schema';
import type { Reference } from '../model/project';
import { type SchemaChange, SENDERS } from './schema-changes';

/** The record of a version's declarations about its data, by the paths of that version. */
export interface LockedData {
  selectable?: string[];
  unique?: string[];
  immutable?: string[];
  refs?: { [path: string]: Reference };
}

/** A version with its declarations. */
export interface Declaring extends VersionSchemas {
  data?: LockedData;
}

const RELIED = 'clients may rely on it';

/** Returns the changed declarations of fields that both states have. Only a field that becomes selectable is compatible. */
export function dataChanges(before: Declaring, after: Declaring): SchemaChange[] {
  const [from, to] = [before.data ?? {}, after.data ?? {}];
  const both = (path: string): boolean => [before, after].every((version) => hasField(version, path));
  const rules = (['unique', 'immutable'] as const).flatMap((rule) =>
    changed(from[rule], to[rule]).map(([path, isAdded]): SchemaChange => {
      const what = `rule ${rule} was ${isAdded ? 'added' : 'removed'}`;
      return { path, what, breaks: isAdded ? SENDERS : RELIED };
    }),
  );
  const all = [...rules, ...referenceChanges(from.refs ?? {}, to.refs ?? {})];
  const selectable = changed(from.selectable, to.selectable)
    // References and unique fields are selectable: one change is reported.
    .filter(([path]) => !all.some((change) => change.path === path))
    .map(([path, isAdded]) => selectableChange(path, isAdded));
  return [...all, ...selectable].filter(({ path }) => both(path));
}

function changed(from: string[] = [], to: string[] = []): [path: string, isAdded: boolean][] {
  return [...new Set([...from, ...to])]
    .filter((path) => from.includes(path) !== to.includes(path))
    .map((path) => [path, to.includes(path)]);
}

function selectableChange(path: string, isAdded: boolean): SchemaChange {
  if (isAdded) return { path, what: 'the field became selectable', breaks: undefined };
  return { path, what: 'the field is no longer selectable', breaks: 'lists selected by it return 400' };
}

function referenceChanges(
  from: NonNullable<LockedData['refs']>,
  to: NonNullable<LockedData['refs']>,
): SchemaChange[] {
  return Object.keys({ ...from, ...to }).flatMap((path): SchemaChange[] => {
    const [one, other] = [from[path], to[path]] as [Reference | undefined, Reference | undefined];
    if (one === undefined) return [{ path, what: `ref was added: ${shown(other!)}`, breaks: SENDERS }];
    if (other === undefined) return [{ path, what: `ref was removed: ${shown(one)}`, breaks: RELIED }];
    if (shown(one) === shown(other)) return [];
    const breaks = one.kind === other.kind ? 'deletions have another effect' : SENDERS;
    return [{ path, what: `ref changed from ${shown(one)} to ${shown(other)}`, breaks }];
  });
}

function shown({ kind, onDelete }: Reference): string {
  return `${kind} (${onDelete})`;
}

function hasField({ spec, status, types }: VersionSchemas, path: string): boolean {
  const [root, ...names] = path.split('.');
  let at: Schema = root === 'spec' ? spec : status;
  for (const name of names) {
    const { properties = {} } = resolved(at, types);
    if (!Object.hasOwn(properties, name)) return false;
    at = properties[name];
  }
  return true;
}
