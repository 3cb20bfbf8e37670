import type { Client } from 'pg';
import { firstResources } from '../../first-rows';
import { bytesOf, keyFrom } from '../../indexing/key';
import { type IndexedRow, MAX_PROBLEMS, type RebuildTarget } from '../../indexing/rebuild';
import { NAME_INDEX } from '../../indexing/resource-index';
import type { IndexProblem, NewIndexes } from '../../indexing/store-indexes';
import type { UnplacedResource } from '../../stored-resource';
import type { PostgresQuery } from '../statements/connections';
import { PostgresKinds } from '../statements/kinds';
import { type Entries, entryArrays, entryTables, NO_INDEX, readEntries } from './entries';
import { type EntryIds, PostgresIndexIds, recordedIds } from './index-ids';

/** Maximum number of rows that are read at once. */
const ROWS = 250;

const NEXT = firstResources('kind = $1 AND id > $2', '$3');
const NEXT_OF = firstResources('kind = $1 AND id > $2 AND id = ANY ($4::bigint[])', '$3');

const ADD = `WITH ${entryTables(1)}, made AS (
    INSERT INTO uniques (index_id, key, resource)
    SELECT o.index_id, o.key, ($1::bigint[])[o.n] FROM own o ORDER BY o.n
    ON CONFLICT DO NOTHING RETURNING index_id, key, resource
  ), fields_made AS (
    INSERT INTO fields (resource, index_id, key) SELECT ($1::bigint[])[f.n], f.index_id, f.key FROM field f
  ), refs_made AS (
    INSERT INTO refs (resource, index_id, target_index, target_key)
    SELECT ($1::bigint[])[e.n], e.index_id, e.target, e.key FROM ref e ON CONFLICT DO NOTHING
  )
  SELECT o.n, o.position FROM own o WHERE NOT EXISTS (
    SELECT FROM made m WHERE m.index_id = o.index_id AND m.key = o.key AND m.resource = ($1::bigint[])[o.n])`;

const HOLDER = `SELECT r.uid FROM uniques u JOIN indexes x ON x.id = u.index_id JOIN resources r ON r.id = u.resource
  WHERE x.kind = $1 AND x.name = $2 AND u.key = $3`;

const RELEASE = `DELETE FROM refs f WHERE index_id IN (
    SELECT x.id FROM indexes x JOIN kinds k ON k.id = x.kind WHERE k.name <> ALL ($1)
  ) AND (NOT EXISTS (SELECT FROM uniques u WHERE u.index_id = f.target_index AND u.key = f.target_key)
    OR NOT EXISTS (SELECT FROM resources r WHERE r.id = f.resource))`;

const OUTDATE = `UPDATE index_states SET digest = '' WHERE kind <> ALL ($1)`;

const DANGLING = `SELECT k.name AS kind, r.uid, x.name AS index, f.target_key AS key
  FROM refs f JOIN resources r ON r.id = f.resource JOIN kinds k ON k.id = r.kind JOIN indexes x ON x.id = f.index_id
  WHERE NOT EXISTS (SELECT FROM uniques u WHERE u.index_id = f.target_index AND u.key = f.target_key) LIMIT ${MAX_PROBLEMS}`;

/** The tables of entries, and which of the new indexes of a kind each has. A table comes before those that it refers to. */
const TABLES = [
  ['refs', 'references'],
  ['uniques', 'unique'],
  ['fields', 'fields'],
] as const;

/** Looks each uid up: there are no statistics of new entries, and another plan might compare every name with every uid. */
const MISNAMED = `SELECT n.uid, r.uid AS other FROM resources r
  CROSS JOIN LATERAL (
    SELECT resource FROM uniques
    WHERE index_id = (SELECT id FROM indexes WHERE kind = $1 AND name = $2) AND key = convert_to(r.uid, 'UTF8') LIMIT 1
  ) u
  JOIN resources n ON n.id = u.resource
  WHERE r.kind = $1 AND u.resource <> r.id AND ($3::text[] IS NULL OR r.uid = ANY ($3)) LIMIT ${MAX_PROBLEMS}`;

/** The entries of a PostgreSQL database, made anew in the transaction of a client. */
export class PostgresRebuild implements RebuildTarget {
  readonly #ids: EntryIds;

  constructor(private readonly client: Client) {
    const run = async <R>({ text, values }: PostgresQuery): Promise<R[]> =>
      (await client.query(text, values)).rows as R[];
    const connections = { read: run, write: run, generation: 0 };
    this.#ids = recordedIds(new PostgresKinds(connections), new PostgresIndexIds(connections), true);
  }

  async count(kind: string): Promise<number> {
    const [row] = await this.#rows<{ count: number }>('SELECT count(*) FROM resources WHERE kind = $1', [
      await this.id(kind),
    ]);
    return row.count;
  }

  async rows(kind: string, after: number): Promise<UnplacedResource[]> {
    return this.#rows(NEXT, [await this.id(kind), after, ROWS]);
  }

  /** Returns the next of those of a kind with these ids. */
  async someRows(kind: string, ids: readonly number[], after: number): Promise<UnplacedResource[]> {
    return this.#rows(NEXT_OF, [await this.id(kind), after, ROWS, ids]);
  }

  async clear(kind: string): Promise<void> {
    const id = await this.id(kind);
    for (const [table] of TABLES) {
      await this.#rows(`DELETE FROM ${table} WHERE index_id IN (SELECT id FROM indexes WHERE kind = $1)`, [
        id,
      ]);
    }
  }

  /** Returns whether some of these indexes of a kind have entries. */
  async hasEntries(kind: string, indexes: NewIndexes): Promise<boolean> {
    const id = await this.id(kind);
    for (const [table, names] of TABLES) {
      const text = `SELECT FROM indexes x WHERE kind = $1 AND name = ANY ($2)
        AND EXISTS (SELECT FROM ${table} e WHERE e.index_id = x.id) LIMIT 1`;
      if ((await this.#rows(text, [id, indexes[names]])).length > 0) return true;
    }
    return false;
  }

  /** Removes the entries of some resources from these indexes of a kind. */
  async forget(kind: string, indexes: NewIndexes, ids: readonly number[]): Promise<void> {
    const id = await this.id(kind);
    for (const [table, names] of TABLES) {
      if (indexes[names].length === 0) continue;
      const text = `DELETE FROM ${table} WHERE resource = ANY ($1::bigint[])
        AND index_id IN (SELECT id FROM indexes WHERE kind = $2 AND name = ANY ($3))`;
      await this.#rows(text, [ids, id, indexes[names]]);
    }
  }

  async add(kind: string, rows: readonly IndexedRow[]): Promise<IndexProblem[]> {
    const id = await this.id(kind);
    const problems: IndexProblem[] = [];
    const entries: Entries[] = [];
    for (const { uid, index } of rows) {
      const read = await readEntries(this.#ids, id, index);
      const known = read.references.filter(({ target }) => target !== NO_INDEX);
      for (const { position } of read.references.filter((each) => !known.includes(each))) {
        const { field, key } = index.references[position];
        problems.push({ kind, uid, rule: 'ref', index: field, key });
      }
      entries.push({ ...read, references: known });
    }
    const values = [rows.map((row) => row.id), ...entryArrays(entries)];
    const taken = await this.#rows<{ n: number; position: number }>(ADD, values);
    for (const { n, position } of taken) {
      const { uid, index } = rows[n - 1];
      const { index: name, key } = index.unique[position];
      const [holder] = await this.#rows<{ uid: string }>(HOLDER, [id, name, bytesOf(key)]);
      problems.push({ kind, uid, rule: 'unique', index: name, key, other: holder?.uid });
    }
    return problems;
  }

  async release(served: readonly string[]): Promise<void> {
    const { rowCount } = await this.client.query(RELEASE, [served]);
    if (rowCount !== 0) await this.#rows(OUTDATE, [served]);
  }

  async dangling(): Promise<IndexProblem[]> {
    const rows = await this.#rows<{ kind: string; uid: string; index: string; key: Buffer }>(DANGLING, []);
    return rows.map(({ key, ...row }) => ({ ...row, rule: 'ref', key: keyFrom(key) }));
  }

  async misnamed(kind: string, uids?: readonly string[]): Promise<IndexProblem[]> {
    const values = [await this.id(kind), NAME_INDEX, uids];
    const rows = await this.#rows<{ uid: string; other: string }>(MISNAMED, values);
    return rows.map(({ uid, other }) => ({ kind, uid, rule: 'name', index: NAME_INDEX, other }));
  }

  async note(kind: string, digest: string | undefined): Promise<void> {
    await this.#rows('DELETE FROM index_states WHERE kind = $1', [kind]);
    if (digest !== undefined) await this.#rows('INSERT INTO index_states VALUES ($1, $2)', [kind, digest]);
  }

  /** Returns the id of a kind; one that nothing has of a kind that was never stored. */
  async id(kind: string): Promise<number> {
    return (await this.#ids.kind(kind)) ?? -1;
  }

  async #rows<R>(text: string, values: unknown[]): Promise<R[]> {
    return (await this.client.query(text, values)).rows as R[];
  }
}
