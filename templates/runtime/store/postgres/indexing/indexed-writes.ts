import type { Of } from '../../command';
import { StoreBusy } from '../../retry-busy';
import type { SingleWrite, Write, WriteResult } from '../../store';
import type { OpenedStore } from '../postgres-parts';
import { IS_BEGUN } from '../servers/durable';
import { hasGivenUp, isViolation } from '../servers/errors';
import type { PostgresConnections, PostgresQuery } from '../statements/connections';
import { type Outcome, type PostgresQueue, submitWrite, type WriteQueues } from '../statements/queue';
import { LOCK_EVENTS, MATCHES } from '../statements/statements';
import { type EntryIds, type PostgresIndexIds, recordedIds, unrecordedIds } from './index-ids';
import { IndexedWriter } from './indexed-writer';
import {
  INDEXED_CREATE,
  INDEXED_DELETE,
  INDEXED_KEYED_CREATE,
  INDEXED_UPDATE,
  type IndexedStatement,
  type IndexedWrite,
} from './statements';

/** The writes of resources with entries, and of several resources at once: those of each action have a queue of their own. */
export class IndexedWrites {
  readonly #writers: Writers;
  readonly #compound: CompoundWriter;
  readonly #single: WriteQueues;
  readonly #all: PostgresQueue<Of<'all'>>;

  constructor(
    private readonly store: OpenedStore,
    private readonly ids: PostgresIndexIds,
  ) {
    const { writes, kinds } = store;
    const recorded = recordedIds(kinds, ids);
    const writer = <C extends IndexedWrite>(statement: IndexedStatement<C>) =>
      new IndexedWriter(statement, writes, recorded);
    const writers = {
      create: writer(INDEXED_CREATE),
      update: writer(INDEXED_UPDATE),
      delete: writer(INDEXED_DELETE),
    };
    this.#writers = writers;
    this.#compound = new CompoundWriter(writers, writes, recorded);
    this.#single = {
      create: store.group(writers.create),
      keyedCreate: store.group(writer(INDEXED_KEYED_CREATE)),
      update: store.group(writers.update),
      delete: store.group(writers.delete),
    };
    this.#all = store.group(this.#compound, { batchWrites: 1 });
  }

  /** Makes a write; as `write` of Store. */
  write(write: Write, since?: number): Promise<WriteResult> {
    return write.action === 'all' ? this.#all.submit(write, since) : submitWrite(this.#single, write, since);
  }

  /** Returns the result that a write would have now, and changes nothing. */
  judge(write: Write): Promise<WriteResult> {
    const ids = unrecordedIds(this.store.kinds, this.ids);
    return write.action === 'all'
      ? this.#compound.judge(write.writes, ids)
      : this.#writers[write.action].judge(write, ids);
  }
}

/** The writers of the three kinds of writes. */
export type Writers = { [action in IndexedWrite['action']]: IndexedWriter<IndexedWrite> };

/** The writes of one action, and their writer. */
interface Part {
  writer: IndexedWriter<IndexedWrite>;
  commands: IndexedWrite[];
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
class CompoundWriter {
  constructor(
    private readonly writers: Writers,
    private readonly connections: PostgresConnections,
    private readonly ids: EntryIds,
  ) {}

  /** Applies them one after the other. */
  async apply(batch: readonly Of<'all'>[]): Promise<Outcome[]> {
    const results: Outcome[] = [];
    for (const { writes } of batch) results.push(await this.#run(writes, this.ids, 'COMMIT'));
    return results;
  }

  /** Returns the result that writes with unrecorded ids would have now, and undoes them. */
  async judge(writes: readonly SingleWrite[], ids: EntryIds): Promise<WriteResult> {
    const outcome = await this.#run(writes, ids, 'ROLLBACK');
    if (outcome === 'busy') throw new StoreBusy('another transaction has just written the same entries');
    return outcome;
  }

  async #run(writes: readonly SingleWrite[], ids: EntryIds, end: 'COMMIT' | 'ROLLBACK'): Promise<Outcome> {
    const { generation } = this.connections;
    const stored = writes.filter((write) => write.action !== 'create');
    const kinds = await Promise.all(stored.map(({ kind }) => ids.kind(kind)));
    if (kinds.includes(undefined)) return 'conflict';
    const states = [
      kinds,
      stored.map(({ id }) => id),
      stored.map(({ revision }) => revision),
      stored.map(({ uid }) => uid),
    ];
    const forget = { text: FORGET, values: [states[1]] };
    const lockEvents = { text: LOCK_EVENTS, values: [], generation, kinds: writes.map(({ kind }) => kind) };
    const parts = (['delete', 'update', 'create'] as const)
      .map((action): Part => {
        return { writer: this.writers[action], commands: writes.filter((write) => write.action === action) };
      })
      .filter(({ commands }) => commands.length > 0);
    const queries: PostgresQuery[] = [lockEvents, { text: LOCK, values: states }, forget];
    for (const { writer, commands } of parts) queries.push(await writer.all(commands, ids));
    try {
      await this.connections.writeAll(queries, end);
      return 'done';
    } catch (error) {
      if (!hasGivenUp(error)) return busyOrThrow(error);
    }
    return this.#explain(parts, ids, [{ text: COUNT, values: states }, forget]).catch(busyOrThrow);
  }

  /** Finds the reason why writes fail, in a transaction that is rolled back; 'busy' if there is none any more. */
  async #explain(parts: readonly Part[], ids: EntryIds, before: PostgresQuery[]): Promise<Outcome> {
    const [[current]] = await this.connections.writeAll<{ isCurrent: boolean }>(before, 'ROLLBACK');
    if (!current.isCurrent) return 'conflict';
    const judge = async <R extends { [column: string]: unknown }>(query: PostgresQuery): Promise<R[]> => {
      before.push(query);
      return (await this.connections.writeAll<R>(before, 'ROLLBACK')).at(-1)!;
    };
    for (const { writer, commands } of parts) {
      const refused = await writer.explain(commands, ids, judge);
      if (refused !== undefined) return refused;
    }
    return 'busy';
  }
}

/** Another transaction may have just written an entry that a statement does not see, but its constraint does. */
function busyOrThrow(error: unknown): 'busy' {
  if (isViolation(error)) return 'busy';
  throw error;
}
