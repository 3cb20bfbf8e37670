import { behind, compared, entryCondition, entryOrder, inOrder } from '../../indexing/entry-queries';
import { type Key, keyFrom } from '../../indexing/key';
import type { FieldRequirement } from '../../indexing/requirement';
import { allOf, type Condition } from '../../sql';
import { ANY_TEXT, type Listed, type ListQuery, type Sort, type StoredResource } from '../../store';
import type { StatementCache } from '../connection/statement-cache';
import type { ListCondition } from '../parts/list-condition';
import { BOUND, findFewest } from '../reads/list-query';
import { COLUMNS, type ListedArray, type ListedRow, toListed } from '../reads/listed-row';

/** The conditions of a list, in which `own` are ranges of the index that it is sorted by and `others` the rest. */
export interface SortedConditions {
  all: ListCondition[];
  own: FieldRequirement[];
  others: ListCondition[];
}

/** Number of entries that a step of a search looks at, per requirement. */
const STEP = 10_000;

/** A search: its order and its conditions. */
interface Search {
  sort: Sort;
  maxText: number;
  /** Conditions on entries `s`: of the index, and of the keys that are asked for. */
  within: Condition;
  /** Conditions on resources. */
  others: ListCondition[];
  /** Returns the number of entries to look at in one step, where `left` more rows are wanted. */
  step(left: number): number;
}

/** The place where a search goes on: within the resources with one key, or with the keys that come after one. */
type Place = { key: Key; after: number | undefined } | { beyond: Key | undefined; isIncluded: boolean };

type Rows = Listed<StoredResource>[];

/**
 * Lists in the order of an index. Ties may go the other way than the keys, so the index is gone through in parts that hold all
 * resources of each key, and a key with many resources by itself.
 */
export class SortedList {
  constructor(private readonly statements: StatementCache) {}

  /** The steps of a search for a page; it yields between them. */
  *search(index: number, query: ListQuery, conditions: SortedConditions): Generator<void, Rows> {
    const { limit, sort = {}, after, afterKey, maxText = ANY_TEXT } = query;
    const { own, others, all } = conditions;
    const step = Math.ceil(STEP / (others.length + 1));
    const search: Search = {
      sort,
      maxText,
      within: entryCondition('s', index, own),
      others,
      step: (left) => (others.length === 0 ? left : step),
    };
    const start: Place =
      afterKey === undefined ? { beyond: undefined, isIncluded: false } : { key: afterKey, after };
    if (others.length > 0) {
      const fewest = findFewest(all, (counted) => this.statements.count(counted));
      if (fewest !== undefined) return this.#gathered(search, fewest, all, start, limit);
    }
    return yield* this.#walk(search, start, limit);
  }

  *#walk(search: Search, start: Place, limit: number): Generator<void, Rows> {
    const found: Rows = [];
    for (let place: Place | undefined = start; place !== undefined;) {
      const left = limit - found.length;
      const next: { rows: Rows; place: Place | undefined } =
        'key' in place ? this.#tied(search, place, left) : this.#untied(search, place, left);
      found.push(...next.rows);
      place = found.length === limit ? undefined : next.place;
      if (place !== undefined && search.others.length > 0) yield;
    }
    return found;
  }

  /** Some resources with one key. */
  #tied(search: Search, { key, after }: { key: Key; after: number | undefined }, left: number) {
    const newestFirst = search.sort.newestFirst ?? false;
    const from = [
      compared('s.key', '=', key),
      ...(after === undefined
        ? []
        : [{ sql: `s.resource ${newestFirst ? '<' : '>'} ?`, parameters: [after] }]),
    ];
    const order = `s.resource${newestFirst ? ' DESC' : ''}`;
    const edge = this.#edge<{ resource: number }>(search, from, order, left)?.resource;
    const part =
      edge === undefined ? [] : [{ sql: `s.resource ${newestFirst ? '>=' : '<='} ?`, parameters: [edge] }];
    const rows = this.#rows(search, [...from, ...part], left);
    const place: Place = edge === undefined ? { beyond: key, isIncluded: false } : { key, after: edge };
    return { rows, place };
  }

  /** All resources with some keys. */
  #untied(
    search: Search,
    { beyond, isIncluded }: { beyond: Key | undefined; isIncluded: boolean },
    left: number,
  ) {
    const { descending = false } = search.sort;
    const operator = `${descending ? '<' : '>'}${isIncluded ? '=' : ''}`;
    const from = beyond === undefined ? [] : [compared('s.key', operator, beyond)];
    const order = entryOrder({ descending, newestFirst: descending });
    const first = this.#edge<{ key: Uint8Array }>(search, from, order, 1);
    if (first === undefined) return { rows: [], place: undefined };
    const edge = this.#edge<{ key: Uint8Array }>(search, from, order, search.step(left));
    if (edge === undefined) return { rows: this.#rows(search, from, left), place: undefined };
    const [firstKey, key] = [keyFrom(first.key), keyFrom(edge.key)];
    if (firstKey === key) return { rows: [], place: { key, after: undefined } };
    const part = compared('s.key', descending ? '>' : '<', key);
    return { rows: this.#rows(search, [...from, part], left), place: { beyond: key, isIncluded: true } };
  }

  /** The entry at the end of a step; undefined where there are fewer. */
  #edge<R>({ within }: Search, from: Condition[], order: string, step: number): R | undefined {
    const { sql, parameters } = allOf([within, ...from]);
    const text = `SELECT s.key, s.resource FROM fields s WHERE ${sql} ORDER BY ${order} LIMIT 1 OFFSET ? + 0`;
    return this.statements.get<R>(text).get(...parameters, step - 1);
  }

  #rows(search: Search, part: Condition[], limit: number): Rows {
    const others = search.others.map((condition) => condition.lookUp('s.resource'));
    const { sql, parameters } = allOf([search.within, ...part, ...others]);
    return this.#read(search, { sql: `fields s WHERE ${sql}`, parameters }, limit);
  }

  /** A page of a list whose resources are few, sorted after they were found. */
  #gathered(search: Search, fewest: ListCondition, all: ListCondition[], start: Place, limit: number): Rows {
    const { table, where } = fewest.source!;
    const others = all.filter((condition) => condition !== fewest);
    const { sql, parameters } = allOf([
      search.within,
      ...('key' in start && start.after !== undefined
        ? [behind({ key: start.key, id: start.after }, search.sort)]
        : []),
      ...others.map((condition) => condition.lookUp('s.resource')),
    ]);
    return this.#read(
      search,
      {
        sql: `(SELECT DISTINCT s.resource FROM ${table} s WHERE ${where.sql}) few
              CROSS JOIN fields s ON s.resource = few.resource WHERE ${sql}`,
        parameters: [...where.parameters, ...parameters],
      },
      limit,
    );
  }

  #read({ sort, maxText }: Search, { sql, parameters }: Condition, limit: number): Rows {
    const text = `SELECT ${COLUMNS}, page.key AS "sortKey" FROM (
        SELECT s.resource AS id, s.key FROM ${sql} ORDER BY ${entryOrder(sort)} LIMIT ${BOUND}
      ) page CROSS JOIN resources r ON r.id = page.id`;
    const statement = this.statements.get<SortedRow | SortedArray>(text);
    statement.setReturnArrays?.(true);
    return statement
      .all(maxText, maxText, ...parameters, limit)
      .map(toSorted)
      .sort(inOrder(sort));
  }
}

/** The columns of a row and its key, as an array or from a driver that makes none. */
type SortedArray = [...ListedArray, sortKey: Uint8Array];
type SortedRow = ListedRow & { sortKey: Uint8Array };

function toSorted(row: SortedRow | SortedArray): Listed<StoredResource> & { sortKey: Key } {
  const key = Array.isArray(row) ? row[9] : row.sortKey;
  return Object.assign(toListed(row), { sortKey: keyFrom(key) });
}
