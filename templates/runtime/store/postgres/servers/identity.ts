import type { Client } from 'pg';
import { isServerError, OTHER_SERVER } from './errors';

/** What a server is at the moment. */
export interface Identity {
  isStandby: boolean;
  /** True if the session takes no writes. */
  isReadOnly: boolean;
  /** The database cluster: a server and its standbys have the same. Undefined where a server does not tell. */
  system?: string;
  /** The number of promotions and restores in the history of a primary; undefined where a server does not tell. */
  timeline?: number;
}

/** An identity, and the process of the server that it is of. */
interface Asked extends Identity {
  pid: number;
}

const STATE = `pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly",
  pg_backend_pid() AS pid`;

/** A checkpoint has the timeline only a while after the promotion: the name of the current segment has it at once. */
const HISTORY = `(SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN NOT pg_is_in_recovery()
  THEN ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int END AS timeline`;

const IDENTITY = `SELECT ${STATE}, ${HISTORY}`;

/** Starts of the SQLSTATE of functions that are missing, forbidden, or not supported. */
const UNSUPPORTED = ['42', '0A'];

/**
 * Returns what the server of a connection is. `isFixed` is false where a pooler may send a later transaction of the
 * connection to another server.
 */
export async function identify(client: Client): Promise<Identity & { isFixed: boolean }> {
  const { pid, ...identity } = await ask(client);
  // A pooler gives its clients numbers of its own.
  return { ...identity, isFixed: pid === (client as Client & { processID: number | null }).processID };
}

/** Returns SQL that fails a transaction on any server but this primary, and on this one once it is a standby. */
export function onlyOn({ system, timeline }: Identity): string {
  if (system === undefined || timeline === undefined) return '';
  return `SELECT ('${OTHER_SERVER} of timeline ' || coalesce(timeline, 0))::integer FROM (SELECT ${HISTORY}) server
    WHERE system <> '${system}' OR timeline IS DISTINCT FROM ${timeline}`;
}

async function ask(client: Client): Promise<Asked> {
  try {
    return (await client.query<Asked>(IDENTITY)).rows[0];
  } catch (error) {
    // Servers with storage of their own, such as Amazon Aurora, need not have timelines.
    if (!isServerError(error) || !UNSUPPORTED.some((start) => error.code.startsWith(start))) throw error;
    return (await client.query<Asked>(`SELECT ${STATE}`)).rows[0];
  }
}
