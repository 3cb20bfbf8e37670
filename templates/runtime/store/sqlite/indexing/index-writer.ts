import { bytesOf, type Key, keyFrom } from '../../indexing/key';
import type { Reference, Refused, ResourceIndex } from '../../indexing/resource-index';
import { escaped } from '../../sql';
import type { Connection, Statement } from '../connection/driver';
import type { KindIds } from '../connection/kind-ids';
import { IndexIds } from './index-ids';

/** An entry of a resource, with the ids of indexes. A reference has its field as `index`, and points to `key` in `target`. */
interface Entry {
  table: 'fields' | 'uniques' | 'refs';
  index: number;
  target: number;
  key: Key;
}

/** Maximum number of entries that one statement adds. */
const TOGETHER = 16;

/** A state of a resource: its kind, its id unless it is new, and its entries. */
interface Indexed {
  kind: number;
  kindName: string;
  id?: number;
  index: ResourceIndex;
}

/**
 * The entries of resources, inside the transaction of a batch. A write is judged before it changes anything: it finds the database
 * as its neighbours in the batch have left it.
 */
export class IndexWriter {
  readonly #ids: IndexIds;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #adding = new Map<number, Statement>();

  constructor(
    private readonly connection: Connection,
    private readonly kinds: KindIds,
  ) {
    this.#ids = new IndexIds(connection);
    this.#sql = prepare(connection);
  }

  /** Returns why a state must not be written; undefined where it may. */
  refusal(state: Indexed): Refused | undefined {
    const { kind, id, index } = state;
    const taken = index.unique.filter((entry) => {
      const holder = this.holder(kind, entry.index, entry.key);
      return holder !== undefined && holder !== id;
    });
    const missing = index.references.flatMap((reference, position) =>
      this.#reaches(state, reference) ? [] : [position],
    );
    const isReferred = id !== undefined && this.#losesReferred(state, id);
    if (taken.length === 0 && missing.length === 0 && !isReferred) return undefined;
    return { taken: taken.map((entry) => entry.index), missing, isReferred };
  }

  /** Returns whether others refer to a resource, by any of its unique entries. */
  isReferred(id: number): boolean {
    return this.#sql.referrer.get(id, id) !== undefined;
  }

  /** Writes the entries of a new resource. */
  add({ kind, id, index }: Indexed & { id: number }): void {
    this.#insert(id, this.#entriesOf(kind, index));
  }

  /** Writes the entries of a resource that had others. */
  replace({ kind, id, index }: Indexed & { id: number }): void {
    const before = byIdentity(this.#read(id));
    const after = byIdentity(this.#entriesOf(kind, index));
    const gone = [...before].flatMap(([token, entry]) => (after.has(token) ? [] : [entry]));
    // A reference goes before what it points to, and comes after it.
    for (const { index: field, target, key } of inTable(gone, 'refs'))
      this.#sql.deleteReference.run(id, field, target, bytesOf(key));
    for (const { index: name, key } of inTable(gone, 'uniques'))
      this.#sql.deleteUnique.run(name, bytesOf(key));
    for (const { index: field, key } of inTable(gone, 'fields'))
      this.#sql.deleteField.run(id, field, bytesOf(key));
    this.#insert(
      id,
      [...after].flatMap(([token, entry]) => (before.has(token) ? [] : [entry])),
    );
  }

  /** Removes the references of a resource: those to others of the same transaction no longer count. */
  removeReferences(id: number): void {
    this.#sql.deleteReferences.run(id);
  }

  /** Removes all entries of a resource that nobody refers to. */
  remove(id: number): void {
    this.removeReferences(id);
    this.#sql.deleteUniques.run(id);
    this.#sql.deleteFields.run(id);
  }

  /** Resets the caches; call it after a rollback. */
  forget(): void {
    this.#ids.forget();
  }

  /** Returns the id of the resource of a kind that has a unique entry. */
  holder(kind: number | undefined, index: string, key: Key): number | undefined {
    const found = kind === undefined ? undefined : this.#ids.find(kind, index);
    return found === undefined ? undefined : this.#sql.holder.get(found, bytesOf(key))?.resource;
  }

  /** Returns whether the target of a reference exists within its scope, after the write. */
  #reaches({ kindName, id, index }: Indexed, reference: Reference): boolean {
    const { kind, key, scope } = reference;
    const isOwn =
      kind === kindName && index.unique.some((entry) => entry.index === reference.index && entry.key === key);
    if (isOwn) return true;
    const holder = this.holder(this.kinds.find(kind), reference.index, key);
    // An old name of its own will not be there any more.
    if (holder === undefined || holder === id) return false;
    return Object.entries(scope).every(
      ([label, value]) => this.#sql.label.get(holder, escaped(label), escaped(value)) !== undefined,
    );
  }

  /** Returns whether others refer to a unique entry that a resource would lose. */
  #losesReferred({ kind, index }: Indexed, id: number): boolean {
    const staying = new Set(index.unique.map((entry) => `${this.#ids.find(kind, entry.index)} ${entry.key}`));
    return this.#sql.referred
      .all(id, id)
      .some(({ index_id, key }) => !staying.has(`${index_id} ${keyFrom(key)}`));
  }

  #read(id: number): Entry[] {
    return this.#sql.entries.all(id, id, id).map(({ table, index_id, target_index, key }) => {
      return { table, index: index_id, target: target_index, key: keyFrom(key) };
    });
  }

  /** The entries of a state with the ids of their indexes. */
  #entriesOf(kind: number, { fields, unique, references }: ResourceIndex): Entry[] {
    const placed = (table: Entry['table'], entries: ResourceIndex['fields']): Entry[] =>
      entries.map(({ index, key }) => ({ table, index: this.#ids.store(kind, index), target: 0, key }));
    const targets = references.map(({ field, kind: target, index, key }): Entry => {
      const targetIndex = this.#ids.store(this.kinds.find(target)!, index);
      return { table: 'refs', index: this.#ids.store(kind, field), target: targetIndex, key };
    });
    return [...placed('fields', fields), ...placed('uniques', unique), ...targets];
  }

  #insert(id: number, entries: Entry[]): void {
    this.#addFields(id, inTable(entries, 'fields'));
    for (const { index, key } of inTable(entries, 'uniques'))
      this.#sql.addUnique.run(index, bytesOf(key), id);
    for (const { index, target, key } of inTable(entries, 'refs'))
      this.#sql.addReference.run(id, index, target, bytesOf(key));
  }

  #addFields(id: number, entries: Entry[]): void {
    for (let start = 0; start < entries.length; start += TOGETHER) {
      const part = entries.slice(start, start + TOGETHER);
      this.#addingOf(part.length).run(...part.flatMap(({ index, key }) => [id, index, bytesOf(key)]));
    }
  }

  /** The statement that adds so many entries. */
  #addingOf(count: number): Statement {
    const known = this.#adding.get(count);
    if (known !== undefined) return known;
    const rows = Array.from({ length: count }, () => '(?, ?, ?)').join(', ');
    const statement = this.connection.prepare(
      `INSERT OR IGNORE INTO fields (resource, index_id, key) VALUES ${rows}`,
    );
    this.#adding.set(count, statement);
    return statement;
  }
}

function byIdentity(entries: Entry[]): Map<string, Entry> {
  return new Map(
    entries.map((entry) => [`${entry.table} ${entry.index} ${entry.target} ${entry.key}`, entry]),
  );
}

function inTable(entries: Entry[], table: Entry['table']): Entry[] {
  return entries.filter((entry) => entry.table === table);
}

interface StoredEntry {
  table: Entry['table'];
  index_id: number;
  target_index: number;
  key: Uint8Array;
}

function prepare(connection: Connection) {
  return {
    holder: connection.prepare<{ resource: number }>(
      'SELECT resource FROM uniques WHERE index_id = ? AND key = ?',
    ),
    label: connection.prepare('SELECT 1 AS found FROM labels WHERE resource = ? AND key = ? AND value = ?'),
    referrer: connection.prepare(
      `SELECT 1 AS found FROM uniques u CROSS JOIN refs f ON f.target_index = u.index_id AND f.target_key = u.key
       WHERE u.resource = ? AND f.resource <> ? LIMIT 1`,
    ),
    referred: connection.prepare<StoredEntry>(
      `SELECT u.index_id, u.key FROM uniques u WHERE u.resource = ? AND EXISTS (
         SELECT 1 FROM refs f WHERE f.target_index = u.index_id AND f.target_key = u.key AND f.resource <> ?)`,
    ),
    entries: connection.prepare<StoredEntry>(
      `SELECT 'fields' AS "table", index_id, 0 AS target_index, key FROM fields WHERE resource = ?
       UNION ALL SELECT 'uniques', index_id, 0, key FROM uniques WHERE resource = ?
       UNION ALL SELECT 'refs', index_id, target_index, target_key FROM refs WHERE resource = ?`,
    ),
    addUnique: connection.prepare('INSERT INTO uniques (index_id, key, resource) VALUES (?, ?, ?)'),
    addReference: connection.prepare(
      'INSERT OR IGNORE INTO refs (resource, index_id, target_index, target_key) VALUES (?, ?, ?, ?)',
    ),
    deleteField: connection.prepare('DELETE FROM fields WHERE resource = ? AND index_id = ? AND key = ?'),
    deleteUnique: connection.prepare('DELETE FROM uniques WHERE index_id = ? AND key = ?'),
    deleteReference: connection.prepare(
      'DELETE FROM refs WHERE resource = ? AND index_id = ? AND target_index = ? AND target_key = ?',
    ),
    deleteFields: connection.prepare('DELETE FROM fields WHERE resource = ?'),
    deleteUniques: connection.prepare('DELETE FROM uniques WHERE resource = ?'),
    deleteReferences: connection.prepare('DELETE FROM refs WHERE resource = ?'),
  };
}
