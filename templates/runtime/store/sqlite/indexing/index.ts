import type { SqliteIndexing } from '../parts/indexing-parts';
import { SqliteFieldLists } from './field-lists';
import { checkSqliteIndexes, SqliteIndexes } from './index-state';
import { writer } from './index-writer';

/** The indexes of the fields of resources in SQLite databases. */
export const sqliteIndexing: SqliteIndexing = {
  thread: require.resolve('./index-writer'),
  writer,
  lists: (connection, statements) => new SqliteFieldLists(connection, statements),
  indexes: (connections) => new SqliteIndexes(connections),
  check: checkSqliteIndexes,
};
