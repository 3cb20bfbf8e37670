import { join } from 'node:path';
import { hasEvents } from '../../events/event-command';
import type { SqlitePart } from '../parts/sqlite-parts';
import { SqliteEventLog } from './event-log';
import { writer } from './event-writer';
import { beginAnew } from './new-log';
import { noteFile } from './restored-file';

/** The log of events of SQLite databases. */
export const sqliteEvents: SqlitePart = {
  thread: join(__dirname, 'event-writer'),
  writer,
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
