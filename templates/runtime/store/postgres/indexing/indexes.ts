import type { IndexEntry } from '../../indexes';
import type {
  IndexedKind,
  IndexProblem,
  Progress,
  Referrer,
  StoreIndexes,
} from '../../indexing/store-indexes';
import {
  ANY_TEXT,
  type Listed,
  type ListQuery,
  type StoredResource,
  type Write,
  type WriteResult,
} from '../../store';
import type { IndexedStore } from '../indexing-parts';
import type { OpenedStore } from '../postgres-parts';
import { PostgresFieldList } from './field-list';
import { PostgresIndexIds } from './index-ids';
import { PostgresIndexReader } from './index-reader';
import { PostgresIndexState } from './index-state';
import { IndexedWrites } from './indexed-writes';

/** The indexes of an open store, with its lists and writes of resources with entries. */
export class OpenIndexes implements StoreIndexes, IndexedStore {
  readonly #reader: PostgresIndexReader;
  readonly #list: PostgresFieldList;
  readonly #state: PostgresIndexState;
  readonly #writes: IndexedWrites;

  constructor(private readonly parts: OpenedStore) {
    const { servers, reads, writes, labels } = parts;
    const ids = new PostgresIndexIds(writes);
    this.#reader = new PostgresIndexReader(reads, ids);
    this.#list = new PostgresFieldList(reads, ids, labels);
    this.#state = new PostgresIndexState(servers, reads, writes);
    this.#writes = new IndexedWrites(parts, ids);
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

  write(write: Write, since?: number): Promise<WriteResult> {
    return this.#writes.write(write, since);
  }

  judge(write: Write): Promise<WriteResult> {
    return this.#writes.judge(write);
  }
}
