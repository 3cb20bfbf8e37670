import type { Requirement } from '../selector';
import { escaped } from './label-text';
import type { SqlValue } from './sqlite-driver';
import type { ListQuery } from './store';

/** SQL and what is bound to it. Queries of one form have one text, so that their statement can be kept. */
export interface Query {
  sql: string;
  parameters: SqlValue[];
}

/** How many entries of the label index meet a requirement, counted up to a bound. */
export type Estimate = (query: Query) => number;

const ESTIMATE_BOUND = 1000;

/** SQLite refuses deeper expressions than 1,000; no one writes a selector of this length. */
export const MAX_REQUIREMENTS = 200;

/**
 * The query for a page of resources, with the columns `columns` of `r`. A selector is searched through the label
 * index by the requirement that the fewest resources meet; the others are looked up for each of these.
 */
export function listQuery(
  kind: number,
  { after, limit, selector }: ListQuery,
  columns: string,
  estimate: Estimate,
): Query {
  if (selector.length > MAX_REQUIREMENTS)
    throw new RangeError(`more than ${MAX_REQUIREMENTS} label requirements`);
  const driver = chooseDriver(kind, selector, estimate);
  const id = driver === undefined ? 's.id' : 's.resource';
  const conditions = [
    driver === undefined ? { sql: 's.kind = ?', parameters: [kind] } : inIndex(kind, driver),
    { sql: `${id} > ?`, parameters: [after] },
    ...selector.filter((requirement) => requirement !== driver).map((requirement) => lookUp(requirement, id)),
  ];
  return {
    sql: `SELECT ${columns} FROM (
            SELECT ${id} AS id FROM ${driver === undefined ? 'resources' : 'labels'} s
            WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY ${id} LIMIT ?
          ) page CROSS JOIN resources r ON r.id = page.id ORDER BY page.id`,
    parameters: [...conditions.flatMap(({ parameters }) => parameters), limit],
  };
}

/** Undefined when no requirement asks for a label that is there: then the resources themselves are scanned. */
function chooseDriver(kind: number, selector: Requirement[], estimate: Estimate): Requirement | undefined {
  const candidates = selector.filter(({ operator }) => operator === 'in' || operator === 'exists');
  if (candidates.length < 2) return candidates[0];
  const counts = candidates.map((requirement) => {
    const { sql, parameters } = inIndex(kind, requirement);
    return estimate({
      sql: `SELECT count(*) AS count FROM (SELECT 1 FROM labels s WHERE ${sql} LIMIT ${ESTIMATE_BOUND})`,
      parameters,
    });
  });
  return candidates[counts.indexOf(Math.min(...counts))];
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
  return {
    sql: `${exists} (SELECT 1 FROM labels x WHERE x.resource = ${id} AND x.key = ?${among ? ` AND x.value ${among.sql}` : ''})`,
    parameters: [escaped(key), ...(among?.parameters ?? [])],
  };
}

function oneOf(values: string[]): Query {
  if (values.length === 1) return { sql: '= ?', parameters: [escaped(values[0])] };
  return { sql: 'IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(values.map(escaped))] };
}
