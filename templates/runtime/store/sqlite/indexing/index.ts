import { join } from 'node:path';
import { retryBusy } from '../../retry-busy';
import { fileOf } from '../file/database-file';
import type { SqlitePart } from '../parts/sqlite-parts';
import { writer } from './entry-writer';
import { SqliteFieldLists } from './field-lists';
import { checkSqliteIndexes, SqliteIndexes } from './index-state';

/** The indexes of the fields of resources in SQLite databases. */
export const sqliteIndexing: SqlitePart = {
  writes: { writer, thread: join(__dirname, 'entry-writer') },
  open: (store) => ({ indexes: new SqliteIndexes(store) }),
  lists: (connection, statements) => new SqliteFieldLists(connection, statements),
  database: {
    checkIndexes(url, { busyTimeoutMs }, kinds, progress) {
      const check = () => checkSqliteIndexes(fileOf(url)!, kinds, progress);
      return retryBusy(check, performance.now() + busyTimeoutMs);
    },
  },
};
