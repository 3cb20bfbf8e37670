import { createHash } from 'node:crypto';
import type { Labels, Requirement } from '../../../model/selectors/selector';
import { allOf, type Condition, escaped } from '../../sql';
import type { PostgresConnections } from './connections';

/** An entry of a GIN index must fit on a third of a page. */
const LONGEST_TOKEN = 500;

/**
 * Returns the tokens of labels in the index: two for each, one of its key and one of both key and value. They begin
 * with the kind, so that other kinds with the same labels are not looked at. Tabs and line feeds are escaped in keys
 * and values.
 */
export function labelTokens(kind: number, labels: Labels): string[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    labelToken(kind, key),
    labelToken(kind, key, value),
  ]);
}

/** Returns the token of this key, and of this value if any; a long one is replaced by its digest. */
export function labelToken(kind: number, key: string, value?: string): string {
  const text = [String(kind), escaped(key), ...(value === undefined ? [] : [escaped(value)])].join('\t');
  return text.length <= LONGEST_TOKEN ? text : `${kind}\r${createHash('sha256').update(text).digest('hex')}`;
}

/**
 * Returns the condition of a selector on the tokens of resources `r` of a kind, which uses the index. Tokens name the
 * kind: a second condition on it would only mislead the planner.
 */
export function labelCondition(kind: number, selector: readonly Requirement[]): Condition<unknown> {
  const all: string[] = [];
  const none: string[] = [];
  const some: string[][] = [];
  for (const requirement of selector) {
    const tokens = tokensOf(kind, requirement);
    if (requirement.operator === 'absent' || requirement.operator === 'notin') none.push(...tokens);
    else if (tokens.length === 1) all.push(...tokens);
    else some.push(tokens);
  }
  return allOf<unknown>([
    ...(all.length + some.length === 0 ? [{ sql: 'r.kind = ?', parameters: [kind] }] : []),
    ...(all.length > 0 ? [{ sql: 'r.labels @> ?::text[]', parameters: [all] }] : []),
    ...some.map((tokens) => ({ sql: 'r.labels && ?::text[]', parameters: [tokens] })),
    ...(none.length > 0 ? [{ sql: 'NOT r.labels && ?::text[]', parameters: [none] }] : []),
  ]);
}

/** Returns the tokens that a requirement is about. */
function tokensOf(kind: number, { key, operator, values }: Requirement): string[] {
  if (operator === 'exists' || operator === 'absent') return [labelToken(kind, key)];
  return values.map((value) => labelToken(kind, key, value));
}

/** Time for which what the server's statistics say is used, in ms. */
const FRESH = 60_000;

const COMMON = `SELECT most_common_elems::text::text[] AS tokens FROM pg_stats
  WHERE schemaname = current_schema AND tablename = 'resources' AND attname = 'labels'`;

/**
 * The labels that many resources have, by the statistics of the server. PostgreSQL assumes that any other label is on up to half a
 * percent of all resources: among millions, it would go through all in their order to find the few that have one.
 */
export class CommonLabels {
  #tokens: Promise<ReadonlySet<string> | undefined> | undefined;
  #readAt = -Infinity;

  constructor(private readonly connections: Pick<PostgresConnections, 'read'>) {}

  /**
   * Returns whether few resources of a kind meet a selector: it requires a label that the statistics know to be rare. False where
   * there are none.
   */
  async areFew(kind: number, selector: readonly Requirement[]): Promise<boolean> {
    const positive = selector.filter(({ operator }) => operator === 'in' || operator === 'exists');
    if (positive.length === 0) return false;
    const common = await this.#common();
    if (common === undefined) return false;
    return positive.some((requirement) => tokensOf(kind, requirement).every((token) => !common.has(token)));
  }

  #common(): Promise<ReadonlySet<string> | undefined> {
    if (this.#tokens === undefined || performance.now() > this.#readAt + FRESH) {
      this.#readAt = performance.now();
      this.#tokens = this.#read();
    }
    return this.#tokens;
  }

  async #read(): Promise<ReadonlySet<string> | undefined> {
    try {
      const [row] = await this.connections.read<{ tokens: string[] | null }>({ text: COMMON, values: [] });
      return row === undefined ? undefined : new Set(row.tokens);
    } catch (error) {
      this.#tokens = undefined;
      throw error;
    }
  }
}
