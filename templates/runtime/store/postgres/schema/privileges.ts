import type { Client } from 'pg';
import { StoreRefused } from '../../store';

/** The privileges that a service needs on the tables, which another user may own. */
const NEEDED: readonly [privileges: readonly string[], tables: readonly string[]][] = [
  [
    ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
    [
      'resources',
      'snapshots',
      'events',
      'cursors',
      'dead_letters',
      'responses',
      'index_states',
      'fields',
      'uniques',
      'refs',
    ],
  ],
  [
    ['SELECT', 'INSERT'],
    ['kinds', 'versions', 'indexes', 'timelines'],
  ],
  [
    ['SELECT', 'UPDATE'],
    ['svcgen_schema', 'event_mark', 'probe'],
  ],
];

const PAIRS = NEEDED.flatMap(([privileges, tables]) =>
  tables.flatMap((table) => privileges.map((privilege) => ({ table, privilege }))),
);

interface Rights {
  user: string;
  schema: string;
  mayCreate: boolean;
  /** The owner of the tables; null where there are none. */
  owner: string | null;
  isOwner: boolean | null;
}

const RIGHTS = `SELECT quote_ident(current_user) AS "user", quote_ident(current_schema) AS schema,
    has_schema_privilege(current_schema, 'CREATE') AS "mayCreate", quote_ident(t.tableowner) AS owner,
    pg_has_role(t.tableowner, 'USAGE') AS "isOwner"
  FROM (VALUES (1)) one LEFT JOIN pg_tables t ON t.schemaname = current_schema AND t.tablename = 'svcgen_schema'`;

/** The number of an event is taken before the event is inserted; after a failover, numbers are left out. */
const MISSING = `SELECT string_agg(t.privilege, ', ' ORDER BY t.n) || ' on ' || c.relname AS missing
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS t (name, privilege, n)
  JOIN pg_class c ON c.relname = t.name
  JOIN pg_namespace s ON s.oid = c.relnamespace AND s.nspname = current_schema
  WHERE NOT has_table_privilege(c.oid, t.privilege) GROUP BY c.relname
  UNION ALL SELECT 'UPDATE on the sequence ' || sequence
  FROM (SELECT pg_get_serial_sequence('events', 'position') AS sequence WHERE to_regclass('events') IS NOT NULL) numbers
  WHERE NOT has_sequence_privilege(sequence, 'UPDATE') ORDER BY missing`;

/**
 * Throws StoreRefused where the user may not use the tables as a service does, or may not create them where there are none: a
 * service would start, and fail requests.
 */
export async function checkPrivileges(client: Client): Promise<void> {
  const { user, schema, mayCreate, owner } = await rightsOf(client);
  if (owner === null && !mayCreate) {
    throw new StoreRefused(
      `the user ${user} may not create tables in the schema ${schema}: GRANT CREATE ON SCHEMA ${schema} TO ${user}, or ` +
        'name a schema of the user with ?options=-c%20search_path%3D<schema>',
    );
  }
  if (owner === null) return;
  const values = [PAIRS.map(({ table }) => table), PAIRS.map(({ privilege }) => privilege)];
  const { rows } = await client.query<{ missing: string }>(MISSING, values);
  if (rows.length === 0) return;
  throw new StoreRefused(
    `the user ${user} lacks privileges in the schema ${schema}, whose tables belong to ${owner}: ` +
      `${rows.map(({ missing }) => missing).join('; ')}. Let ${owner} grant them`,
  );
}

/** Throws StoreRefused where the user may not change the tables: only their owner may. */
export async function requireOwner(client: Client): Promise<void> {
  const { user, owner, isOwner } = await rightsOf(client);
  if (isOwner !== false) return;
  throw new StoreRefused(
    `the tables are of an older version of this service, and the user ${user} may not change them, since they belong to ` +
      `${owner}. Start this version once with a DATABASE_URL of ${owner}`,
  );
}

async function rightsOf(client: Client): Promise<Rights> {
  return (await client.query<Rights>(RIGHTS)).rows[0];
}
