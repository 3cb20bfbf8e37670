import { setImmediate } from 'node:timers/promises';
import { partQuery, planList, type Part, type Plan, type Query } from './list-query';
import type { Connection, SqlValue, Statement } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import type { ListedTexts, ListQuery, MaybePromise, StoredResource } from './store';

const COLUMNS = 'r.id, r.uid, r.revision, r.version, r.text, r.etag, r.kept';

/** The columns above. Drivers make an array in half the time of an object. */
type ResourceRow = [number, string, number, string, string, string, string | null];

interface JoinedRow {
  /** Null for no rows. */
  joined: string | null;
  count: number;
  /** How many are stored in the version asked for. */
  current: number;
  /** The id and the text of the last row. */
  last: number;
  lastText: string;
}

/** Joins the texts of rows that come in order. With max(), SQLite takes columns without a function from the row of the maximum. */
function joining(rows: string): string {
  return `SELECT group_concat(text, ',') AS joined, count(*) AS count,
            count(*) FILTER (WHERE version = ?) AS current, max(id) AS last, text AS lastText
          FROM (${rows})`;
}

/** How many resources a long search looks at, at once, per requirement: a few milliseconds. */
const STEP = 10_000;

/** How many forms of queries are kept prepared. */
const KEPT_FORMS = 100;

/** SQLite has no infinity, and no page is longer. */
const MOST = 2 ** 31;

/** The lists of a store: pages in order of creation, selected through the label index. */
export class SqliteList {
  readonly #forms = new Map<string, Statement<unknown>>();
  readonly #next: Statement<{ id: number }>;
  readonly #last: Statement<{ id: number }>;

  constructor(private readonly connection: Connection) {
    this.#next = connection.prepare('SELECT id FROM resources WHERE kind = ? AND id > ? ORDER BY id LIMIT 1');
    this.#last = connection.prepare('SELECT id FROM resources WHERE kind = ? ORDER BY id DESC LIMIT 1');
  }

  /**
   * A page, at once where few resources have to be looked at. A long search is made in steps, and other requests get
   * their turn between them; `check` throws when it must not go on.
   */
  page(
    kind: number,
    { after, limit, selector }: ListQuery,
    check: () => void,
  ): MaybePromise<StoredResource[]> {
    const plan = planList(kind, selector, (query) => this.#count(query));
    const bounded = Math.min(limit, MOST);
    if (!plan.long) return this.#part(plan, { after, upTo: Number.MAX_SAFE_INTEGER, limit: bounded });
    const search = this.#search(plan, { after, limit: bounded, selector });
    const first = search.next();
    return first.done ? first.value : continued(search, check);
  }

  /** A page's texts joined by SQLite itself; undefined for a long search, and where not all are stored in `version`. */
  texts(kind: number, { after, limit, selector }: ListQuery, version: string): ListedTexts | undefined {
    const plan = planList(kind, selector, (query) => this.#count(query));
    if (plan.long) return undefined;
    // One more than asked for: it tells whether anything follows.
    const part = { after, upTo: Number.MAX_SAFE_INTEGER, limit: Math.min(limit, MOST) + 1 };
    const { sql, parameters } = partQuery(plan, part, 'r.id, r.version, r.text');
    const row = this.#form<JoinedRow>(joining(sql)).get(version, ...parameters)!;
    const { count, last, lastText } = row;
    if (row.current < count) return undefined;
    const joined = row.joined ?? '';
    if (count < part.limit) return { joined, count, next: undefined };
    return { joined: joined.slice(0, -lastText.length - 1), count: limit, next: last - 1 };
  }

  /** The steps of a long search; it yields between them and returns the page. */
  *#search(plan: Plan, { after, limit, selector }: ListQuery): Generator<void, StoredResource[]> {
    const step = Math.ceil(STEP / selector.length);
    const last = this.#last.get(plan.kind)?.id ?? 0;
    const found: StoredResource[] = [];
    for (
      let next = this.#next.get(plan.kind, after);
      next !== undefined;
      next = this.#next.get(plan.kind, after)
    ) {
      const upTo = next.id + step;
      found.push(...this.#part(plan, { after, upTo, limit: limit - found.length }));
      if (found.length === limit || upTo >= last) break;
      after = upTo;
      yield;
    }
    return found;
  }

  #part(plan: Plan, part: Part): StoredResource[] {
    const { sql, parameters } = partQuery(plan, part, COLUMNS);
    return this.#rows(sql, parameters);
  }

  #rows(sql: string, parameters: SqlValue[]): StoredResource[] {
    const statement = this.#form<StoredResource | ResourceRow>(sql);
    if (statement.setReturnArrays === undefined) return statement.all(...parameters) as StoredResource[];
    statement.setReturnArrays(true);
    return (statement.all(...parameters) as ResourceRow[]).map(toResource);
  }

  #count({ sql, parameters }: Query): number {
    return this.#form<{ count: number }>(sql).get(...parameters)!.count;
  }

  /** The statement of a form of query, prepared once. */
  #form<R>(sql: string): Statement<R> {
    const known = this.#forms.get(sql);
    if (known !== undefined) return known as Statement<R>;
    if (this.#forms.size >= KEPT_FORMS) this.#forms.clear();
    const statement = this.connection.prepare<R>(sql);
    this.#forms.set(sql, statement);
    return statement;
  }
}

async function continued<T>(search: Generator<void, T>, check: () => void): Promise<T> {
  try {
    for (;;) {
      await setImmediate();
      check();
      const { done, value } = search.next();
      if (done) return value;
    }
  } catch (error) {
    throw storeError(error);
  }
}

function toResource([id, uid, revision, version, text, etag, kept]: ResourceRow): StoredResource {
  return { id, uid, revision, version, text, etag, kept };
}
