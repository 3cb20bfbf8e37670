import type { Requirement } from '../../../model/selectors/selector';
import { type Condition, escaped } from '../../sql';

/** A requirement of a list: a range of an index, or an exclusion. */
export interface ListCondition {
  /** The range of the index to scan; undefined for a requirement that excludes. */
  source: Source | undefined;
  /** Returns the condition that the resource with this id, an expression, meets the requirement. */
  lookUp(id: string): Condition;
}

/** A range of an index, whose table has the alias `s` and the column `resource`. */
export interface Source {
  table: 'labels' | 'fields';
  where: Condition;
  /** Set where its rows are in the order of resources. */
  isOrdered: boolean;
  /** Set where it may have several rows of one resource. */
  hasRepeats: boolean;
}

/** Returns the condition that a requirement of labels makes. */
export function labelCondition(kind: number, { key, operator, values }: Requirement): ListCondition {
  const among = operator === 'in' || operator === 'notin' ? oneOf(values) : undefined;
  const isPositive = operator === 'in' || operator === 'exists';
  const value = (alias: string): string => (among === undefined ? '' : ` AND ${alias}.value ${among.sql}`);
  const parameters = among?.parameters ?? [];
  return {
    source: isPositive
      ? {
          table: 'labels',
          where: {
            sql: `s.kind = ? AND s.key = ?${value('s')}`,
            parameters: [kind, escaped(key), ...parameters],
          },
          isOrdered: values.length === 1,
          hasRepeats: false,
        }
      : undefined,
    // Through the primary key of the table.
    lookUp: (id) => ({
      sql: `${isPositive ? '' : 'NOT '}EXISTS (SELECT 1 FROM labels x WHERE x.resource = ${id} AND x.key = ?${value('x')})`,
      parameters: [escaped(key), ...parameters],
    }),
  };
}

function oneOf(values: string[]): { sql: string; parameters: string[] } {
  if (values.length === 1) return { sql: '= ?', parameters: [escaped(values[0])] };
  return { sql: 'IN (SELECT value FROM json_each(?))', parameters: [JSON.stringify(values.map(escaped))] };
}
