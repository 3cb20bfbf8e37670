import type { Condition } from '../../sql';
import type { Connection, Statement } from './driver';

/** Maximum number of prepared statements. */
const MOST_PREPARED = 200;

/** The statements of queries of few forms, each prepared once. */
export class StatementCache {
  readonly #statements = new Map<string, Statement<unknown>>();

  constructor(private readonly connection: Connection) {}

  /** Returns the statement with this text; `R` is the shape of its rows. */
  get<R>(sql: string): Statement<R> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known as Statement<R>;
    if (this.#statements.size >= MOST_PREPARED) this.#statements.clear();
    const statement = this.connection.prepare<R>(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs a query with the single column `count`. */
  count({ sql, parameters }: Condition): number {
    return this.get<{ count: number }>(sql).get(...parameters)!.count;
  }
}
