import { sqliteWith } from '..';
import type { SqliteIndexing } from '../parts/indexing-parts';
import { checkSqliteIndexes, SqliteIndexes } from './index-state';
import { IndexWriter } from './index-writer';
import { SqliteFieldLists } from './field-lists';

const indexing: SqliteIndexing = {
  thread: require.resolve('./writer-entry'),
  writer: (connection, kinds) => new IndexWriter(connection, kinds),
  lists: (connection, statements) => new SqliteFieldLists(connection, statements),
  indexes: (connections) => new SqliteIndexes(connections),
  check: checkSqliteIndexes,
};

/** SQLite, with indexes of the fields of resources. */
export const indexedSqlite = sqliteWith(indexing);
