import { join } from 'node:path';
import type { SqlitePart } from '../parts/sqlite-parts';
import { writer } from './snapshot-writer';
import { SqliteSnapshots } from './snapshots';

/** The snapshots of resources in SQLite databases. */
export const sqliteHistory: SqlitePart = {
  writes: { writer, thread: join(__dirname, 'snapshot-writer') },
  open: (store) => ({ snapshots: new SqliteSnapshots(store) }),
};
