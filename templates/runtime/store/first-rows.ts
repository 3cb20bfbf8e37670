import { rowBytes } from './stored-resource';

/** Size of the rows that are read together in the background, in bytes: the row that reaches it is the last one. */
export const READ_BYTES = 1_048_576;

/**
 * Returns a table of the keys of `rows`, in their order, each with the bytes `before` it: the first has none. `rows` selects
 * the key and `bytes`, and no texts, which would be copied.
 */
export function summedBytes(rows: string, key: string): string {
  return `(SELECT ${key}, sum(bytes) OVER (ORDER BY ${key}) - bytes AS before FROM (${rows}) sized)`;
}

/**
 * Returns the query for the first resources that meet a condition: up to `limit`, a parameter, and as many as memory should
 * hold, but at least one.
 */
export function firstResources(condition: string, limit: string): string {
  const rows = `SELECT id, ${rowBytes('resources')} AS bytes FROM resources WHERE ${condition} ORDER BY id LIMIT ${limit}`;
  return `SELECT r.id, r.uid, r.revision, r.version, r.text, r.etag, r.kept
    FROM ${summedBytes(rows, 'id')} page CROSS JOIN resources r
    WHERE r.id = page.id AND page.before < ${READ_BYTES} ORDER BY r.id`;
}
