import { setImmediate } from 'node:timers/promises';
import type { Client } from 'pg';
import { isUid } from '../../../model/resource';
import type { ResourceIndex } from '../../indexes';
import { type IndexedRow, MAX_PROBLEMS, problemsOf } from '../../indexing/rebuild';
import { NAME_INDEX } from '../../indexing/resource-index';
import type { EntriesOfKind, IndexProblem, NewIndexes, Progress } from '../../indexing/store-indexes';
import { ANY_ID } from '../../store';
import type { UnplacedResource } from '../../stored-resource';
import type { PostgresRebuild } from './rebuild-target';

/** Number of changed resources that are read at once. */
const TOGETHER = 250;

/** The noted revision of a resource that is made again in any case. No resource has it. */
const AGAIN = -1;

/** A kind, its entries, and the indexes among them that are new. */
export interface BuiltKind {
  kind: string;
  entries: EntriesOfKind;
  indexes: NewIndexes;
}

/** Returns the name of a unique index among those of all kinds. */
export function uniqueIndex(kind: string, index: string): string {
  return `${kind} ${index}`;
}

/** The result of a pass over changed resources. */
interface Pass {
  /** The number of resources whose entries were made again. */
  changed: number;
  problems: IndexProblem[];
}

/**
 * Adds the entries of indexes that are new to a kind, while others write its resources: nobody else sees these entries
 * before the commit. It notes the revision of each resource that it has read. Entries of resources that were written
 * since, or had problems, are made again, at last with the table of resources locked, when problems are certain.
 * References need no target before the commit.
 */
export class IndexBuild {
  /** The unique indexes that references point to, as `uniqueIndex` names them. */
  readonly targets = new Set<string>();
  /** The names that may be the uid of another resource. */
  readonly #uidLike = new Set<string>();
  readonly #isEmpty: boolean;

  /** `made` is the name of a table that is not there yet. */
  constructor(
    private readonly client: Client,
    private readonly target: PostgresRebuild,
    private readonly made: string,
    readonly built: BuiltKind,
  ) {
    const { fields, unique, references } = built.indexes;
    this.#isEmpty = fields.length + unique.length + references.length === 0;
  }

  /** Returns whether the indexes have no entries yet: a former release may have left some. */
  async isPossible(): Promise<boolean> {
    return !(await this.target.hasEntries(this.built.kind, this.built.indexes));
  }

  /**
   * Makes the entries of all resources. Returns problems only where there are so many that it gave up; others are found by
   * the last pass.
   */
  async make(progress: Progress = () => undefined): Promise<IndexProblem[]> {
    const { kind } = this.built;
    const { client } = this;
    if (this.#isEmpty) return [];
    await client.query(
      `SET LOCAL work_mem = '64MB'; SET LOCAL cursor_tuple_fraction = 1;
       CREATE TEMP TABLE ${this.made} (id bigint PRIMARY KEY, revision bigint NOT NULL) ON COMMIT DROP`,
    );
    const all = await this.target.count(kind);
    let problems: IndexProblem[] = [];
    let done = 0;
    for (let rows = await this.target.rows(kind, 0); rows.length > 0;) {
      problems.push(...(await this.#add(rows)));
      done += rows.length;
      progress(kind, done, all);
      const last = rows.at(-1)!.id;
      // Those of resources that were written meanwhile are gone at the second attempt.
      if (problems.length >= MAX_PROBLEMS) problems = (await this.catchUp(last)).problems;
      if (problems.length >= MAX_PROBLEMS) return problems;
      await setImmediate();
      rows = await this.target.rows(kind, last);
    }
    await client.query(`ANALYZE ${this.made}`);
    return [];
  }

  /** Makes the entries again of resources that were written or removed since, or had problems, up to an id. */
  async catchUp(upTo = ANY_ID): Promise<Pass> {
    const problems: IndexProblem[] = [];
    if (this.#isEmpty) return { changed: 0, problems };
    // A key that one resource has lost may be that of another: all lose theirs first.
    const ids = await this.#forgetChanged(upTo);
    for (let start = 0; start < ids.length; start += TOGETHER) {
      const some = ids.slice(start, start + TOGETHER);
      for (
        let rows = await this.#next(some, 0);
        rows.length > 0;
        rows = await this.#next(some, rows.at(-1)!.id)
      ) {
        problems.push(...(await this.#add(rows)));
        if (problems.length >= MAX_PROBLEMS) return { changed: ids.length, problems };
      }
    }
    return { changed: ids.length, problems };
  }

  /** Returns resources whose name is the uid of another. */
  async misnamed(): Promise<IndexProblem[]> {
    if (this.#uidLike.size === 0) return [];
    return this.target.misnamed(this.built.kind, [...this.#uidLike]);
  }

  /** Removes the entries of what was written or removed since, and returns its ids. */
  async #forgetChanged(upTo: number): Promise<number[]> {
    const { client } = this;
    const changed: number[] = [];
    await client.query(`DECLARE changed NO SCROLL CURSOR FOR
      SELECT coalesce(m.id, r.id) AS id FROM ${this.made} m FULL JOIN (
        SELECT id, revision FROM resources WHERE kind = ${await this.target.id(this.built.kind)} AND id <= ${upTo}
      ) r USING (id)
      WHERE m.revision IS DISTINCT FROM r.revision`);
    for (;;) {
      const { rows } = await client.query<{ id: number }>(`FETCH ${TOGETHER} FROM changed`);
      if (rows.length === 0) break;
      const ids = rows.map(({ id }) => id);
      await this.target.forget(this.built.kind, this.built.indexes, ids);
      await client.query(`DELETE FROM ${this.made} WHERE id = ANY ($1::bigint[])`, [ids]);
      for (const id of ids) changed.push(id);
    }
    await client.query('CLOSE changed');
    return changed;
  }

  #next(ids: readonly number[], after: number): Promise<UnplacedResource[]> {
    return this.target.someRows(this.built.kind, ids, after);
  }

  async #add(rows: readonly UnplacedResource[]): Promise<IndexProblem[]> {
    const { kind, entries, indexes } = this.built;
    const problems: IndexProblem[] = [];
    const indexed = rows.map((row): IndexedRow => {
      const made = entries.of(row);
      problems.push(...problemsOf(kind, row, made));
      const own = newAmong(made.index, indexes);
      this.#remember(row.uid, own);
      return { id: row.id, uid: row.uid, index: own };
    });
    problems.push(...(await this.target.add(kind, indexed)));
    const failed = new Set(problems.map(({ uid }) => uid));
    await this.client.query(`INSERT INTO ${this.made} SELECT * FROM unnest($1::bigint[], $2::bigint[])`, [
      rows.map(({ id }) => id),
      rows.map(({ uid, revision }) => (failed.has(uid) ? AGAIN : revision)),
    ]);
    return problems;
  }

  #remember(uid: string, { unique, references }: ResourceIndex): void {
    for (const { kind, index } of references) this.targets.add(uniqueIndex(kind, index));
    for (const { index, key } of unique)
      if (index === NAME_INDEX && key !== uid && isUid(key)) this.#uidLike.add(key);
  }
}

/** Returns those entries that are in new indexes. */
export function newAmong(index: ResourceIndex, { fields, unique, references }: NewIndexes): ResourceIndex {
  return {
    fields: index.fields.filter((entry) => fields.includes(entry.index)),
    unique: index.unique.filter((entry) => unique.includes(entry.index)),
    references: index.references.filter(({ field }) => references.includes(field)),
  };
}
