import type { Outcome } from '../group-commit';
import type { IndexedKind, IndexProblem, Progress, StoreIndexes } from '../indexes';
import type { Listed, ListQuery, SingleWrite, StoredResource, WriteResult } from '../store';
import type { PostgresTimeouts } from './servers/hosts';
import type { PostgresServers } from './servers/servers';
import type { CommonLabels } from './statements/common-labels';
import type { PostgresConnections } from './statements/connections';
import type { PostgresKinds } from './statements/kinds';
import type { Of } from './statements/writer';

/** The indexing of PostgreSQL databases, from outside: a service without the feature has none of it. */
export interface PostgresIndexing {
  open(parts: IndexedParts): PostgresIndexes;
  /** Returns the resources of a database that break rules, and changes nothing. */
  check(
    url: string,
    timeouts: PostgresTimeouts,
    kinds: readonly IndexedKind[],
    progress?: Progress,
  ): Promise<IndexProblem[]>;
}

/** The parts of a store that its indexes are read and written with. */
export interface IndexedParts {
  servers: PostgresServers;
  reads: PostgresConnections;
  writes: PostgresConnections;
  kinds: PostgresKinds;
  labels: CommonLabels;
}

/** The indexes of an open store. */
export interface PostgresIndexes extends StoreIndexes {
  /** Returns a page of a list that is selected or sorted by fields. */
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
