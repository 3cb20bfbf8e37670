import { statSync } from 'node:fs';
import { summedBytes } from '../first-rows';
import { retryBusy } from '../retry-busy';
import { connect, type Connection, type Row } from '../sqlite/connection/driver';
import { guard, storeError } from '../sqlite/connection/errors';
import { checkDatabase } from '../sqlite/file/database-check';
import { databaseFile, isOpenElsewhere } from '../sqlite/file/database-file';
import { MIGRATIONS, schemaVersion } from '../sqlite/file/migrations';
import { StoreRefused } from '../store';
import type { CopiedTable } from './tables';

/** Maximum size of a chunk of rows. */
const ROWS = 1_000;
const BYTES = 4 * 1024 * 1024;

/** Columns whose lengths make the difference. */
const LONG = new Set(['text', 'kept']);

/**
 * A SQLite store as it is at one moment, while services may continue to write it. It is opened read-only. All methods
 * throw StoreUnavailable where the file cannot be read.
 */
export class CopySource {
  private constructor(
    private readonly connection: Connection,
    /** True if another process has the file open: its later writes are not seen here. */
    readonly inUse: boolean,
  ) {}

  /** Throws StoreRefused where there is no store of this name, or one that this service cannot read. */
  static async open(name: string, busyTimeoutMs: number): Promise<CopySource> {
    const deadline = performance.now() + busyTimeoutMs;
    try {
      const path = databaseFile(name);
      if (!statSync(path, { throwIfNoEntry: false })?.size)
        throw new StoreRefused(`there is no database at ${name}`);
      await retryBusy(() => checkDatabase(path), deadline);
      const inUse = isOpenElsewhere(path);
      const connection = await retryBusy(() => snapshot(path), deadline);
      return new CopySource(connection, inUse);
    } catch (error) {
      throw storeError(error);
    }
  }

  /** Returns the number of rows of a table. */
  count({ name }: CopiedTable): number {
    return this.#number(`SELECT count(*) AS number FROM ${name}`);
  }

  /** Returns the last number that the database assigned in a table, perhaps to a deleted row. */
  lastNumber({ name, numbered }: CopiedTable): number {
    const given = `(SELECT seq FROM sqlite_sequence WHERE name = '${name}')`;
    return this.#number(`SELECT coalesce(${given}, max(${numbered}), 0) AS number FROM ${name}`);
  }

  /** Returns the position of the last removed event. */
  pruned(): number {
    return this.#number('SELECT pruned AS number FROM event_mark');
  }

  /** Yields the rows of a table in chunks: as many as memory should hold, and at least one. */
  *rows({ name, from = name, key, columns }: CopiedTable): Generator<Row[]> {
    const read = Object.keys(columns);
    if (key === undefined) {
      yield guard(() => this.connection.prepare(`SELECT ${read.join(', ')} FROM ${from}`).all());
      return;
    }
    const bytes = read
      .filter((column) => LONG.has(column))
      .map((column) => `coalesce(octet_length(${column}), 0)`);
    const sized = `SELECT ${key} AS at, ${bytes.join(' + ')} AS bytes FROM ${name}
      WHERE ${key} > ? ORDER BY ${key} LIMIT ${ROWS}`;
    const page = guard(() =>
      this.connection.prepare<Row & { at: number }>(
        `SELECT ${read.map((column) => `t.${column}`).join(', ')}, page.at
         FROM ${summedBytes(sized, 'at')} page CROSS JOIN ${from} t ON t.${key} = page.at
         WHERE page.before < ${BYTES} ORDER BY page.at`,
      ),
    );
    for (let after = 0; ;) {
      const rows = guard(() => page.all(after));
      if (rows.length === 0) return;
      after = rows.at(-1)!.at;
      yield rows;
    }
  }

  close(): void {
    this.connection.close();
  }

  #number(sql: string): number {
    return guard(() => this.connection.prepare<{ number: number }>(sql).get())?.number ?? 0;
  }
}

/** Opens a connection with a transaction that sees the database as it is now. */
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
