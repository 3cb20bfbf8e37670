import type { Client } from 'pg';
import { retryBusy, StoreBusy } from '../../retry-busy';
import { StoreRefused } from '../../store';
import { BEGIN, PATIENTLY } from '../servers/durable';
import { storeError } from '../servers/errors';
import { withClient } from '../servers/line';
import type { PostgresServers } from '../servers/servers';
import { INDEXING } from './index-tables';
import { limitWait, LOCK_PAUSES, lockInSchema } from './locks';
import { checkPrivileges, requireOwner } from './privileges';
import { repairRestored } from './restored';

/** Key of the advisory lock under which migrations run. */
const LOCK = 0x73766367;

/** One step of the schema, in SQL. */
interface Migration {
  sql: string;
  /**
   * Set where a process that does not know the migration may go on writing: what it leaves out is allowed to be absent. Such a
   * migration must hold no lock for long.
   */
  isExpansion?: true;
}

/**
 * The schema, one migration after the other; `svcgen_schema` counts those that a database has (`version`), and those that a
 * process has to know to write (`writers`). A migration that was released never changes. The tables are in the first schema of
 * the connection's search path.
 *
 * `labels` has what `labelTokens` makes of labels. Columns that are compared and sorted have the collation "C", the
 * order of code points. Events are in the order of `transaction` and `position`: of transactions that are finished, none
 * can come before one that was seen. `event_mark` is the last event that was removed. `resources.position` is
 * that of the event of the last write, in the form of the log; null for a write without an event.
 * A row of `cursors` without a consumer says that a service without events has had the database.
 * `timelines` are those of the server that services have written on, each from the transaction `began` on.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    sql: `CREATE TABLE kinds (
     id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
     name text COLLATE "C" NOT NULL UNIQUE
   );
   CREATE TABLE versions (
     kind integer NOT NULL,
     version text COLLATE "C" NOT NULL,
     PRIMARY KEY (kind, version)
   );
   CREATE TABLE resources (
     id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
     kind integer NOT NULL,
     uid text COLLATE "C" NOT NULL UNIQUE,
     revision bigint NOT NULL,
     version text NOT NULL,
     etag text NOT NULL,
     kept text,
     text text NOT NULL,
     labels text[] COLLATE "C" NOT NULL
   ) WITH (fillfactor = 85);
   CREATE UNIQUE INDEX resources_by_kind ON resources (kind, id);
   CREATE INDEX resources_by_label ON resources USING gin (labels) WITH (gin_pending_list_limit = 128);
   CREATE TABLE snapshots (
     resource bigint NOT NULL,
     version_id text COLLATE "C" NOT NULL,
     version text NOT NULL,
     kept text,
     text text NOT NULL,
     PRIMARY KEY (resource, version_id)
   );
   CREATE TABLE events (
     position bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
     transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
     id text NOT NULL,
     type text NOT NULL,
     kind integer NOT NULL,
     uid text NOT NULL,
     written_at timestamptz NOT NULL DEFAULT now(),
     text text NOT NULL
   );
   CREATE UNIQUE INDEX events_in_order ON events (transaction, position);
   CREATE TABLE event_mark (transaction xid8 NOT NULL, position bigint NOT NULL);
   INSERT INTO event_mark VALUES ('0', 0);
   CREATE TABLE cursors (
     consumer text COLLATE "C" PRIMARY KEY,
     transaction xid8 NOT NULL,
     position bigint NOT NULL,
     owner text NOT NULL,
     held_until timestamptz NOT NULL
   );
   CREATE TABLE dead_letters (
     id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
     consumer text COLLATE "C" NOT NULL,
     position text COLLATE "C" NOT NULL,
     attempts integer NOT NULL,
     error text NOT NULL,
     failed_at timestamptz NOT NULL DEFAULT now(),
     kind text NOT NULL,
     text text NOT NULL,
     UNIQUE (consumer, position)
   );
   CREATE TABLE probe (written bigint NOT NULL);
   INSERT INTO probe VALUES (0);`,
  },
  { sql: 'ALTER TABLE events ADD COLUMN kept text;' },
  { sql: 'ALTER TABLE dead_letters ADD COLUMN kept text;' },
  { sql: INDEXING },
  {
    sql: `CREATE TABLE responses (
     key text COLLATE "C" PRIMARY KEY,
     request text NOT NULL,
     expires_at bigint NOT NULL,
     headers text NOT NULL,
     text text NOT NULL
   );
   CREATE INDEX responses_by_expiry ON responses (expires_at);`,
  },
  { sql: 'ALTER TABLE resources ADD COLUMN position text;' },
  {
    sql: `CREATE TABLE timelines (
     number integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
     system text NOT NULL,
     timeline integer NOT NULL,
     began xid8 NOT NULL,
     noticed_at timestamptz NOT NULL DEFAULT now()
   );`,
  },
  { sql: 'ALTER TABLE svcgen_schema ADD COLUMN writers integer NOT NULL DEFAULT 0' },
  {
    // They have no key: without this, the server refuses their updates once a publication of logical replication has them.
    sql: `ALTER TABLE svcgen_schema REPLICA IDENTITY FULL;
     ALTER TABLE event_mark REPLICA IDENTITY FULL;
     ALTER TABLE probe REPLICA IDENTITY FULL`,
    isExpansion: true,
  },
];

/** Tables above whose presence without `svcgen_schema` means another application. */
const TABLES = [
  'kinds',
  'versions',
  'resources',
  'snapshots',
  'events',
  'event_mark',
  'cursors',
  'dead_letters',
  'responses',
  'probe',
  'timelines',
];

/** Options of a migration. */
interface MigrationOptions {
  /** Looks at a database with a schema, before anything is changed. Throws StoreRefused. */
  check?: (client: Client) => Promise<void>;
  /** Runs at its end, in its transaction. */
  prepare: (client: Client) => Promise<void>;
  /** Time limit for locks that others hold, such as a backup. */
  busyTimeoutMs: number;
}

/**
 * Brings the schema up to date in one transaction; of several processes that start together, one does it. Throws
 * StoreRefused for an unusable database, which stays as it is, StoreBusy and StoreUnavailable.
 */
export function migratePostgres(servers: PostgresServers, options: MigrationOptions): Promise<void> {
  return withClient(servers.inspect(), async ({ client, enter }) => {
    await migrateWhenFree(client, options);
    await enter();
  });
}

/** Repeats the migration while others hold locks, which does not delay them for long. */
async function migrateWhenFree(
  client: Client,
  { check, prepare, busyTimeoutMs }: MigrationOptions,
): Promise<void> {
  let attempts = 0;
  const attempt = async (): Promise<void> => {
    try {
      await client.query(`${BEGIN}; ${PATIENTLY}`);
      await client.query(lockInSchema(LOCK));
      await client.query(limitWait(attempts++));
      await migrate(client, check);
      await prepare(client);
      await client.query('COMMIT');
    } catch (error) {
      const failure = storeError(error);
      if (failure instanceof StoreBusy) await client.query('ROLLBACK');
      throw failure;
    }
  };
  try {
    await retryBusy(attempt, performance.now() + busyTimeoutMs, LOCK_PAUSES);
  } catch (error) {
    if (!(error instanceof StoreBusy)) throw error;
    const hint =
      'the schema could not be brought up to date, because other transactions hold locks of its tables, such as those of a ' +
      'backup. It is unchanged; start again when they have ended';
    throw new StoreBusy(`${hint} (${error.message})`, false, { cause: error });
  }
}

async function migrate(client: Client, check: MigrationOptions['check']): Promise<void> {
  await checkPrivileges(client);
  let version = await schemaVersion(client);
  if (version !== undefined && version > 0) await check?.(client);
  if (version !== undefined && version < MIGRATIONS.length) await requireOwner(client);
  if (version === undefined) {
    await client.query(
      'CREATE TABLE svcgen_schema (version integer NOT NULL); INSERT INTO svcgen_schema VALUES (0)',
    );
    version = 0;
  }
  // Older processes go on: their transactions read the version first, and end before or see the new one.
  if (version < MIGRATIONS.length) await client.query('LOCK TABLE svcgen_schema IN ACCESS EXCLUSIVE MODE');
  for (const { sql } of MIGRATIONS.slice(version)) await client.query(sql);
  await repairRestored(client);
  await client.query('UPDATE svcgen_schema SET version = $1, writers = $2 WHERE version < $1', [
    MIGRATIONS.length,
    knownToWriters(),
  ]);
}

/** Returns the number of migrations that a process has to know to write: up to the last that is no expansion. */
function knownToWriters(): number {
  return MIGRATIONS.findLastIndex(({ isExpansion }) => isExpansion === undefined) + 1;
}

/** The column `writers` is that of a migration. */
const SCHEMA = `SELECT version, (to_jsonb(s) ->> 'writers')::integer AS writers FROM svcgen_schema s`;

/**
 * Returns the number of migrations of the database; undefined for a new one. Throws StoreRefused for the database of
 * another application, or of a newer service next to which this one cannot write.
 */
export async function schemaVersion(client: Client): Promise<number | undefined> {
  const present = await client.query<{ name: string }>(
    'SELECT tablename::text AS name FROM pg_tables WHERE schemaname = current_schema AND tablename = ANY ($1)',
    [[...TABLES, 'svcgen_schema']],
  );
  const names = present.rows.map(({ name }) => name);
  if (!names.includes('svcgen_schema')) {
    if (names.length === 0) return undefined;
    throw new StoreRefused(
      `the schema of the database has tables of another application (${names.join(', ')}). It is unchanged; ` +
        'let DATABASE_URL name another database, or another schema with ?options=-c%20search_path%3D<schema>',
    );
  }
  const { rows } = await client.query<{ version: number; writers: number | null }>(SCHEMA);
  const { version, writers } = rows[0] ?? { version: 0, writers: 0 };
  if ((writers ?? version) > MIGRATIONS.length) {
    throw new StoreRefused(
      `the database was written by a newer version of this service (schema ${version}, this one knows ` +
        `${MIGRATIONS.length}). It is unchanged; start the newer version, or restore a backup from before the upgrade`,
    );
  }
  return version;
}
