import type { Command, Declared, SqlStatement } from '../../command';
import type { Database, DatabaseParts } from '../../database';
import type { Refused } from '../../indexes';
import type { Listed, ListQuery, SingleWrite, StoredResource, StoreParts, WriteResult } from '../../store';
import type { Position } from '../../stored-resource';
import type { Connection } from '../connection/driver';
import type { KindIds } from '../connection/kind-ids';
import type { Reading } from '../connection/reading';
import type { StatementCache } from '../connection/statement-cache';
import type { ListCondition } from './list-condition';

/** The parts of SQLite databases. */
export type SqliteParts = DatabaseParts<SqlitePart>;

/** A part of SQLite databases. */
export interface SqlitePart {
  /** Makes the part's writer of a batch; `thread` is the module that a writing thread loads it from. */
  writes?: { writer: MakeWriter; thread: string };
  /** Prepares a database that was just opened; without a path, one in memory. */
  begin?(connection: Connection, path?: string): void;
  /** Returns what the part adds to an open store. */
  open(store: OpenedStore): StoreParts;
  /** Makes the lists that are selected or sorted by fields. */
  lists?(connection: Connection, statements: StatementCache): FieldLists;
  /** Members that the part adds to the kind of database. */
  database?: Partial<Database>;
}

/** The parts of an open store that others are built on. */
export interface OpenedStore {
  reading: Reading;
  /** Opens another connection; absent for a database in memory, which has no other. */
  another?: () => Connection;
  /** Runs statements in a durable transaction. Returns whether the first one has changed anything. */
  run(...statements: SqlStatement[]): Promise<boolean>;
  /** Calls back after each commit of this process. */
  onCommit(listener: (batch: readonly Command[]) => void): void;
  /** Sets the digests of the process, for its writes. */
  declare(declared: Declared): void;
}

/** Makes the writer of a part. */
export type MakeWriter = (batch: BatchTools) => PartWriter;

/** The tools of a batch. */
export interface BatchTools {
  connection: Connection;
  kinds: KindIds;
  /** Applies a write. */
  apply(write: SingleWrite): WriteResult;
  /** Resets all caches; call it after a rollback. */
  forget(): void;
}

/** Writes what belongs to a part, inside the transaction of a batch. */
export interface PartWriter {
  /** Applies several writes or none. */
  all?(writes: readonly SingleWrite[]): WriteResult;
  /** Returns why a write must not be made; undefined where it may. The kind of an update or a deletion exists. */
  refusal?(write: SingleWrite, kind: number): Refused | undefined;
  /** Returns the position of the event of a write, which is written next; null where there is none. */
  position?(write: SingleWrite): Position | null;
  /** Writes the other rows of a write, after that of its resource. */
  written?(write: SingleWrite, row: WrittenRow): void;
  /** Resets the caches; call it after a rollback. */
  forget?(): void;
}

/** The row of a resource that was written or deleted. */
export interface WrittenRow {
  id: number;
  kind: number;
  position: Position | null;
}

/** Lists that are selected or sorted by fields. */
export interface FieldLists {
  /** Returns the conditions that requirements of fields make. */
  conditions(kind: number, query: ListQuery): ListCondition[];
  /** Returns the steps of a search for a page that is sorted by an index, with the conditions of its labels. */
  sorted(kind: number, query: ListQuery, labels: ListCondition[]): Generator<void, Listed<StoredResource>[]>;
}
