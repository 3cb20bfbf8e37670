import { statSync } from 'node:fs';
import type { CopiedTable } from './copied-tables';
import { checkDatabase } from './database-check';
import { MIGRATIONS, schemaVersion } from './migrations';
import { retryBusy } from './retry-busy';
import { connect, type Connection, type Row } from './sqlite-driver';
import { storeError } from './sqlite-errors';
import { isOpenElsewhere } from './sqlite-sharing';
import { StoreRefused } from './store';

/** How much is handed over at once. */
const ROWS = 1_000;
const CHARACTERS = 4 * 1024 * 1024;

/** The columns whose lengths make the difference. */
const LONG = new Set(['text', 'kept']);

/**
 * A SQLite store as it is at one moment, while services may go on writing it. It is only read: the file stays as it is.
 * All methods throw StoreUnavailable where the file cannot be read.
 */
export class CopySource {
  private constructor(
    private readonly connection: Connection,
    /** Whether another process has the file open: what it writes from now on is not seen here. */
    readonly inUse: boolean,
  ) {}

  /** Throws StoreRefused where there is no store at `path`, or one that this service cannot read. */
  static async open(path: string, busyTimeoutMs: number): Promise<CopySource> {
    const deadline = performance.now() + busyTimeoutMs;
    if (!statSync(path, { throwIfNoEntry: false })?.size)
      throw new StoreRefused(`there is no database at ${path}`);
    await retryBusy(() => checkDatabase(path), deadline);
    const inUse = isOpenElsewhere(path);
    const connection = await retryBusy(() => snapshot(path), deadline);
    return new CopySource(connection, inUse);
  }

  /** How many rows a table has. */
  count({ name }: CopiedTable): number {
    return this.#number(`SELECT count(*) AS number FROM ${name}`);
  }

  /** The last number that the database gave in a table, to a row that may be gone. */
  lastNumber({ name, numbered }: CopiedTable): number {
    const given = `(SELECT seq FROM sqlite_sequence WHERE name = '${name}')`;
    return this.#number(`SELECT coalesce(${given}, max(${numbered}), 0) AS number FROM ${name}`);
  }

  /** The position of the last event that was removed. */
  pruned(): number {
    return this.#number('SELECT pruned AS number FROM event_mark');
  }

  /** The rows of a table, some at a time: as many as memory should hold, and one at least. */
  *rows({ name, from = name, key, columns }: CopiedTable): Generator<Row[]> {
    const read = Object.keys(columns);
    if (key === undefined)
      return yield this.connection.prepare(`SELECT ${read.join(', ')} FROM ${from}`).all();
    const weight = read
      .filter((column) => LONG.has(column))
      .map((column) => `coalesce(length(${column}), 0)`);
    const page = this.connection.prepare<Row & { at: number }>(
      `SELECT * FROM (
         SELECT *, sum(weight) OVER (ORDER BY at) - weight AS before FROM (
           SELECT ${read.join(', ')}, ${key} AS at, ${weight.join(' + ')} AS weight FROM ${from}
           WHERE ${key} > ? ORDER BY ${key} LIMIT ${ROWS}
         )
       ) WHERE before < ${CHARACTERS} ORDER BY at`,
    );
    for (let after = 0; ;) {
      const rows = page.all(after);
      if (rows.length === 0) return;
      after = rows.at(-1)!.at;
      yield rows;
    }
  }

  close(): void {
    this.connection.close();
  }

  #number(sql: string): number {
    return this.connection.prepare<{ number: number }>(sql).get()?.number ?? 0;
  }
}

/** A connection with a transaction that sees the database as it is now. */
function snapshot(path: string): Connection {
  const connection = connect(path, true);
  try {
    connection.exec('BEGIN');
    const version = schemaVersion(connection);
    if (version < MIGRATIONS.length)
      throw new StoreRefused(
        `${path} was last used by an older version of this service; start this one on it once`,
      );
    connection.prepare('SELECT count(*) FROM kinds').get();
    return connection;
  } catch (error) {
    connection.close();
    throw storeError(error);
  }
}
