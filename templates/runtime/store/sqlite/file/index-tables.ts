/**
 * The tables of entries. Keys are bytes; `indexes` numbers the indexes of kinds, and the fields of references among them.
 * A reference points to a unique entry of its target, so the entry exists as long as the reference.
 */
export const INDEXING = `
  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    UNIQUE (kind, name)
  );
  CREATE TABLE index_states (
    kind TEXT PRIMARY KEY,
    digest TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE fields (
    resource INTEGER NOT NULL,
    index_id INTEGER NOT NULL,
    key BLOB NOT NULL,
    PRIMARY KEY (resource, index_id, key)
  ) WITHOUT ROWID;
  CREATE INDEX fields_by_key ON fields (index_id, key, resource);
  CREATE TABLE uniques (
    index_id INTEGER NOT NULL,
    key BLOB NOT NULL,
    resource INTEGER NOT NULL,
    PRIMARY KEY (index_id, key)
  ) WITHOUT ROWID;
  CREATE INDEX uniques_by_resource ON uniques (resource);
  CREATE TABLE refs (
    resource INTEGER NOT NULL,
    index_id INTEGER NOT NULL,
    target_index INTEGER NOT NULL,
    target_key BLOB NOT NULL,
    PRIMARY KEY (resource, index_id, target_index, target_key),
    FOREIGN KEY (target_index, target_key) REFERENCES uniques (index_id, key)
  ) WITHOUT ROWID;
  CREATE INDEX refs_by_target ON refs (target_index, target_key);`;
