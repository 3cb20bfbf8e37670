import { compared, entryOrder, type Position } from '../../indexing/entry-queries';
import { bytesOf } from '../../indexing/key';
import { allOf, type Condition } from '../../sql';
import type { Sort } from '../../store';
import { bounded } from '../statements/list';

/** A condition or a query, with parameters of any type. */
export type Sql = Condition<unknown>;

/** A page of a list that goes through the index that it is sorted by. */
interface SortedPage {
  /** Conditions on entries `s` of the index. */
  within: Sql;
  others: Sql[];
  /** Set where the others are about the resource `r` of an entry. */
  needsResource: boolean;
  sort: Sort;
  position: Position | undefined;
  limit: number;
}

/**
 * Returns the query for the resources and keys of a page. An index has one direction. If ties are sorted in the other direction
 * than the keys, the last key of the page is read once more, in the order of its resources. So are the remaining resources with the
 * key of the position.
 */
export function sortedPage(page: SortedPage): Sql {
  const { sort, position, limit } = page;
  const { descending = false, newestFirst = false } = sort;
  const walk = entryOrder({ descending, newestFirst: descending });
  const operator = descending ? '<' : '>';
  if (descending === newestFirst) {
    const after =
      position === undefined
        ? []
        : [
            {
              sql: `(s.key, s.resource) ${operator} (?, ?)`,
              parameters: [bytesOf(position.key), position.id],
            },
          ];
    return entries(page, after, walk);
  }
  const ties = `s.resource${newestFirst ? ' DESC' : ''}`;
  const beyond = position === undefined ? [] : [compared('s.key', operator, position.key)];
  const walked = entries(page, beyond, walk);
  const last = entries(page, [{ sql: 's.key = (SELECT key FROM edge)', parameters: [] }], ties);
  const parts = [
    { sql: '(SELECT resource, key FROM walk WHERE key <> (SELECT key FROM edge))', parameters: [] },
    { sql: `(${last.sql})`, parameters: last.parameters },
  ];
  if (position !== undefined) {
    const tied = {
      sql: `s.key = ? AND s.resource ${newestFirst ? '<' : '>'} ?`,
      parameters: [bytesOf(position.key), position.id],
    };
    const left = entries(page, [tied], ties);
    parts.push({ sql: `(${left.sql})`, parameters: left.parameters });
  }
  return {
    sql: `WITH walk AS MATERIALIZED (${walked.sql}),
      edge AS (SELECT key FROM walk ORDER BY key${descending ? '' : ' DESC'} LIMIT 1)
      SELECT s.resource, s.key FROM (${parts.map(({ sql }) => sql).join(' UNION ALL ')}) s
      ORDER BY ${entryOrder(sort)} LIMIT ?`,
    parameters: [...walked.parameters, ...parts.flatMap(({ parameters }) => parameters), bounded(limit)],
  };
}

/** The first entries of the index that meet conditions, in an order. */
function entries({ within, others, needsResource, limit }: SortedPage, more: Sql[], order: string): Sql {
  const { sql, parameters } = allOf([within, ...more, ...others]);
  const resource = needsResource ? ' JOIN resources r ON r.id = s.resource' : '';
  return {
    sql: `SELECT s.resource, s.key FROM fields s${resource} WHERE ${sql} ORDER BY ${order} LIMIT ?`,
    parameters: [...parameters, bounded(limit)],
  };
}
