import { Client, type ClientConfig } from 'pg';
import { storeError } from './postgres-errors';
import { StoreRefused } from './store';

/** The oldest server that tells which transactions are finished in 64 bits. */
const OLDEST_SERVER = 130_000;

/** Of the advisory lock under which migrations run. */
const LOCK = 0x73766367;

/**
 * The schema, one migration after the other; `svcgen_schema` counts those that a database has. A migration that was
 * released never changes. The tables are in the first schema of the connection's search path.
 *
 * `labels` has what `labelTokens` makes of labels. Columns that are compared and sorted have the collation "C", the
 * order of code points. Events are in the order of `transaction` and `position`: of transactions that are finished, none
 * can come before one that was seen. `event_mark` is the last event that was removed.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE kinds (
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
  'ALTER TABLE events ADD COLUMN kept text;',
  'ALTER TABLE dead_letters ADD COLUMN kept text;',
];

/** Of the tables above, those whose presence without `svcgen_schema` means another application. */
const TABLES = [
  'kinds',
  'versions',
  'resources',
  'snapshots',
  'events',
  'event_mark',
  'cursors',
  'dead_letters',
  'probe',
];

/**
 * Transactions count anew in a database that was restored into another server. What comes from the old one is then
 * before everything.
 */
const RESTORED = ['events', 'cursors', 'event_mark'].map(
  (table) =>
    `UPDATE ${table} SET transaction = '0' WHERE transaction >= pg_snapshot_xmax(pg_current_snapshot())`,
);

/**
 * Brings the schema up to date in one transaction; of several processes that start together, one does it.
 * Throws StoreRefused for a database that must not be used, which stays as it is, and StoreUnavailable.
 */
export async function migratePostgres(config: ClientConfig): Promise<void> {
  const client = new Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await checkServer(client);
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await migrate(client);
    await client.query('COMMIT');
  } catch (error) {
    throw storeError(error);
  } finally {
    // An open transaction ends with its connection.
    await client.end().catch(() => undefined);
  }
}

/**
 * The server's version and the schema that the tables are in. Throws StoreRefused for a server, an encoding or a search path
 * that does not do.
 */
export async function checkServer(client: Client): Promise<{ server: string; schema: string }> {
  const settings = await client.query<{
    number: string;
    name: string;
    encoding: string;
    schema: string | null;
  }>(
    `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name,
            current_setting('server_encoding') AS encoding, current_schema AS schema`,
  );
  const [{ number, name, encoding, schema }] = settings.rows;
  if (Number(number) < OLDEST_SERVER)
    throw new StoreRefused(`PostgreSQL ${name} is too old; 13 is the oldest that works`);
  if (encoding !== 'UTF8') {
    throw new StoreRefused(`the database has the encoding ${encoding}; create one with the encoding UTF8`);
  }
  if (schema === null)
    throw new StoreRefused('no schema of the search path exists; create one, or change the search path');
  return { server: name, schema };
}

async function migrate(client: Client): Promise<void> {
  let version = await schemaVersion(client);
  if (version === undefined) {
    await client.query(
      'CREATE TABLE svcgen_schema (version integer NOT NULL); INSERT INTO svcgen_schema VALUES (0)',
    );
    version = 0;
  }
  for (const migration of MIGRATIONS.slice(version)) await client.query(migration);
  for (const update of RESTORED) await client.query(update);
  await client.query('UPDATE svcgen_schema SET version = $1 WHERE version <> $1', [MIGRATIONS.length]);
}

/**
 * How many migrations the database has; undefined for a new one. Throws StoreRefused for the database of another
 * application or of a newer service.
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
  const { rows } = await client.query<{ version: number }>('SELECT version FROM svcgen_schema');
  const version = rows[0]?.version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new StoreRefused(
      `the database was written by a newer version of this service (schema ${version}, this one knows ` +
        `${MIGRATIONS.length}). It is unchanged; start the newer version, or restore a backup from before the upgrade`,
    );
  }
  return version;
}
