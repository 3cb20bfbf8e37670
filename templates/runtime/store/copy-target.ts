import { Client } from 'pg';
import type { CopiedTable } from './copied-tables';
import { clientConfig, DURABLE, type PostgresTimeouts } from './postgres-connections';
import { storeError } from './postgres-errors';
import { migratePostgres } from './postgres-migrations';
import type { Row } from './sqlite-driver';
import { StoreRefused } from './store';

/** What must be so that nothing is overwritten: each with what is said where it is not. */
const CHECKS: [problem: string, sql: string][] = [
  ['it holds what a service has written', 'SELECT EXISTS (SELECT FROM kinds) AS found'],
  ['a service runs on it', 'SELECT EXISTS (SELECT FROM cursors WHERE held_until > now()) AS found'],
];

/**
 * An empty PostgreSQL store that is filled in one transaction: until `commit` nothing of it is there, and when the
 * process ends before, nothing ever was. All methods throw StoreUnavailable when the server cannot be reached.
 */
export class CopyTarget {
  private constructor(private readonly client: Client) {}

  /**
   * Connects, makes the tables and begins. Services that run on it wait with their writes. Throws StoreRefused for a
   * store that is not empty, and StoreBusy.
   */
  static async open(url: string, timeouts: PostgresTimeouts, busyTimeoutMs: number): Promise<CopyTarget> {
    const config = { ...clientConfig(url, timeouts), lock_timeout: busyTimeoutMs };
    await migratePostgres(config);
    const client = new Client(config);
    client.on('error', () => undefined);
    const target = new CopyTarget(client);
    try {
      await client.connect();
      await client.query(DURABLE);
      await client.query('BEGIN');
      await client.query(
        'LOCK TABLE kinds, versions, resources, snapshots, events, cursors IN EXCLUSIVE MODE',
      );
      for (const [problem, sql] of CHECKS) {
        const { rows } = await client.query<{ found: boolean }>(sql);
        if (rows[0].found) throw new StoreRefused(`the target is not empty: ${problem}. ${HOW_TO_MEND}`);
      }
      // Of consumers that were here before, in a log without events.
      await client.query('DELETE FROM cursors');
      return target;
    } catch (error) {
      await target.close();
      throw storeError(error);
    }
  }

  /** Writes rows of a table. */
  add({ name, columns, into = {}, sent = {} }: CopiedTable, rows: readonly Row[]): Promise<void> {
    const read = Object.keys(columns);
    const written = [...new Set([...read, ...Object.keys(into)])];
    const arrays = read.map((column, index) => `$${index + 1}::${columns[column]}[]`).join(', ');
    const text = `INSERT INTO ${name} (${written.join(', ')}) OVERRIDING SYSTEM VALUE
      SELECT ${written.map((column) => into[column] ?? column).join(', ')} FROM unnest(${arrays}) AS t (${read.join(', ')})`;
    const values = read.map((column) => rows.map((row) => sent[column]?.(row) ?? row[column]));
    return this.#run({ name: `copy-${name}`, text, values });
  }

  /** Later numbers of a table follow this one. */
  continueAfter({ name, numbered }: CopiedTable, last: number): Promise<void> {
    const text = 'SELECT setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3 > 0)';
    return this.#run({ text, values: [name, numbered, last] });
  }

  /** Events up to this position were removed. */
  prunedUpTo(position: number): Promise<void> {
    return this.#run({ text: 'UPDATE event_mark SET position = $1', values: [position] });
  }

  /** Makes all of it durable and visible, and has the server count it for its plans. */
  async commit(): Promise<void> {
    await this.#run({ text: 'COMMIT', values: [] });
    await this.#run({ text: 'ANALYZE kinds, versions, resources, snapshots, events', values: [] });
  }

  /** What was not committed is dropped. */
  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  async #run(query: { name?: string; text: string; values: unknown[] }): Promise<void> {
    try {
      await this.client.query(query);
    } catch (error) {
      throw storeError(error);
    }
  }
}

const HOW_TO_MEND =
  'Nothing was copied; name an empty database, or another schema with ?options=-c%20search_path%3D<schema>';
