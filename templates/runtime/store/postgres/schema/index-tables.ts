/**
 * The tables of entries. Keys are bytes; `indexes` numbers the indexes of kinds, and the fields of references among them.
 * A reference points to a unique entry of its target, so the entry exists as long as the reference. A rebuild, which makes
 * all entries again, is checked at the end of its transaction.
 */
export const INDEXING = `
  CREATE TABLE indexes (
    id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    kind integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    UNIQUE (kind, name)
  );
  CREATE TABLE index_states (
    kind text COLLATE "C" PRIMARY KEY,
    digest text NOT NULL
  );
  CREATE TABLE fields (
    resource bigint NOT NULL,
    index_id integer NOT NULL,
    key bytea NOT NULL,
    PRIMARY KEY (resource, index_id, key)
  );
  CREATE INDEX fields_by_key ON fields (index_id, key, resource);
  CREATE TABLE uniques (
    index_id integer NOT NULL,
    key bytea NOT NULL,
    resource bigint NOT NULL,
    PRIMARY KEY (index_id, key)
  );
  CREATE INDEX uniques_by_resource ON uniques (resource);
  CREATE TABLE refs (
    resource bigint NOT NULL,
    index_id integer NOT NULL,
    target_index integer NOT NULL,
    target_key bytea NOT NULL,
    PRIMARY KEY (resource, index_id, target_index, target_key),
    FOREIGN KEY (target_index, target_key) REFERENCES uniques DEFERRABLE
  );
  CREATE INDEX refs_by_target ON refs (target_index, target_key);`;
