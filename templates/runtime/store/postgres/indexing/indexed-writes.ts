import type { Of } from '../../command';
import type { Write, WriteResult } from '../../store';
import type { OpenedStore } from '../postgres-parts';
import { type PostgresQueue, submitWrite, type WriteQueues } from '../statements/queue';
import { CompoundWriter, type Writers } from './compound-writer';
import { type PostgresIndexIds, recordedIds, unrecordedIds } from './index-ids';
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
