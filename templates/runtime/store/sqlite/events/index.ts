import type { SqliteEvents } from '../parts/event-parts';
import { writer } from './event-command-writer';
import { SqliteEventLog } from './event-log';
import { beginAnew } from './new-log';
import { noteFile } from './restored-file';

/** The log of events of SQLite databases. */
export const sqliteEvents: SqliteEvents = {
  thread: require.resolve('./event-command-writer'),
  writer,
  begin(connection, path) {
    if (path !== undefined) noteFile(connection, path);
    beginAnew(connection);
  },
  log: (connection, owner) => new SqliteEventLog(connection, owner),
};
