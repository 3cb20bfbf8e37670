import type { Requirement } from '../selector';
import { escaped } from './label-text';
import type { SqlValue } from './sqlite-driver';

/** SQL and what is bound to it. Queries of one form have one text, so that their statement can be kept. */
export interface Query {
  sql: string;
  parameters: SqlValue[];
}

/** How a selector is searched. */
export interface Plan {
  kind: number;
  /** The requirement whose part of the label index is gone through; without one, all resources of the kind are. */
  driver: Requirement | undefined;
  /** What is looked up for each resource found. */
  others: Requirement[];
  /** Whether many resources may have to be looked at for few that are found. */
  long: boolean;
}

/** A part of a list: resources with ids above `after` and up to `upTo`. */
export interface Part {
  after: number;
  upTo: number;
  limit: number;
}

/** SQLite looks at a parameter that is the whole limit when it plans, and plans anew each time it is bound. Not at this one. */
export const BOUND = '? + 0';

/** Counting stops here: a requirement that more resources meet is a poor driver. */
const MANY = 1000;

/**
 * Decides how to search. `count` runs a query with the single column `count`. The driver is the requirement that the
 * fewest resources meet. Where many meet each, only one for a single value gives them in the order of their ids;
 * for others it is better to go through the resources, of which many match.
 */
export function planList(kind: number, selector: Requirement[], count: (query: Query) => number): Plan {
  const plan = (driver: Requirement | undefined, long: boolean): Plan => ({
    kind,
    driver,
    others: selector.filter((requirement) => requirement !== driver),
    long,
  });
  const candidates = selector.filter(({ operator }) => operator === 'in' || operator === 'exists');
  const ordered = candidates.find(({ values }) => values.length === 1);
  if (selector.length === 0 || (selector.length === 1 && ordered !== undefined)) return plan(ordered, false);
  const counts = candidates.map((requirement) => count(countQuery(kind, requirement)));
  const fewest = Math.min(...counts, MANY);
  return fewest < MANY ? plan(candidates[counts.indexOf(fewest)], false) : plan(ordered, true);
}

function countQuery(kind: number, requirement: Requirement): Query {
  const { sql, parameters } = inIndex(kind, requirement);
  return {
    sql: `SELECT count(*) AS count FROM (SELECT 1 FROM labels s WHERE ${sql} LIMIT ${MANY})`,
    parameters,
  };
}

/** The query for a part of a list in order of ids, with the columns `columns` of `r`. */
export function partQuery(
  { kind, driver, others }: Plan,
  { after, upTo, limit }: Part,
  columns: string,
): Query {
  const id = driver === undefined ? 's.id' : 's.resource';
  const conditions = [
    driver === undefined ? { sql: 's.kind = ?', parameters: [kind] } : inIndex(kind, driver),
    { sql: `${id} > ? AND ${id} <= ?`, parameters: [after, upTo] },
    ...others.map((requirement) => lookUp(requirement, id)),
  ];
  return {
    sql: `SELECT ${columns} FROM (
            SELECT ${id} AS id FROM ${driver === undefined ? 'resources' : 'labels'} s
            WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY ${id} LIMIT ${BOUND}
          ) page CROSS JOIN resources r ON r.id = page.id ORDER BY page.id`,
    parameters: [...conditions.flatMap(({ parameters }) => parameters), limit],
  };
}

/** The part of the index `labels_by_value` that a positive requirement names. */
function inIndex(kind: number, { key, operator, values }: Requirement): Query {
  const base = { sql: 's.kind = ? AND s.key = ?', parameters: [kind, escaped(key)] };
  if (operator === 'exists') return base;
  const { sql, parameters } = oneOf(values);
  return { sql: `${base.sql} AND s.value ${sql}`, parameters: [...base.parameters, ...parameters] };
}

/** Whether the labels of the resource `id` meet a requirement, through the primary key of `labels`. */
function lookUp({ key, operator, values }: Requirement, id: string): Query {
  const exists = operator === 'in' || operator === 'exists' ? 'EXISTS' : 'NOT EXISTS';
  const among = operator === 'in' || operator === 'notin' ? oneOf(values) : undefined;
  const value = among === undefined ? '' : ` AND x.value ${among.sql}`;
  return {
    sql: `${exists} (SELECT 1 FROM labels x WHERE x.resource = ${id} AND x.key = ?${value})`,
    parameters: [escaped(key), ...(among?.parameters ?? [])],
  };
}

function oneOf(values: string[]): Query {
  if (values.length === 1) return { sql: '= ?', parameters: [escaped(values[0])] };
  return { sql: 'IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(values.map(escaped))] };
}
