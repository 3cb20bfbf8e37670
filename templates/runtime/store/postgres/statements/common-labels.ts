import type { Requirement } from '../../../model/selectors/selector';
import type { PostgresConnections } from './connections';
import { tokensOf } from './labels';

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
