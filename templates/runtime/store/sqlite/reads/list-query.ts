import { allOf, type Condition } from '../../sql';
import type { ListCondition, Source } from '../parts/list-condition';

/** A way to search a list. */
export interface Plan {
  kind: number;
  /** The range of an index to scan; without one, all resources of the kind are scanned. */
  source: Source | undefined;
  /** Conditions to look up for each resource found. */
  others: ListCondition[];
  /** Set where many resources may have to be scanned for few matches. */
  long: boolean;
}

/** A part of a list: resources with ids above `after` and up to `upTo`. */
export interface Part {
  after: number;
  upTo: number;
  limit: number;
  /** Newest first. */
  descending?: boolean;
}

/**
 * SQLite looks at a parameter that is the whole limit when it plans, and plans anew each time it is bound. This form
 * avoids that.
 */
export const BOUND = '? + 0';

/** Counting stops here: a requirement that more resources meet is a poor source. */
const MANY = 1000;

/**
 * Decides how to search in order of ids. `count` runs a query with the single column `count`. The source is the part of an
 * index that the fewest rows are in. Where many are in each, only one for a single value has them in the order of their ids;
 * for others it is better to go through the resources, of which many match.
 */
export function planList(
  kind: number,
  conditions: ListCondition[],
  count: (query: Condition) => number,
): Plan {
  const plan = (found: ListCondition | undefined, long: boolean): Plan => ({
    kind,
    source: found?.source,
    others: conditions.filter((condition) => condition !== found),
    long,
  });
  const ordered = conditions.find(({ source }) => source?.isOrdered);
  if (conditions.length === 0 || (conditions.length === 1 && ordered !== undefined))
    return plan(ordered, false);
  const fewest = findFewest(conditions, count);
  return fewest === undefined ? plan(ordered, true) : plan(fewest, false);
}

/** Returns the condition whose part of an index has the fewest rows, unless those of each are many. */
export function findFewest(
  conditions: readonly ListCondition[],
  count: (query: Condition) => number,
): ListCondition | undefined {
  const candidates = conditions.filter(({ source }) => source !== undefined);
  const counts = candidates.map(({ source }) => count(countQuery(source!)));
  const fewest = Math.min(...counts, MANY);
  return fewest < MANY ? candidates[counts.indexOf(fewest)] : undefined;
}

function countQuery({ table, where: { sql, parameters } }: Source): Condition {
  return {
    sql: `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} s WHERE ${sql} LIMIT ${MANY})`,
    parameters,
  };
}

/** Returns the query for a part of a list in order of ids, with the columns `columns` of `r`. */
export function partQuery(
  { kind, source, others }: Plan,
  { after, upTo, limit, descending = false }: Part,
  columns: string,
): Condition {
  const id = source === undefined ? 's.id' : 's.resource';
  const { sql, parameters } = allOf([
    source === undefined ? { sql: 's.kind = ?', parameters: [kind] } : source.where,
    { sql: `${id} > ? AND ${id} <= ?`, parameters: [after, upTo] },
    ...others.map((condition) => condition.lookUp(id)),
  ]);
  const order = descending ? ' DESC' : '';
  return {
    sql: `SELECT ${columns} FROM (
            SELECT ${source?.hasRepeats ? 'DISTINCT ' : ''}${id} AS id FROM ${source?.table ?? 'resources'} s
            WHERE ${sql} ORDER BY ${id}${order} LIMIT ${BOUND}
          ) page CROSS JOIN resources r ON r.id = page.id ORDER BY page.id${order}`,
    parameters: [...parameters, limit],
  };
}
