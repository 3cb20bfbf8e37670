import type { Write, WriteResult } from '../../store';
import type { OpenedStore } from '../postgres-parts';
import { type PostgresQueue, submitWrite, type WriteQueues } from '../statements/queue';
import type { Of } from '../statements/writer';
import { CompoundWriter } from './compound-writer';
import type { PostgresIndexIds } from './index-ids';
import { IndexedWriter } from './indexed-writer';
import { INDEXED_CREATE, INDEXED_DELETE, INDEXED_KEYED_CREATE, INDEXED_UPDATE } from './statements';

/** The writes of resources with entries, and of several resources at once: those of each action have a queue of their own. */
export class IndexedWrites {
  readonly #writers: {
    create: IndexedWriter<Of<'create'>>;
    update: IndexedWriter<Of<'update'>>;
    delete: IndexedWriter<Of<'delete'>>;
  };
  readonly #compound: CompoundWriter;
  readonly #single: WriteQueues;
  readonly #all: PostgresQueue<Of<'all'>>;

  constructor(store: OpenedStore, ids: PostgresIndexIds) {
    const { writes, kinds } = store;
    this.#writers = {
      create: new IndexedWriter(INDEXED_CREATE, writes, kinds, ids),
      update: new IndexedWriter(INDEXED_UPDATE, writes, kinds, ids),
      delete: new IndexedWriter(INDEXED_DELETE, writes, kinds, ids),
    };
    this.#compound = new CompoundWriter(this.#writers, writes, kinds, ids);
    this.#single = {
      create: store.group(this.#writers.create),
      keyedCreate: store.group(new IndexedWriter(INDEXED_KEYED_CREATE, writes, kinds, ids)),
      update: store.group(this.#writers.update),
      delete: store.group(this.#writers.delete),
    };
    this.#all = store.group(this.#compound, { batchWrites: 1 });
  }

  /** Makes a write; as `write` of Store. */
  write(write: Write, since?: number): Promise<WriteResult> {
    return write.action === 'all' ? this.#all.submit(write, since) : submitWrite(this.#single, write, since);
  }

  /** Returns the result that a write would have now, and changes nothing. */
  judge(write: Write): Promise<WriteResult> {
    switch (write.action) {
      case 'create':
        return this.#writers.create.judge(write);
      case 'update':
        return this.#writers.update.judge(write);
      case 'delete':
        return this.#writers.delete.judge(write);
      case 'all':
        return this.#compound.judge(write.writes);
    }
  }
}
