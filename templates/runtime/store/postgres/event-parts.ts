import type { Client } from 'pg';
import type { EventLog } from '../event-log';
import type { PostgresServers } from './servers/servers';
import type { PostgresConnections } from './statements/connections';

/** The log of events of PostgreSQL databases, from outside: a service without events has none of it. */
export interface PostgresEvents {
  /** Prepares the log of a database, in the transaction that brings its schema up to date. */
  begin(client: Client): Promise<void>;
  log(parts: LogParts): PostgresLog;
}

/** The parts of a store that its log is read and written with. */
export interface LogParts {
  servers: PostgresServers;
  reads: PostgresConnections;
  writes: PostgresConnections;
  busyTimeoutMs: number;
}

/** The log of an open store. */
export interface PostgresLog extends EventLog {
  /** Notifies the watchers here and in other processes; call it when this process has committed events. */
  committed(): void;
  /** Listens no more. */
  close(): Promise<void>;
}
