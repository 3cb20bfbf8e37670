import { join } from 'node:path';
import type { SqlitePart } from '../parts/sqlite-parts';
import { SqliteSnapshots, writer } from './snapshots';

/** The snapshots of resources in SQLite databases. */
export const sqliteHistory: SqlitePart = {
  writes: { writer, thread: join(__dirname, 'snapshots') },
  open: (store) => ({ snapshots: new SqliteSnapshots(store) }),
};
