import { behind, entryCondition, entryOrder, inOrder } from '../../indexing/entry-queries';
import { keyFrom } from '../../indexing/key';
import { type FieldRequirement, isRange, isSingle } from '../../indexing/requirement';
import { allOf } from '../../sql';
import { ANY_TEXT, idRange, type Listed, listed, type ListQuery, type StoredResource } from '../../store';
import type { OpenedStore } from '../postgres-parts';
import { labelCondition } from '../statements/labels';
import { bounded, columnParameters, COLUMNS, fewOf, numbered } from '../statements/list';
import { NO_INDEX } from './entries';
import type { PostgresIndexIds } from './index-ids';
import { sortedPage, type Sql } from './sorted-page';

/** A set of resources that can be gone through instead of all: its column is `resource`. */
interface Source {
  rows: Sql;
  /** The same resources, each once. */
  distinct: Sql;
  /** The requirement that it meets. */
  requirement: FieldRequirement | 'labels';
}

/** A source with more rows than this is not gone through as a whole. */
const MANY = 1000;

/** The resource `r` of each row. With OFFSET it is looked up: the server cannot know how few rows there are. */
const LOOKED_UP = 'CROSS JOIN LATERAL (SELECT * FROM resources WHERE id = few.resource OFFSET 0) r';

/** Lists that are selected or sorted by fields. */
export class PostgresFieldLists {
  constructor(
    private readonly store: OpenedStore,
    private readonly ids: PostgresIndexIds,
  ) {}

  /** Returns whether a list is selected or sorted by fields. */
  selects({ fields = [], sort }: ListQuery): boolean {
    return fields.length > 0 || sort?.index !== undefined;
  }

  /** Returns a page of the resources of a kind. */
  async page(kind: number, query: ListQuery): Promise<Listed<StoredResource>[]> {
    const { fields = [], sort = {}, limit, maxText = ANY_TEXT } = query;
    const ids = await this.ids.find(kind, [
      ...new Set([...fields.map(({ index }) => index), ...(sort.index === undefined ? [] : [sort.index])]),
    ]);
    const plan = new Plan(kind, query, ids, await this.store.labels.areFew(kind, query.selector));
    const source = plan.isDirect() ? undefined : await this.#fewest(plan.sources());
    const page = plan.page(source);
    const key = sort.index === undefined ? 'NULL::bytea' : 'page.key';
    const rows = await this.store.reads.read<StoredResource & { omitted: number | null; key: Buffer | null }>(
      numbered({
        sql: `SELECT ${COLUMNS}, ${key} AS key FROM (${page.sql}) page JOIN resources r ON r.id = page.resource`,
        parameters: [...columnParameters(maxText), ...page.parameters],
      }),
    );
    const found = rows.map(({ key, ...row }) => ({
      ...listed(row),
      sortKey: key === null ? '' : keyFrom(key),
    }));
    if (sort.index !== undefined) return found.sort(inOrder(sort)).slice(0, limit);
    return found
      .map(({ sortKey: _, ...row }) => row)
      .sort(sort.descending ? (a, b) => b.id - a.id : (a, b) => a.id - b.id);
  }

  /** Returns the source with the fewest rows, unless each has many. */
  async #fewest(sources: readonly Source[]): Promise<Source | undefined> {
    if (sources.length === 0) return undefined;
    const parameters = sources.flatMap(({ rows }) => rows.parameters);
    const counts = sources.map(({ rows }) => `(SELECT count(*) FROM (${rows.sql} LIMIT ${MANY}) counted)`);
    const [row] = await this.store.reads.read<{ counts: number[] }>(
      numbered({ sql: `SELECT ARRAY[${counts.join(', ')}]::integer[] AS counts`, parameters }),
    );
    const fewest = Math.min(...row.counts);
    return fewest < MANY ? sources[row.counts.indexOf(fewest)] : undefined;
  }
}

/** The conditions of a list, and the queries that they make. */
class Plan {
  constructor(
    private readonly kind: number,
    private readonly query: ListQuery,
    private readonly ids: ReadonlyMap<string, number>,
    /** Set where few resources meet the selector of labels. */
    private readonly areFew: boolean,
  ) {}

  /** Returns whether the page is the beginning of a range of one index, as it is. */
  isDirect(): boolean {
    const { fields = [], sort, selector } = this.query;
    if (selector.length > 0) return false;
    if (sort?.index !== undefined) return fields.every((each) => this.#isOwn(each));
    return fields.length === 1 && isSingle(fields[0]);
  }

  /** Returns the sources that can be gone through. */
  sources(): Source[] {
    const { fields = [], selector } = this.query;
    const isPositive = selector.some(({ operator }) => operator === 'in' || operator === 'exists');
    const found = fields
      .filter(({ operator }) => operator !== 'notin')
      .map((requirement): Source => {
        const rows = this.#rowsOf(requirement, 'SELECT');
        return { requirement, rows, distinct: this.#rowsOf(requirement, 'SELECT DISTINCT') };
      });
    return isPositive ? [...found, this.#labelled()] : found;
  }

  /** The resources that meet the selector of labels. */
  #labelled(): Source {
    const labels = labelCondition(this.kind, this.query.selector);
    const rows = this.areFew
      ? fewOf(labels)
      : { ...labels, sql: `SELECT r.id AS resource FROM resources r WHERE ${labels.sql}` };
    return { requirement: 'labels', rows, distinct: rows };
  }

  /** Returns the query for the ids of a page, with their keys where it is sorted; `source` is gone through where it is given. */
  page(source: Source | undefined): Sql {
    if (this.query.sort?.index === undefined) return this.#inOrderOfIds(source);
    const { sort, after, afterKey, limit } = this.query;
    const position = afterKey === undefined ? undefined : { key: afterKey, id: after };
    if (source === undefined) {
      const others = this.#others(undefined, 's.resource');
      return sortedPage({
        within: this.#within(),
        others,
        needsResource: this.query.selector.length > 0,
        sort,
        position,
        limit,
      });
    }
    const few = source.distinct;
    const where = allOf<unknown>([
      this.#within(),
      ...(position === undefined ? [] : [behind(position, sort)]),
      ...this.#others(source, 's.resource'),
    ]);
    return {
      sql: `WITH few AS MATERIALIZED (${few.sql}) SELECT s.resource, s.key FROM few
        CROSS JOIN LATERAL (SELECT * FROM fields WHERE resource = few.resource OFFSET 0) s ${LOOKED_UP}
        WHERE ${where.sql} ORDER BY ${entryOrder(sort)} LIMIT ?`,
      parameters: [...few.parameters, ...where.parameters, bounded(limit)],
    };
  }

  #inOrderOfIds(source: Source | undefined): Sql {
    const { sort, limit, fields = [] } = this.query;
    const part = (id: string): Sql => ({ sql: `${id} > ? AND ${id} <= ?`, parameters: idRange(this.query) });
    const order = sort?.descending ? ' DESC' : '';
    if (this.isDirect()) {
      const where = allOf<unknown>([this.#inIndex('s', fields[0]), part('s.resource')]);
      return {
        sql: `SELECT s.resource FROM fields s WHERE ${where.sql} ORDER BY s.resource${order} LIMIT ?`,
        parameters: [...where.parameters, bounded(limit)],
      };
    }
    const where = allOf<unknown>([part('r.id'), ...this.#others(source, 'r.id')]);
    const rows = source?.distinct;
    const few = rows === undefined ? '' : `WITH few AS MATERIALIZED (${rows.sql}) `;
    const from = rows === undefined ? 'resources r' : `few ${LOOKED_UP}`;
    return {
      sql: `${few}SELECT r.id AS resource FROM ${from} WHERE ${where.sql} ORDER BY r.id${order} LIMIT ?`,
      parameters: [...(rows?.parameters ?? []), ...where.parameters, bounded(limit)],
    };
  }

  /** The entries `s` of the index that the list is sorted by, within what is asked for of it. */
  #within(): Sql {
    const { fields = [], sort } = this.query;
    const own = fields.filter((each) => this.#isOwn(each));
    return entryCondition('s', this.#id(sort!.index!), own);
  }

  /** The conditions that neither a source nor the range of the sorted index meets. Labels are those of a resource `r`. */
  #others(source: Source | undefined, id: string): Sql[] {
    const { fields = [], selector, sort } = this.query;
    const others = fields.filter((each) => each !== source?.requirement && !this.#isOwn(each));
    const labels = source?.requirement !== 'labels' && (selector.length > 0 || sort?.index === undefined);
    return [
      ...others.map((requirement): Sql => {
        const { sql, parameters } = this.#inIndex('x', requirement);
        const not = requirement.operator === 'notin' ? 'NOT ' : '';
        // With OFFSET it is looked up for each row, and never joined as a whole.
        return {
          sql: `${not}EXISTS (SELECT FROM fields x WHERE x.resource = ${id} AND ${sql} OFFSET 0)`,
          parameters,
        };
      }),
      ...(labels ? [labelCondition(this.kind, selector)] : []),
    ];
  }

  #isOwn(requirement: FieldRequirement): boolean {
    return requirement.index === this.query.sort?.index && isRange(requirement);
  }

  #rowsOf(requirement: FieldRequirement, select: string): Sql {
    const { sql, parameters } = this.#inIndex('s', requirement);
    return { sql: `${select} s.resource FROM fields s WHERE ${sql}`, parameters };
  }

  #inIndex(alias: string, requirement: FieldRequirement): Sql {
    return entryCondition(alias, this.#id(requirement.index), [requirement]);
  }

  #id(index: string): number {
    return this.ids.get(index) ?? NO_INDEX;
  }
}
