import type { IndexEntry } from '../../indexes';
import type {
  IndexedKind,
  IndexProblem,
  Progress,
  Referrer,
  StoreIndexes,
} from '../../indexing/store-indexes';
import { ANY_TEXT, type Listed, type ListQuery, type StoredResource } from '../../store';
import type { IndexedStore, IndexedWriters } from '../indexing-parts';
import type { OpenedStore } from '../postgres-parts';
import { CompoundWriter } from './compound-writer';
import { PostgresFieldList } from './field-list';
import { PostgresIndexIds } from './index-ids';
import { PostgresIndexReader } from './index-reader';
import { PostgresIndexState } from './index-state';
import { IndexedWriter } from './indexed-writer';
import { INDEXED_CREATE, INDEXED_DELETE, INDEXED_KEYED_CREATE, INDEXED_UPDATE } from './statements';

/** The indexes of an open store, with its lists and writers of resources with entries. */
export class OpenIndexes implements StoreIndexes, IndexedStore {
  readonly #ids: PostgresIndexIds;
  readonly #reader: PostgresIndexReader;
  readonly #list: PostgresFieldList;
  readonly #state: PostgresIndexState;

  constructor(private readonly parts: OpenedStore) {
    const { servers, reads, writes, labels } = parts;
    this.#ids = new PostgresIndexIds(writes);
    this.#reader = new PostgresIndexReader(reads, this.#ids);
    this.#list = new PostgresFieldList(reads, this.#ids, labels);
    this.#state = new PostgresIndexState(servers, reads, writes);
  }

  async findAll(
    kind: string,
    entries: readonly IndexEntry[],
    maxText = ANY_TEXT,
  ): Promise<(Listed<StoredResource> | undefined)[]> {
    const id = await this.parts.kinds.find(kind);
    return id === undefined ? entries.map(() => undefined) : this.#reader.findAll(id, entries, maxText);
  }

  referrers(ids: readonly number[], limit: number): Promise<Referrer[]> {
    return this.#reader.referrers(ids, limit);
  }

  digests(): Promise<ReadonlyMap<string, string>> {
    return this.#state.digests();
  }

  rebuild(kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]> {
    return this.#state.rebuild(kinds, progress);
  }

  check(kinds: readonly IndexedKind[]): Promise<IndexProblem[]> {
    return this.#state.check(kinds);
  }

  selects({ fields = [], sort }: ListQuery): boolean {
    return fields.length > 0 || sort?.index !== undefined;
  }

  page(kind: number, query: ListQuery): Promise<Listed<StoredResource>[]> {
    return this.#list.page(kind, query);
  }

  writers(): IndexedWriters {
    const { writes, kinds } = this.parts;
    const writers = {
      create: new IndexedWriter(INDEXED_CREATE, writes, kinds, this.#ids),
      update: new IndexedWriter(INDEXED_UPDATE, writes, kinds, this.#ids),
      delete: new IndexedWriter(INDEXED_DELETE, writes, kinds, this.#ids),
    };
    return {
      ...writers,
      keyedCreate: new IndexedWriter(INDEXED_KEYED_CREATE, writes, kinds, this.#ids),
      all: new CompoundWriter(writers, writes, kinds, this.#ids),
    };
  }
}
