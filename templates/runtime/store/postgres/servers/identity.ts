import type { Client } from 'pg';
import { isServerError } from './errors';

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

const STATE = `pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** A checkpoint has the timeline only a while after the promotion: the name of the current segment has it at once. */
const IDENTITY = `SELECT ${STATE}, (SELECT system_identifier::text FROM pg_control_system()) AS system,
  CASE WHEN NOT pg_is_in_recovery()
  THEN ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int END AS timeline`;

/** Starts of the SQLSTATE of functions that are missing, forbidden, or not supported. */
const UNSUPPORTED = ['42', '0A'];

/** Returns what the server of a connection is. */
export async function identify(client: Client): Promise<Identity> {
  try {
    return (await client.query<Identity>(IDENTITY)).rows[0];
  } catch (error) {
    // Servers with storage of their own, such as Amazon Aurora, need not have timelines.
    if (!isServerError(error) || !UNSUPPORTED.some((start) => error.code.startsWith(start))) throw error;
    return (await client.query<Identity>(`SELECT ${STATE}`)).rows[0];
  }
}
