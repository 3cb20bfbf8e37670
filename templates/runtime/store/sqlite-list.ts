import { setImmediate } from 'node:timers/promises';
import { partQuery, planList, type Part, type Plan, type Query } from './list-query';
import type { Connection, SqlValue, Statement } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import type { ListQuery, MaybePromise, StoredResource } from './store';

const COLUMNS = 'r.id, r.uid, r.revision, r.version, r.text, r.etag, r.kept';

/** The columns above. Drivers make an array in half the time of an object. */
type ResourceRow = [number, string, number, string, string, string, string | null];

/** How many resources a long search looks at, at once, per requirement: a few milliseconds. */
const STEP = 10_000;

/** How many forms of queries are kept prepared. */
const KEPT_FORMS = 100;

/** SQLite has no infinity, and no page is longer. */
const MOST = 2 ** 31;

/** The lists of a store: pages in order of creation, selected through the label index. */
export class SqliteList {
  readonly #forms = new Map<string, Statement>();
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
    const statement = this.#form(sql);
    if (statement.setReturnArrays === undefined)
      return statement.all(...parameters) as object[] as StoredResource[];
    statement.setReturnArrays(true);
    return (statement.all(...parameters) as object[] as ResourceRow[]).map(toResource);
  }

  #count({ sql, parameters }: Query): number {
    return Number(this.#form(sql).get(...parameters)?.count);
  }

  /** The statement of a form of query, prepared once. */
  #form(sql: string): Statement {
    const known = this.#forms.get(sql);
    if (known !== undefined) return known;
    if (this.#forms.size >= KEPT_FORMS) this.#forms.clear();
    const statement = this.connection.prepare(sql);
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
