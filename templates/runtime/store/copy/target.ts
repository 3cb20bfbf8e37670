import type { Client } from 'pg';
import { INVALIDATE_INDEXES } from '../postgres/postgres-parts';
import { migratePostgres } from '../postgres/schema/migrations';
import { BEGIN, DURABLE, PATIENTLY } from '../postgres/servers/durable';
import { storeError } from '../postgres/servers/errors';
import { APPLICATION_NAME, type PostgresTimeouts } from '../postgres/servers/hosts';
import { PostgresServers } from '../postgres/servers/servers';
import type { Row } from '../sqlite/connection/driver';
import { StoreRefused } from '../store';
import type { CopiedTable } from './tables';

/** Preconditions of a copy, which prevent overwriting: error message and query of each. */
const CHECKS: [problem: string, sql: string][] = [
  ['it holds what a service has written', 'SELECT EXISTS (SELECT FROM kinds) AS found'],
  ['a service runs on it', 'SELECT EXISTS (SELECT FROM cursors WHERE held_until > now()) AS found'],
];

/** Finds connections of services to the database, perhaps for another schema. */
const IS_SERVED = `SELECT EXISTS (
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND application_name = '${APPLICATION_NAME}' AND pid <> pg_backend_pid()
) AS found`;

/**
 * An empty PostgreSQL store that is filled in one transaction: nothing is visible before `commit`, and nothing remains
 * when the process ends before it. All methods throw StoreUnavailable when the server cannot be reached.
 */
export class CopyTarget {
  private constructor(
    private readonly client: Client,
    /** True if services are connected to its database: until they start again they know nothing of the copied entries. */
    readonly isServed: boolean,
  ) {}

  /**
   * Connects, creates the tables and begins. Writes of services that run on it wait. Throws StoreRefused for a store
   * that is not empty, which stays as it is, and StoreBusy.
   */
  static async open(url: string, timeouts: PostgresTimeouts, busyTimeoutMs: number): Promise<CopyTarget> {
    const servers = new PostgresServers(url, timeouts);
    let isServed = false;
    // It runs in the transaction that makes the tables: where the store is refused, nothing of it is committed.
    const prepare = async (client: Client): Promise<void> => {
      // Later, connections of this process might count that have just ended.
      isServed = (await client.query<{ found: boolean }>(IS_SERVED)).rows[0].found;
      await requireEmpty(client);
      await client.query(INVALIDATE_INDEXES);
    };
    await migratePostgres(servers, { prepare, busyTimeoutMs });
    let target: CopyTarget | undefined;
    try {
      const { client } = await servers.connect();
      target = new CopyTarget(client, isServed);
      await client.query(`${BEGIN}; ${PATIENTLY}; SET LOCAL lock_timeout = ${busyTimeoutMs}; ${DURABLE}`);
      await client.query(
        'LOCK TABLE kinds, versions, resources, snapshots, events, cursors IN EXCLUSIVE MODE',
      );
      await requireEmpty(client);
      // Cursors of earlier consumers, in a log without events.
      await client.query('DELETE FROM cursors');
      return target;
    } catch (error) {
      await target?.close();
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
    return this.#run({ text, values });
  }

  /** Lets later numbers of a table follow this one. */
  continueAfter({ name, numbered }: CopiedTable, last: number): Promise<void> {
    const text = 'SELECT setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3 > 0)';
    return this.#run({ text, values: [name, numbered, last] });
  }

  /** Records that events up to this position were removed. */
  prunedUpTo(position: number): Promise<void> {
    return this.#run({ text: "UPDATE event_mark SET transaction = '0', position = $1", values: [position] });
  }

  /** Makes everything durable and visible, and updates the server's statistics for its plans where it can. */
  async commit(): Promise<void> {
    await this.#run({ text: 'COMMIT', values: [] });
    // Without these statistics, the server makes them itself later.
    await this.client.query('ANALYZE kinds, versions, resources, snapshots, events').catch(() => undefined);
  }

  /** Drops everything uncommitted. */
  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }

  async #run(query: { text: string; values: unknown[] }): Promise<void> {
    try {
      await this.client.query(query);
    } catch (error) {
      throw storeError(error);
    }
  }
}

async function requireEmpty(client: Client): Promise<void> {
  for (const [problem, sql] of CHECKS) {
    const { rows } = await client.query<{ found: boolean }>(sql);
    if (rows[0].found) throw new StoreRefused(`the target is not empty: ${problem}. ${HOW_TO_FIX}`);
  }
}

const HOW_TO_FIX = 'Name an empty database, or another schema with ?options=-c%20search_path%3D<schema>';
