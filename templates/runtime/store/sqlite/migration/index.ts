import type { SqlitePart } from '../parts/sqlite-parts';
import { SqliteOthers } from './others';

/** Resources and snapshots of SQLite databases that are stored in other versions than their storage version. */
export const sqliteMigration: SqlitePart = { open: (store) => ({ others: new SqliteOthers(store) }) };
