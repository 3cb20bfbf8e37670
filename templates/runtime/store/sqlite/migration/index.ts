import { join } from 'node:path';
import type { SqlitePart } from '../parts/sqlite-parts';
import { SqliteOthers } from './others';
import { writer } from './snapshot-rewriter';

/** Resources and snapshots of SQLite databases that are stored in other versions than their storage version. */
export const sqliteMigration: SqlitePart = {
  thread: join(__dirname, 'snapshot-rewriter'),
  writer,
  open: (store) => ({ others: new SqliteOthers(store) }),
};
