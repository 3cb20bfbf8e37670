import { setImmediate } from 'node:timers/promises';
import {
  ANY_TEXT,
  idRange,
  type Listed,
  type ListedTexts,
  type ListQuery,
  type MaybePromise,
  type StoredResource,
} from '../../store';
import type { Statement } from '../connection/driver';
import type { Reading } from '../connection/reading';
import { StatementCache } from '../connection/statement-cache';
import { labelCondition, type ListCondition } from '../parts/list-condition';
import type { FieldLists, SqlitePart } from '../parts/sqlite-parts';
import { type Part, partQuery, type Plan, planList } from './list-query';
import { COLUMNS, type ListedArray, type ListedRow, TEXT, toListed } from './listed-row';

interface JoinedRow {
  /** Null for no rows. */
  joined: string | null;
  count: number;
  /** Number of rows stored in the requested version. */
  current: number;
  /** Number of texts that are there and not too long. */
  short: number;
  /** The id and the text of the last row. */
  last: number;
  lastText: string;
}

/** Joins the texts of rows that come in order. With max(), SQLite takes columns without a function from the row of the maximum. */
function joining(rows: string): string {
  return `SELECT group_concat(text, ',') AS joined, count(*) AS count,
            count(*) FILTER (WHERE version = ?) AS current, count(*) FILTER (WHERE text <> '') AS short,
            max(id) AS last, text AS lastText
          FROM (${rows})`;
}

/** Number of resources that one step of a long search scans, per requirement: a few milliseconds. */
const STEP = 10_000;

/** SQLite has no infinity, and no page is longer. */
const MOST = 2 ** 31;

/** A range of ids of a kind. */
type Range = Pick<Part, 'after' | 'upTo'>;

/** The lists of a store: pages in order of creation or of a field, selected through the indexes of labels and fields. */
export class SqliteList {
  readonly #statements: StatementCache;
  readonly #fields: FieldLists | undefined;
  readonly #first: Statement<{ id: number }>;
  readonly #last: Statement<{ id: number }>;

  constructor(
    private readonly reading: Reading,
    indexing?: SqlitePart,
  ) {
    const { connection } = reading;
    this.#statements = new StatementCache(connection);
    this.#fields = indexing?.lists?.(connection, this.#statements);
    this.#first = connection.prepare(
      'SELECT id FROM resources WHERE kind = ? AND id > ? AND id <= ? ORDER BY id LIMIT 1',
    );
    this.#last = connection.prepare(
      'SELECT id FROM resources WHERE kind = ? AND id > ? AND id <= ? ORDER BY id DESC LIMIT 1',
    );
  }

  /**
   * Returns a page, at once where few resources have to be scanned. A long search runs in steps, and other requests get
   * their turn between them.
   */
  page(kind: number, query: ListQuery): MaybePromise<Listed<StoredResource>[]> {
    const limit = Math.min(query.limit, MOST);
    const { maxText = ANY_TEXT } = query;
    let search: Generator<void, Listed<StoredResource>[]>;
    if (query.sort?.index === undefined) {
      const plan = this.#plan(kind, query);
      const part = partOf(query, limit);
      if (!plan.long) return this.#part(plan, part, maxText);
      search = this.#search(plan, part, maxText);
    } else {
      search = this.#fields!.sorted(kind, { ...query, limit }, labelConditions(kind, query));
    }
    const first = search.next();
    return first.done ? first.value : continued(search, this.reading);
  }

  /**
   * Returns a page's texts joined by SQLite itself; undefined for a long search, a sorted list, and where not all are
   * stored in `version`.
   */
  texts(kind: number, query: ListQuery, version: string): ListedTexts | undefined {
    if (query.sort !== undefined) return undefined;
    const plan = this.#plan(kind, query);
    if (plan.long) return undefined;
    const { limit, maxText = ANY_TEXT } = query;
    // One row more than requested shows whether anything follows.
    const part = partOf(query, Math.min(limit, MOST) + 1);
    const { sql, parameters } = partQuery(plan, part, `r.id, r.version, ${TEXT}`);
    const row = this.#statements.get<JoinedRow>(joining(sql)).get(version, maxText, ...parameters)!;
    const { count, last, lastText } = row;
    if (row.current < count || row.short < count) return undefined;
    const joined = row.joined ?? '';
    if (count < part.limit) return { joined, count, next: undefined };
    return { joined: joined.slice(0, -lastText.length - 1), count: limit, next: last - 1 };
  }

  #plan(kind: number, query: ListQuery): Plan {
    const conditions = labelConditions(kind, query);
    if (this.#fields !== undefined) conditions.push(...this.#fields.conditions(kind, query));
    return planList(kind, conditions, (counted) => this.#statements.count(counted));
  }

  /** Runs a long search in order of ids in steps; it yields between them and returns the page. */
  *#search(plan: Plan, part: Part, maxText: number): Generator<void, Listed<StoredResource>[]> {
    const step = Math.ceil(STEP / (plan.others.length + 1));
    const found: Listed<StoredResource>[] = [];
    for (let left = this.#narrow(plan.kind, part); left !== undefined; left = this.#narrow(plan.kind, left)) {
      const { after, upTo } = part.descending
        ? { after: Math.max(left.upTo - step, left.after), upTo: left.upTo }
        : { after: left.after, upTo: Math.min(left.after + step, left.upTo) };
      found.push(...this.#part(plan, { ...part, after, upTo, limit: part.limit - found.length }, maxText));
      if (found.length === part.limit) break;
      left = part.descending ? { after: left.after, upTo: after } : { after: upTo, upTo: left.upTo };
      yield;
    }
    return found;
  }

  /** Returns the range from the first to the last resource of a range; undefined where there is none. */
  #narrow(kind: number, { after, upTo }: Range): Range | undefined {
    const first = this.#first.get(kind, after, upTo);
    const last = this.#last.get(kind, after, upTo);
    return first && last && { after: first.id - 1, upTo: last.id };
  }

  #part(plan: Plan, part: Part, maxText: number): Listed<StoredResource>[] {
    const { sql, parameters } = partQuery(plan, part, COLUMNS);
    const statement = this.#statements.get<ListedRow | ListedArray>(sql);
    statement.setReturnArrays?.(true);
    return statement.all(maxText, maxText, ...parameters).map(toListed);
  }
}

function labelConditions(kind: number, { selector }: ListQuery): ListCondition[] {
  return selector.map((requirement) => labelCondition(kind, requirement));
}

/** Returns the first part of a list in order of ids. */
function partOf(query: ListQuery, limit: number): Part {
  const [after, upTo] = idRange(query);
  return { after, upTo, limit, descending: query.sort?.descending };
}

async function continued<T>(search: Generator<void, T>, reading: Reading): Promise<T> {
  for (;;) {
    await setImmediate();
    const { done, value } = reading.run(() => search.next());
    if (done) return value;
  }
}
