import type { Client } from 'pg';
import { setImmediate } from 'node:timers/promises';
import type { EntriesOfKind, IndexProblem, Progress } from '../../indexes';
import { MAX_PROBLEMS } from '../../indexing/index-state';
import type { IndexedRow } from '../../indexing/rebuild';
import type { StoredResource } from '../../store';
import type { PostgresRebuild } from './rebuild-target';

/** Number of changed resources that are read at once. */
const TOGETHER = 250;

/** A kind, its entries, and the indexes among them that are new. */
export interface NewFields {
  kind: string;
  entries: EntriesOfKind;
  names: readonly string[];
}

/**
 * Adds the entries of indexes that are new to a kind, while others write its resources: nobody else sees these entries
 * before the commit. It notes the revision of each resource that it has read, and makes those again that were written since:
 * at last with the table of resources locked, for the time of that comparison.
 */
export class FieldBuild {
  readonly #names: ReadonlySet<string>;

  /** `made` is the name of a table that is not there yet. */
  constructor(
    private readonly client: Client,
    private readonly target: PostgresRebuild,
    private readonly made: string,
    readonly fields: NewFields,
  ) {
    this.#names = new Set(fields.names);
  }

  /** Returns whether the indexes have no entries yet: a former release may have left some. */
  async isPossible(): Promise<boolean> {
    const text = `SELECT FROM indexes x WHERE kind = $1 AND name = ANY ($2)
      AND EXISTS (SELECT FROM fields f WHERE f.index_id = x.id)`;
    return (await this.client.query(text, [await this.#id(), this.fields.names])).rowCount === 0;
  }

  /** Makes the entries of all resources. */
  async make(progress: Progress = () => undefined): Promise<IndexProblem[]> {
    const { kind } = this.fields;
    const { client } = this;
    if (this.#names.size === 0) return [];
    await client.query(
      `SET LOCAL work_mem = '64MB'; SET LOCAL cursor_tuple_fraction = 1;
       CREATE TEMP TABLE ${this.made} (id bigint PRIMARY KEY, revision bigint NOT NULL) ON COMMIT DROP`,
    );
    const problems: IndexProblem[] = [];
    const all = await this.target.count(kind);
    let done = 0;
    for (let rows = await this.target.rows(kind, 0); rows.length > 0;) {
      problems.push(...(await this.#add(rows)));
      done += rows.length;
      progress(kind, done, all);
      if (problems.length >= MAX_PROBLEMS) return problems;
      await setImmediate();
      rows = await this.target.rows(kind, rows.at(-1)!.id);
    }
    await client.query(`ANALYZE ${this.made}`);
    return problems;
  }

  /** Makes the entries again of what was written or removed since. */
  async catchUp(): Promise<IndexProblem[]> {
    const { client } = this;
    const problems: IndexProblem[] = [];
    if (this.#names.size === 0) return [];
    await client.query(`DECLARE changed NO SCROLL CURSOR FOR
      SELECT coalesce(m.id, r.id) AS id FROM ${this.made} m
      FULL JOIN (SELECT id, revision FROM resources WHERE kind = ${await this.#id()}) r USING (id)
      WHERE m.revision IS DISTINCT FROM r.revision`);
    for (;;) {
      const { rows } = await client.query<{ id: number }>(`FETCH ${TOGETHER} FROM changed`);
      if (rows.length === 0) break;
      problems.push(...(await this.#again(rows.map(({ id }) => id))));
    }
    await client.query('CLOSE changed');
    return problems;
  }

  /** Returns the id of the kind, which may be stored for the first time meanwhile. */
  #id(): Promise<number> {
    return this.target.id(this.fields.kind);
  }

  async #again(ids: readonly number[]): Promise<IndexProblem[]> {
    const own = 'SELECT id FROM indexes WHERE kind = $2 AND name = ANY ($3)';
    await this.client.query(
      `DELETE FROM fields WHERE resource = ANY ($1::bigint[]) AND index_id IN (${own})`,
      [ids, await this.#id(), this.fields.names],
    );
    await this.client.query(`DELETE FROM ${this.made} WHERE id = ANY ($1::bigint[])`, [ids]);
    return this.#add(await this.target.someRows(this.fields.kind, ids));
  }

  async #add(rows: readonly StoredResource[]): Promise<IndexProblem[]> {
    const { kind, entries } = this.fields;
    const problems: IndexProblem[] = [];
    const indexed = rows.map((row): IndexedRow => {
      const { index, tooLong } = entries.of(row);
      for (const field of tooLong) problems.push({ kind, uid: row.uid, rule: 'max=500', index: field });
      const fields = index.fields.filter((entry) => this.#names.has(entry.index));
      return { id: row.id, uid: row.uid, index: { fields, unique: [], references: [] } };
    });
    await this.target.add(kind, indexed);
    await this.client.query(`INSERT INTO ${this.made} SELECT * FROM unnest($1::bigint[], $2::bigint[])`, [
      rows.map(({ id }) => id),
      rows.map(({ revision }) => revision),
    ]);
    return problems;
  }
}
