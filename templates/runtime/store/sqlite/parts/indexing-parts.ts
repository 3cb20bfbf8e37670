import type { Declared } from '../../declared';
import type {
  FieldRequirement,
  IndexedKind,
  IndexProblem,
  Progress,
  Refused,
  ResourceIndex,
  StoreIndexes,
} from '../../indexes';
import type { Listed, ListQuery, StoredResource } from '../../store';
import type { Connection } from '../connection/driver';
import type { KindIds } from '../connection/kind-ids';
import type { StatementCache } from '../connection/statement-cache';
import type { ListCondition } from './list-condition';

/** The indexing of SQLite databases, from outside: a service without the feature has none of it. */
export interface SqliteIndexing {
  /** The module that a writing thread loads `writer` from. */
  thread: string;
  /** Makes the writer of entries. */
  writer(connection: Connection, kinds: KindIds): EntryWriter;
  lists(connection: Connection, statements: StatementCache): FieldLists;
  indexes(connections: IndexConnections): StoreIndexes;
  /** Returns the resources of a file that break rules, and changes nothing. */
  check(name: string, kinds: readonly IndexedKind[], progress?: Progress): Promise<IndexProblem[]>;
}

/** A state of a resource: its kind, its id unless it is new, and its entries. */
export interface Indexed {
  kind: number;
  kindName: string;
  id?: number;
  index: ResourceIndex;
}

/** Writes the entries of resources inside the transaction of a batch. */
export interface EntryWriter {
  /** Returns why a state must not be written; undefined where it may. */
  refusal(state: Indexed): Refused | undefined;
  /** Returns whether others refer to a resource, by any of its unique entries. */
  isReferred(id: number): boolean;
  /** Writes the entries of a new resource. */
  add(state: Indexed & { id: number }): void;
  /** Writes the entries of a resource that had others. */
  replace(state: Indexed & { id: number }): void;
  /** Removes the references of a resource: those to others of the same transaction no longer count. */
  removeReferences(id: number): void;
  /** Removes all entries of a resource that nobody refers to. */
  remove(id: number): void;
  /** Resets the caches; call it after a rollback. */
  forget(): void;
}

/** Lists that are selected or sorted by fields. */
export interface FieldLists {
  /** Returns the conditions that requirements of fields make. */
  conditions(kind: number, fields: readonly FieldRequirement[]): ListCondition[];
  /** Returns the steps of a search for a page that is sorted by an index, with the conditions of its labels. */
  sorted(kind: number, query: ListQuery, labels: ListCondition[]): Generator<void, Listed<StoredResource>[]>;
}

/** The connections that entries are read and made with. */
export interface IndexConnections {
  /** A connection that only reads. */
  reading: Connection;
  /** Opens another one; absent for a database in memory, which has no other. */
  open?: () => Connection;
  /** Throws StoreUnavailable when the store is closed. */
  check(): void;
  /** Sets the digests of the process, for its writes. */
  declare(declared: Declared): void;
}
