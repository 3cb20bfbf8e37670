import type { Client } from 'pg';
import { StoreRefused } from '../../store';

/** The oldest server that reports finished transactions in 64 bits. */
const OLDEST_SERVER = 130_000;

/**
 * Servers that speak PostgreSQL's protocol and lack its promises, by the text of `version()`: common transaction ids,
 * advisory locks, notifications, or transactions at all. Amazon Aurora, AlloyDB, Citus and Neon are PostgreSQL.
 */
const OTHER_SERVERS: readonly [name: string, version: RegExp][] = [
  ['CockroachDB', /^CockroachDB/],
  ['CrateDB', /^CrateDB/],
  ['YugabyteDB', /-YB-/],
  ['Amazon Redshift', /\bRedshift\b/],
  ['Greenplum', /\bGreenplum\b/],
  ['Materialize', /\bMaterialize\b/],
  ['QuestDB', /\bQuestDB\b/],
  ['RisingWave', /\bRisingWave\b/],
  ['openGauss', /\bopenGauss\b/],
  // Its clients share one session, and get rows of each other's queries.
  ['PGlite', /\bPGlite\b/],
];

/**
 * Settings with which statements do something else, and the values that they need. Without array_nulls, a null of an array is
 * the string NULL; a limit of searches leaves resources out of lists; on a replica, nobody checks references.
 */
const NEEDED: { [setting: string]: string } = {
  array_nulls: 'on',
  gin_fuzzy_search_limit: '0',
  session_replication_role: 'origin',
};

interface ServerSettings {
  number: string;
  name: string;
  encoding: string;
  schema: string | null;
  isStandby: boolean;
  isReadOnly: boolean;
  /** The values of the settings above; null for one that the server does not have. */
  needed: { [setting: string]: string | null };
}

/** Other servers may know none of the settings, but all know this function. */
const VERSION = 'SELECT version() AS version';

const SETTINGS = `SELECT current_setting('server_version_num') AS number, current_setting('server_version') AS name,
  current_setting('server_encoding') AS encoding, current_schema AS schema, pg_is_in_recovery() AS "isStandby",
  current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  json_build_object(${Object.keys(NEEDED)
    .map((setting) => `'${setting}', current_setting('${setting}', true)`)
    .join(', ')}) AS needed`;

/**
 * Returns the server's version and the schema that the tables are in. Throws StoreRefused for an unsuitable server,
 * encoding or search path.
 */
export async function checkServer(client: Client): Promise<{ server: string; schema: string }> {
  const [{ version }] = (await client.query<{ version: string }>(VERSION)).rows;
  refuseOther(version);
  const [settings] = (await client.query<ServerSettings>(SETTINGS)).rows;
  const { number, name, encoding, schema } = settings;
  if (Number(number) < OLDEST_SERVER)
    throw new StoreRefused(`PostgreSQL ${name} is too old; 13 is the oldest that works`);
  refuseReadOnly(settings);
  if (encoding !== 'UTF8') {
    throw new StoreRefused(`the database has the encoding ${encoding}; create one with the encoding UTF8`);
  }
  if (schema === null) {
    throw new StoreRefused(
      'the search path has no schema that exists and that the user may use; create one, or change the search path',
    );
  }
  refuseOtherSettings(settings);
  return { server: name, schema };
}

function refuseOther(version: string): void {
  const other = OTHER_SERVERS.find(([, pattern]) => pattern.test(version))?.[0];
  if (other === undefined && version.startsWith('PostgreSQL ')) return;
  throw new StoreRefused(
    `DATABASE_URL names ${other ?? `“${version.slice(0, 60)}”`}, which speaks PostgreSQL's protocol without all of its ` +
      'promises; name PostgreSQL 13 or newer',
  );
}

function refuseReadOnly({ isStandby, isReadOnly }: ServerSettings): void {
  if (isStandby) {
    throw new StoreRefused(
      'DATABASE_URL names a standby, which cannot be written; name the primary, or promote this server',
    );
  }
  if (isReadOnly) {
    throw new StoreRefused(
      'the server is read-only for this user; turn default_transaction_read_only off for the user, the database or the ' +
        'server',
    );
  }
}

function refuseOtherSettings({ needed }: ServerSettings): void {
  for (const [setting, value] of Object.entries(needed)) {
    if (value === null || value === NEEDED[setting]) continue;
    throw new StoreRefused(
      `the setting ${setting} of the server is ${value}, with which the service would not work; set it to ` +
        `${NEEDED[setting]} for the user, the database or the server`,
    );
  }
}
