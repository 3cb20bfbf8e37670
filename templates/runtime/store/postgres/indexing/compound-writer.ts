import { NOT_REFUSED } from '../../indexing/resource-index';
import { StoreBusy } from '../../retry-busy';
import type { SingleWrite, WriteResult } from '../../store';
import { IS_BEGUN } from '../servers/durable';
import { hasGivenUp, isViolation } from '../servers/errors';
import type { PostgresConnections, PostgresQuery } from '../statements/connections';
import type { PostgresKinds } from '../statements/kinds';
import type { Outcome } from '../statements/queue';
import { LOCK_EVENTS, MATCHES } from '../statements/statements';
import type { Of } from '../statements/writer';
import type { PostgresIndexIds } from './index-ids';
import type { IndexedWriter } from './indexed-writer';
import { UnrecordedIds } from './unrecorded-ids';

/** The writers of the three kinds of writes. */
interface Writers {
  create: IndexedWriter<Of<'create'>>;
  update: IndexedWriter<Of<'update'>>;
  delete: IndexedWriter<Of<'delete'>>;
}

/** The resources of which all must be as they were read; they are locked, in the order of their ids. */
const STORED = `WITH i AS (
    SELECT * FROM unnest($1::integer[], $2::bigint[], $3::bigint[], $4::text[]) AS t (kind, id, revision, uid)
  ), locked AS (SELECT r.id FROM i JOIN resources r ON ${MATCHES} ORDER BY r.id FOR UPDATE OF r)`;

const LOCK = `${STORED} SELECT 1 / ((SELECT count(*) FROM locked) = (SELECT count(*) FROM i))::integer`;

const COUNT = `${STORED} SELECT count(*) = (SELECT count(*) FROM i) AS "isCurrent" FROM locked`;

/** References of what is written count only as they will be. */
const FORGET = `DELETE FROM refs WHERE resource = ANY ($1::bigint[]) AND ${IS_BEGUN}`;

/** Applies several writes in one transaction or none of them. Throws StoreBusy and StoreUnavailable. */
export class CompoundWriter {
  constructor(
    private readonly writers: Writers,
    private readonly connections: PostgresConnections,
    private readonly kinds: PostgresKinds,
    private readonly ids: PostgresIndexIds,
  ) {}

  /** Applies them one after the other. */
  async apply(batch: readonly Of<'all'>[]): Promise<Outcome[]> {
    const results: Outcome[] = [];
    for (const { writes } of batch) results.push(await this.#applyAll(writes));
    return results;
  }

  /** Returns the result that they would have now, and undoes them. Throws StoreBusy and StoreUnavailable. */
  async judge(writes: readonly SingleWrite[]): Promise<WriteResult> {
    const outcome = await this.#applyAll(writes, new UnrecordedIds(this.kinds, this.ids));
    if (outcome === 'busy') throw new StoreBusy('another transaction has just written the same entries');
    return outcome;
  }

  /** Applies them; undoes them where `unrecorded` has their ids. */
  async #applyAll(writes: readonly SingleWrite[], unrecorded?: UnrecordedIds): Promise<Outcome> {
    const { generation } = this.connections;
    const stored = writes.filter((write) => write.action !== 'create');
    const kinds = await Promise.all(stored.map(({ kind }) => this.kinds.find(kind)));
    if (kinds.includes(undefined)) return 'conflict';
    const states = [
      kinds,
      stored.map(({ id }) => id),
      stored.map(({ revision }) => revision),
      stored.map(({ uid }) => uid),
    ];
    const forget = { text: FORGET, values: [states[1]] };
    const lockEvents = { text: LOCK_EVENTS, values: [], generation, kinds: writes.map(({ kind }) => kind) };
    const parts = [only(writes, 'delete'), only(writes, 'update'), only(writes, 'create')] as const;
    const [deletions, updates, creations] = parts;
    const counted = [
      ...(deletions.length > 0 ? [await this.writers.delete.all(deletions, unrecorded)] : []),
      ...(updates.length > 0 ? [await this.writers.update.all(updates, unrecorded)] : []),
      ...(creations.length > 0 ? [await this.writers.create.all(creations, unrecorded)] : []),
    ];
    try {
      const end = unrecorded === undefined ? 'COMMIT' : 'ROLLBACK';
      const queries = [lockEvents, { text: LOCK, values: states }, forget, ...counted];
      await this.connections.writeAll(queries, end);
      return 'done';
    } catch (error) {
      if (isViolation(error)) return 'busy';
      if (!hasGivenUp(error)) throw error;
    }
    return this.#explain(parts, { text: COUNT, values: states }, forget, unrecorded);
  }

  /** Finds the reason why writes fail, in a transaction that is rolled back; 'busy' if there is none any more. */
  async #explain(
    [deletions, updates, creations]: readonly [Of<'delete'>[], Of<'update'>[], Of<'create'>[]],
    count: PostgresQuery,
    forget: PostgresQuery,
    unrecorded?: UnrecordedIds,
  ): Promise<Outcome> {
    const before = [count, forget];
    const [[current]] = await this.connections.writeAll<{ isCurrent: boolean }>(before, 'ROLLBACK');
    if (!current.isCurrent) return 'conflict';
    const judge = async <R extends { [column: string]: unknown }>(query: PostgresQuery): Promise<R[]> => {
      before.push(query);
      return (await this.connections.writeAll<R>(before, 'ROLLBACK')).at(-1)!;
    };
    const refused =
      (await this.writers.delete.explain(deletions, judge, unrecorded)) ??
      (await this.writers.update.explain(updates, judge, unrecorded)) ??
      (await this.writers.create.explain(creations, judge, unrecorded));
    return refused === undefined ? 'busy' : { ...NOT_REFUSED, ...refused };
  }
}

function only<A extends SingleWrite['action']>(writes: readonly SingleWrite[], action: A): Of<A>[] {
  return writes.filter((write) => write.action === action) as Of<A>[];
}
