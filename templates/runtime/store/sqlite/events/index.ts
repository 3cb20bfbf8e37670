import { join } from 'node:path';
import { hasEvents } from '../../events/event-log';
import type { SqlitePart } from '../parts/sqlite-parts';
import { SqliteEventLog, writer } from './event-log';
import { beginAnew, noteFile } from './log-start';

/** The log of events of SQLite databases. */
export const sqliteEvents: SqlitePart = {
  writes: { writer, thread: join(__dirname, 'event-log') },
  begin(connection, path) {
    if (path !== undefined) noteFile(connection, path);
    beginAnew(connection);
  },
  open(store) {
    const events = new SqliteEventLog(store);
    store.onCommit((batch) => hasEvents(batch) && events.committed());
    return { events };
  },
};
