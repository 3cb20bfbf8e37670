import type { Refused } from '../../indexes';
import { NOT_REFUSED } from '../../indexing/resource-index';
import type { SingleWrite, WriteResult } from '../../store';
import type { BatchTools, MakeWriter, PartWriter, WrittenRow } from '../parts/sqlite-parts';
import { IndexWriter } from './index-writer';

/** Makes the writer of entries. */
export const writer: MakeWriter = (batch) => new EntryWriter(batch);

/** Writes the entries of the resources of a batch, and several writes that refer to one another. */
class EntryWriter implements PartWriter {
  readonly #entries: IndexWriter;

  constructor(private readonly batch: BatchTools) {
    this.#entries = new IndexWriter(batch.connection, batch.kinds);
  }

  refusal(write: SingleWrite, kind: number): Refused | undefined {
    if (write.action === 'delete')
      return write.isIndexed && this.#entries.isReferred(write.id)
        ? { ...NOT_REFUSED, isReferred: true }
        : undefined;
    const { index } = write;
    const id = write.action === 'update' ? write.id : undefined;
    return index && this.#entries.refusal({ kind, kindName: write.kind, id, index });
  }

  written(write: SingleWrite, { id, kind }: WrittenRow): void {
    if (write.action === 'delete') {
      if (write.isIndexed) this.#entries.remove(id);
      return;
    }
    const { action, kind: kindName, index } = write;
    if (index === undefined) return;
    if (action === 'create') this.#entries.add({ kind, kindName, id, index });
    else this.#entries.replace({ kind, kindName, id, index });
  }

  /** Applies several writes or none. References among them do not count, so that references may come in any order. */
  all(writes: readonly SingleWrite[]): WriteResult {
    const { connection } = this.batch;
    connection.exec('SAVEPOINT several');
    const result = this.#eachOf(writes);
    if (result !== 'done') {
      connection.exec('ROLLBACK TO several');
      this.batch.forget();
    }
    connection.exec('RELEASE several');
    return result;
  }

  forget(): void {
    this.#entries.forget();
  }

  #eachOf(writes: readonly SingleWrite[]): WriteResult {
    for (const write of writes) if (write.action !== 'create') this.#entries.removeReferences(write.id);
    const isDeletion = ({ action }: SingleWrite): boolean => action === 'delete';
    const ordered = [...writes.filter(isDeletion), ...writes.filter((write) => !isDeletion(write))];
    for (const write of ordered) {
      const result = this.batch.apply(write);
      if (result !== 'done') return result;
    }
    return 'done';
  }
}
