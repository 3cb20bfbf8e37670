import { firstResources } from '../../first-rows';
import { keyFrom } from '../../indexing/key';
import { type IndexedRow, MAX_PROBLEMS, type RebuildTarget } from '../../indexing/rebuild';
import { NAME_INDEX } from '../../indexing/resource-index';
import type { IndexProblem } from '../../indexing/store-indexes';
import type { UnplacedResource } from '../../stored-resource';
import type { Connection } from '../connection/driver';
import { KindIds } from '../connection/kind-ids';
import { IndexWriter } from './index-writer';

/** Maximum number of rows that are read at once. */
const ROWS = 64;

/** The entries of a SQLite database, made anew. */
export class SqliteRebuild implements RebuildTarget {
  readonly #kinds: KindIds;
  readonly #writer: IndexWriter;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(connection: Connection) {
    this.#kinds = new KindIds(connection);
    this.#writer = new IndexWriter(connection, this.#kinds);
    this.#sql = prepare(connection);
  }

  count(kind: string): number {
    return this.#sql.count.get(this.#id(kind))!.count;
  }

  rows(kind: string, after: number): UnplacedResource[] {
    return this.#sql.rows.all(this.#id(kind), after, ROWS);
  }

  clear(kind: string): void {
    for (const statement of this.#sql.clear) statement.run(this.#id(kind));
  }

  add(kind: string, rows: readonly IndexedRow[]): IndexProblem[] {
    const problems: IndexProblem[] = [];
    for (const { id, uid, index } of rows) {
      const unique = index.unique.filter((entry) => {
        const holder = this.#writer.holder(this.#id(kind), entry.index, entry.key);
        if (holder === undefined || holder === id) return true;
        const other = this.#sql.uid.get(holder)!.uid;
        problems.push({ kind, uid, rule: 'unique', index: entry.index, key: entry.key, other });
        return false;
      });
      const references = index.references.filter((reference) => {
        if (this.#kinds.find(reference.kind) !== undefined) return true;
        problems.push({ kind, uid, rule: 'ref', index: reference.field, key: reference.key });
        return false;
      });
      const state = { kind: this.#id(kind), kindName: kind, id, index: { ...index, unique, references } };
      this.#writer.add(state);
    }
    return problems;
  }

  release(served: readonly string[]): void {
    const kinds = JSON.stringify(served);
    if (this.#sql.release.run(kinds).changes > 0) this.#sql.outdate.run(kinds);
  }

  dangling(): IndexProblem[] {
    return this.#sql.dangling.all().map(({ key, ...row }) => ({ ...row, rule: 'ref', key: keyFrom(key) }));
  }

  misnamed(kind: string): IndexProblem[] {
    const rows = this.#sql.misnamed.all(this.#id(kind), NAME_INDEX);
    return rows.map(({ uid, other }) => ({ kind, uid, rule: 'name', index: NAME_INDEX, other }));
  }

  note(kind: string, digest: string | undefined): void {
    if (digest === undefined) this.#sql.unnote.run(kind);
    else this.#sql.note.run(kind, digest);
  }

  /** Returns the id of a kind; one that nothing has of a kind that was never stored. */
  #id(kind: string): number {
    return this.#kinds.find(kind) ?? -1;
  }
}

function prepare(connection: Connection) {
  const own = 'index_id IN (SELECT id FROM indexes WHERE kind = ?)';
  return {
    count: connection.prepare<{ count: number }>('SELECT count(*) AS count FROM resources WHERE kind = ?'),
    uid: connection.prepare<{ uid: string }>('SELECT uid FROM resources WHERE id = ?'),
    rows: connection.prepare<UnplacedResource>(firstResources('kind = ? AND id > ?', '?')),
    clear: ['refs', 'uniques', 'fields'].map((table) =>
      connection.prepare(`DELETE FROM ${table} WHERE ${own}`),
    ),
    release: connection.prepare(
      `DELETE FROM refs WHERE index_id IN (
         SELECT x.id FROM indexes x JOIN kinds k ON k.id = x.kind WHERE k.name NOT IN (SELECT value FROM json_each(?))
       ) AND (NOT EXISTS (SELECT 1 FROM uniques u WHERE u.index_id = target_index AND u.key = target_key)
         OR NOT EXISTS (SELECT 1 FROM resources r WHERE r.id = resource))`,
    ),
    outdate: connection.prepare(
      "UPDATE index_states SET digest = '' WHERE kind NOT IN (SELECT value FROM json_each(?))",
    ),
    dangling: connection.prepare<{ kind: string; uid: string; index: string; key: Uint8Array }>(
      `SELECT k.name AS kind, r.uid, x.name AS "index", f.target_key AS key
       FROM refs f CROSS JOIN resources r ON r.id = f.resource CROSS JOIN kinds k ON k.id = r.kind
       CROSS JOIN indexes x ON x.id = f.index_id
       WHERE NOT EXISTS (SELECT 1 FROM uniques u WHERE u.index_id = f.target_index AND u.key = f.target_key)
       LIMIT ${MAX_PROBLEMS}`,
    ),
    misnamed: connection.prepare<{ uid: string; other: string }>(
      `SELECT n.uid, r.uid AS other FROM resources r
       CROSS JOIN indexes x ON x.kind = r.kind
       CROSS JOIN uniques u ON u.index_id = x.id AND u.key = CAST(r.uid AS BLOB) AND u.resource <> r.id
       CROSS JOIN resources n ON n.id = u.resource
       WHERE r.kind = ? AND x.name = ? LIMIT ${MAX_PROBLEMS}`,
    ),
    note: connection.prepare(
      'INSERT INTO index_states VALUES (?, ?) ON CONFLICT (kind) DO UPDATE SET digest = excluded.digest',
    ),
    unnote: connection.prepare('DELETE FROM index_states WHERE kind = ?'),
  };
}
