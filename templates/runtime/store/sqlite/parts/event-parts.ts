import type { EventCommand } from '../../event-command';
import type { EventLog } from '../../event-log';
import type { WriteResult } from '../../store';
import type { Connection } from '../connection/driver';

/** The log of events of SQLite databases, from outside: a service without events has none of it. */
export interface SqliteEvents {
  /** The module that a writing thread loads `writer` from. */
  thread: string;
  /** Makes the writer of the commands of the log. */
  writer(connection: Connection): EventCommands;
  /** Prepares the log of a database that was just opened; without a path, of one in memory. */
  begin(connection: Connection, path?: string): void;
  log(connection: Connection, owner: LogOwner): SqliteLog;
}

/** Applies the commands of the log inside the transaction of a batch. */
export interface EventCommands {
  apply(command: EventCommand): WriteResult;
}

/** The part of the store that its log needs. */
export interface LogOwner {
  /** Resolves when the command is durable. */
  submit(command: EventCommand): Promise<WriteResult>;
  /** Throws StoreUnavailable when the store is closed. */
  check(): void;
}

/** The log of an open store. */
export interface SqliteLog extends EventLog {
  /** Notifies the watchers of events that they have not been notified of. */
  committed(): void;
}
