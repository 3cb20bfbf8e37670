import type { Of } from '../../command';
import { CREATE, DELETE, KEY_IS_FREE, KEYED_CREATE, MATCHES, UPDATE } from '../statements/statements';
import type { BatchStatement } from '../statements/writer';

/** A command that brings entries or removes them. */
export type IndexedWrite = Of<'create' | 'update' | 'delete'>;

/**
 * A statement for commands of resources with entries. It judges each command by its snapshot, and what is refused or in conflict
 * changes nothing. What another transaction does meanwhile breaks a constraint, and the whole statement fails.
 */
export interface IndexedStatement<C> {
  base: BatchStatement<C>;
  /** Selects those of `given` that are in no conflict, with the id of their resource unless they create it. */
  matched: string;
  /** Changes the entries of what is in `done`. */
  entries: { [name: string]: string };
}

/** Queries that find an old entry `x` among the new ones: it stays. */
const UNCHANGED = {
  fields: 'SELECT FROM field f WHERE f.n = d.n AND f.index_id = x.index_id AND f.key = x.key',
  uniques: 'SELECT FROM own o WHERE o.n = d.n AND o.index_id = x.index_id AND o.key = x.key',
  refs: `SELECT FROM ref e WHERE e.n = d.n AND e.index_id = x.index_id AND e.target = x.target_index
      AND e.key = x.target_key`,
};

const ADD = {
  new_fields: `INSERT INTO fields (resource, index_id, key) SELECT d.id, f.index_id, f.key
    FROM done d JOIN field f USING (n) ORDER BY f.index_id, f.key ON CONFLICT DO NOTHING`,
  new_uniques: `INSERT INTO uniques (index_id, key, resource) SELECT o.index_id, o.key, d.id
    FROM done d JOIN own o USING (n)
    WHERE NOT EXISTS (SELECT FROM uniques u WHERE u.index_id = o.index_id AND u.key = o.key AND u.resource = d.id)
    ORDER BY o.index_id, o.key`,
  new_refs: `INSERT INTO refs (resource, index_id, target_index, target_key)
    SELECT d.id, e.index_id, e.target, e.key FROM done d JOIN ref e USING (n)
    ORDER BY e.target, e.key ON CONFLICT DO NOTHING`,
};

const remove = (table: keyof typeof UNCHANGED, comparesNew: boolean): string =>
  `DELETE FROM ${table} x USING done d WHERE x.resource = d.id${comparesNew ? ` AND NOT EXISTS (${UNCHANGED[table]})` : ''}`;

const removeAll = (comparesNew: boolean): { [name: string]: string } => ({
  old_refs: remove('refs', comparesNew),
  old_uniques: remove('uniques', comparesNew),
  old_fields: remove('fields', comparesNew),
});

const STORED = `SELECT i.n, r.id FROM given i JOIN resources r ON ${MATCHES}`;

export const INDEXED_CREATE: IndexedStatement<Of<'create'>> = {
  base: CREATE,
  matched: `SELECT i.n, NULL::bigint AS id FROM given i
    WHERE NOT EXISTS (SELECT FROM resources r WHERE r.uid = i.uid)`,
  entries: ADD,
};

export const INDEXED_KEYED_CREATE: IndexedStatement<Of<'create'>> = {
  ...INDEXED_CREATE,
  base: KEYED_CREATE,
  matched: `${INDEXED_CREATE.matched} AND ${KEY_IS_FREE}`,
};

export const INDEXED_UPDATE: IndexedStatement<Of<'update'>> = {
  base: UPDATE,
  matched: STORED,
  entries: { ...removeAll(true), ...ADD },
};

export const INDEXED_DELETE: IndexedStatement<Of<'delete'>> = {
  base: DELETE,
  matched: STORED,
  entries: removeAll(false),
};

/** The commands that clash with what is stored: rows with `n`, what it is, and which of its entries. */
export const JUDGEMENT = `taken AS (
    SELECT m.n, o.position AS detail FROM matched m JOIN own o USING (n)
    JOIN uniques u ON u.index_id = o.index_id AND u.key = o.key AND u.resource IS DISTINCT FROM m.id
  ), missing AS (
    SELECT m.n, e.position AS detail FROM matched m JOIN ref e USING (n)
    WHERE NOT EXISTS (SELECT FROM own o WHERE o.n = e.n AND o.index_id = e.target AND o.key = e.key)
      AND NOT EXISTS (
        SELECT FROM uniques u JOIN resources t ON t.id = u.resource
        WHERE u.index_id = e.target AND u.key = e.key AND u.resource IS DISTINCT FROM m.id
          AND (e.scope IS NULL OR t.labels @> string_to_array(e.scope, E'\\n')))
  ), referred AS (
    SELECT m.n, 0 AS detail FROM matched m WHERE EXISTS (
      SELECT FROM uniques u JOIN refs x ON x.target_index = u.index_id AND x.target_key = u.key
      WHERE u.resource = m.id AND x.resource <> m.id
        AND NOT EXISTS (SELECT FROM own o WHERE o.n = m.n AND o.index_id = u.index_id AND o.key = u.key))
  ), refused AS (
    SELECT n, 'taken' AS what, detail FROM taken UNION ALL SELECT n, 'missing', detail FROM missing
    UNION ALL SELECT n, 'referred', detail FROM referred
  )`;
