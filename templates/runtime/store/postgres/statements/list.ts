import type { Condition } from '../../sql';
import { ANY_TEXT, idRange, type ListQuery } from '../../store';
import { orOmitted } from '../../stored-resource';
import type { PostgresQuery } from './connections';
import { labelCondition } from './labels';

/** Returns a query for the ids of all resources that meet a condition, which the server does not look for in their order. */
export function fewOf({ sql, parameters }: Condition<unknown>): Condition<unknown> {
  return {
    sql: `WITH few AS MATERIALIZED (SELECT r.id AS resource FROM resources r WHERE ${sql}) SELECT resource FROM few`,
    parameters,
  };
}

/** Returns the query for a page of resources in order of creation; `areFew` where few meet the selector. */
export function listQuery(kind: number, query: ListQuery, areFew: boolean): PostgresQuery {
  const { limit, selector, maxText = ANY_TEXT, sort } = query;
  const { sql, parameters } = labelCondition(kind, selector);
  const range = idRange(query);
  const order = sort?.descending ? ' DESC' : '';
  if (areFew) {
    const few = fewOf({ sql, parameters });
    // The page on its own: joined to all that was found, the server may go through all resources again.
    return numbered({
      sql: `WITH page AS MATERIALIZED (
          SELECT resource FROM (${few.sql}) few WHERE resource > ? AND resource <= ? ORDER BY resource${order} LIMIT ?
        ) SELECT ${COLUMNS} FROM page JOIN resources r ON r.id = page.resource ORDER BY r.id${order}`,
      parameters: [...few.parameters, ...range, bounded(limit), ...columnParameters(maxText)],
    });
  }
  return {
    // A query with a selector has no name: the server plans it with the actual labels.
    ...(selector.length === 0 ? { name: 'list' } : {}),
    ...numbered({
      sql: `SELECT ${COLUMNS} FROM resources r WHERE r.id > ? AND r.id <= ? AND ${sql} ORDER BY r.id${order} LIMIT ?`,
      parameters: [...columnParameters(maxText), ...range, ...parameters, bounded(limit)],
    }),
  };
}

/** Columns of a row of a list, of a resource `r`. */
export const COLUMNS = `r.id, r.uid, r.revision, r.version, ${orOmitted('r', '?::int')}, r.etag, r.position`;

/** Returns the parameters of these columns for a maximum length of texts. */
export function columnParameters(maxText: number): number[] {
  return [maxText, maxText, maxText];
}

/** Returns a limit for the server: null means none. */
export function bounded(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}

/** Returns a condition or a query with numbers for its parameters. */
export function numbered({ sql, parameters }: Condition<unknown>): { text: string; values: unknown[] } {
  let last = 0;
  return { text: sql.replaceAll('?', () => `$${(last += 1)}`), values: parameters };
}
