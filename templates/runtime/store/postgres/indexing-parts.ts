import type { Listed, ListQuery, SingleWrite, StoredResource, WriteResult } from '../store';
import type { Outcome } from './statements/queue';
import type { Of } from './statements/writer';

/** Lists and writers of resources with entries. */
export interface IndexedStore {
  /** Returns whether a list is selected or sorted by fields. */
  selects(query: ListQuery): boolean;
  /** Returns a page of such a list. */
  page(kind: number, query: ListQuery): Promise<Listed<StoredResource>[]>;
  /** Makes the writers of resources with entries, and of several at once. */
  writers(): IndexedWriters;
}

/** Writers by the action of their commands. */
export interface IndexedWriters {
  create: IndexedWriter<Of<'create'>, Of<'create'>>;
  /** Creates with an Idempotency-Key. */
  keyedCreate: IndexedWriter<Of<'create'>, Of<'create'>>;
  update: IndexedWriter<Of<'update'>, Of<'update'>>;
  delete: IndexedWriter<Of<'delete'>, Of<'delete'>>;
  all: IndexedWriter<Of<'all'>, readonly SingleWrite[]>;
}

/** A writer of commands that bring entries or remove them. */
interface IndexedWriter<C, W> {
  apply(batch: readonly C[]): Promise<Outcome[]>;
  /** Returns the result that a write would have now, and changes nothing. */
  judge(write: W): Promise<WriteResult>;
}
