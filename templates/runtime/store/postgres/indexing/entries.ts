import { bytesOf, type Key } from '../../indexing/key';
import { NOT_INDEXED, type ResourceIndex } from '../../indexing/resource-index';
import { labelToken } from '../statements/labels';
import type { EntryIds } from './index-ids';

/** An entry with the id of its index, and its place among those of the caller. */
interface Entry {
  position: number;
  index: number;
  key: Key;
}

/** The entries of one state of a resource, with the ids of indexes, each once. */
export interface Entries {
  fields: Entry[];
  unique: Entry[];
  references: (Entry & {
    target: number;
    /** Tokens of the labels that the target must have. */
    scope: string | null;
  })[];
}

/** The id of an index without entries. */
export const NO_INDEX = -1;

/** Returns the entries of a state of a kind with this id. */
export async function readEntries(
  ids: EntryIds,
  kind: number,
  index: ResourceIndex = NOT_INDEXED,
): Promise<Entries> {
  const { fields, unique, references } = index;
  const names = [...fields, ...unique].map((entry) => entry.index);
  const own = await ids.own(kind, [...new Set([...names, ...references.map(({ field }) => field)])]);
  const placed = (entries: ResourceIndex['fields']): Entry[] =>
    entries.map(({ index: name, key }, position) => ({ position, index: own.get(name)!, key }));
  const targets = references.map(async ({ kind: name, index: target, field, key, scope }, position) => {
    const targetKind = await ids.kind(name);
    const found = targetKind === undefined ? undefined : await ids.target(targetKind, [target]);
    return {
      position,
      index: own.get(field)!,
      target: found?.get(target) ?? NO_INDEX,
      key,
      scope: scopeTokens(targetKind, scope),
    };
  });
  return {
    fields: once(placed(fields)),
    unique: once(placed(unique)),
    references: await Promise.all(targets),
  };
}

function scopeTokens(kind: number | undefined, scope: { [label: string]: string }): string | null {
  const entries = Object.entries(scope);
  if (kind === undefined || entries.length === 0) return null;
  return entries.map(([key, value]) => labelToken(kind, key, value)).join('\n');
}

function once(entries: Entry[]): Entry[] {
  return [...new Map(entries.toReversed().map((entry) => [`${entry.index} ${entry.key}`, entry])).values()];
}

/** The arrays of a statement that has the entries of several commands: each entry with the number of its command. */
export function entryArrays(entries: readonly Entries[]): unknown[] {
  const [unique, fields, references] = (['unique', 'fields', 'references'] as const).map((name) =>
    entries.flatMap((each, index) => each[name].map((entry) => ({ ...entry, n: index + 1 }))),
  ) as [Numbered<Entry>[], Numbered<Entry>[], Numbered<Entries['references'][number]>[]];
  const columns = (rows: Numbered<Entry>[]): unknown[] => [
    rows.map(({ n }) => n),
    rows.map(({ index }) => index),
    rows.map(({ key }) => bytesOf(key)),
    rows.map(({ position }) => position),
  ];
  return [
    ...columns(unique),
    ...columns(fields).slice(0, 3),
    ...columns(references),
    references.map(({ target }) => target),
    references.map(({ scope }) => scope),
  ];
}

type Numbered<T> = T & { n: number };

/** The tables of these arrays, whose parameters follow `after`. */
export function entryTables(after: number): string {
  let last = after;
  const table = (name: string, columns: { [name: string]: string }): string => {
    const arrays = Object.values(columns).map((type) => `$${(last += 1)}::${type}[]`);
    return `${name} AS (SELECT * FROM unnest(${arrays.join(', ')}) AS t (${Object.keys(columns).join(', ')}))`;
  };
  const entry = { n: 'bigint', index_id: 'integer', key: 'bytea' };
  return [
    table('own', { ...entry, position: 'integer' }),
    table('field', entry),
    table('ref', { ...entry, position: 'integer', target: 'integer', scope: 'text' }),
  ].join(', ');
}
