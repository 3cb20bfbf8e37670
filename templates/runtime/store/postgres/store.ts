import type { Client } from 'pg';
import { afterCommit } from '../after-commit';
import { type Command, hasEvent } from '../command';
import type { Failover } from '../database';
import { type CommitLimits, GroupCommit, type Outcome } from '../group-commit';
import { isPlain } from '../label-text';
import { retryBusy } from '../retry-busy';
import {
  ALL_SNAPSHOTS,
  ANY_TEXT,
  type Listed,
  type ListQuery,
  type SingleWrite,
  type SnapshotKey,
  snapshotOrder,
  type SnapshotPage,
  type Store,
  type StoredResource,
  type StoredSnapshot,
  type Write,
  type WriteResult,
} from '../store';
import type { PostgresLog } from './event-parts';
import type { IndexedWriters, PostgresIndexes } from './indexing-parts';
import { type PostgresParts, prepareParts } from './postgres-parts';
import { migratePostgres } from './schema/migrations';
import type { PostgresTimeouts } from './servers/hosts';
import { PostgresServers } from './servers/servers';
import { CommonLabels } from './statements/common-labels';
import { PostgresConnections } from './statements/connections';
import { PostgresJudgement } from './statements/judgement';
import { PostgresKinds } from './statements/kinds';
import { listed, listQuery, orOmitted } from './statements/labels';
import { PostgresResponses } from './statements/responses';
import { CREATE, DELETE, DELETE_SNAPSHOT, KEYED_CREATE, UPDATE } from './statements/statements';
import { PostgresVersions } from './statements/versions';
import { type Batched, type BatchStatement, type Of, PostgresWriter } from './statements/writer';

/** Options of a PostgreSQL store. */
interface PostgresOptions extends CommitLimits, PostgresTimeouts {
  /** Numbers of connections of one process for reads and for writes. */
  readConnections: number;
  writeConnections: number;
  /** Called once, when a pooler switches sessions between transactions. */
  onPooler?: () => void;
  /** Called when another server has taken over. */
  onFailover?: (failover: Failover) => void;
}

/** The queues of writes of resources with entries, and of several at once; their writers judge. */
interface IndexedCommits {
  writers: IndexedWriters;
  create: GroupCommit<Of<'create'>>;
  keyedCreate: GroupCommit<Of<'create'>>;
  update: GroupCommit<Of<'update'>>;
  delete: GroupCommit<Of<'delete'>>;
  all: GroupCommit<Of<'all'>>;
}

const GET =
  'SELECT id, uid, revision, version, text, etag, kept, position FROM resources WHERE uid = $1 AND kind = $2';

const SNAPSHOT_COLUMNS = 's.version_id AS "versionId", s.version, s.kept';
const OF_RESOURCE = `FROM resources r JOIN snapshots s ON s.resource = r.id WHERE r.uid = $1 AND r.kind = $2`;

/**
 * A store in a PostgreSQL database that several processes share. Each read and each batch of writes is one statement
 * and one round trip. Creates, updates and deletes have batches of their own: a write always depends on a state that
 * was read, so the order among them decides nothing.
 */
export class PostgresStore implements Store {
  readonly events?: PostgresLog;
  readonly versions: PostgresVersions;
  readonly indexes?: PostgresIndexes;
  readonly responses: PostgresResponses;
  readonly #reads: PostgresConnections;
  readonly #writes: PostgresConnections;
  readonly #kinds: PostgresKinds;
  readonly #labels: CommonLabels;
  readonly #create: GroupCommit<Of<'create'>>;
  readonly #keyedCreate: GroupCommit<Of<'create'>>;
  readonly #update: GroupCommit<Of<'update'>>;
  readonly #delete: GroupCommit<Of<'delete'>>;
  readonly #deleteSnapshot: GroupCommit<Of<'deleteSnapshot'>>;
  #indexedCommits: IndexedCommits | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    servers: PostgresServers,
    private readonly options: PostgresOptions,
    { indexing, events }: PostgresParts,
  ) {
    let noticed = false;
    const onPooler = (): void => {
      if (!noticed) options.onPooler?.();
      noticed = true;
    };
    this.#reads = new PostgresConnections(servers, options.readConnections, onPooler);
    this.#writes = new PostgresConnections(servers, options.writeConnections, onPooler);
    this.#kinds = new PostgresKinds(this.#writes);
    this.#labels = new CommonLabels(this.#reads);
    this.events = events?.log({
      servers,
      reads: this.#reads,
      writes: this.#writes,
      busyTimeoutMs: options.busyTimeoutMs,
    });
    this.versions = new PostgresVersions(this.#reads, this.#writes, this.#kinds, options.busyTimeoutMs);
    this.responses = new PostgresResponses(this.#reads, this.#writes, options.busyTimeoutMs);
    this.indexes = indexing?.open({
      servers,
      reads: this.#reads,
      writes: this.#writes,
      kinds: this.#kinds,
      labels: this.#labels,
    });
    // A service without indexes makes no entries.
    if (indexing === undefined) this.#writes.declare(new Map());
    this.#create = this.#commits(CREATE);
    this.#keyedCreate = this.#commits(KEYED_CREATE);
    this.#update = this.#commits(UPDATE);
    this.#delete = this.#commits(DELETE);
    this.#deleteSnapshot = this.#commits(DELETE_SNAPSHOT);
  }

  /**
   * Connects to the database of a `postgres://` URL and brings its schema up to date. Throws StoreRefused for an
   * unusable database, and StoreUnavailable.
   */
  static async open(
    url: string,
    options: PostgresOptions,
    parts: PostgresParts = {},
  ): Promise<PostgresStore> {
    const servers = new PostgresServers(url, options, options);
    const prepare = (client: Client): Promise<void> => prepareParts(client, parts);
    await migratePostgres(servers, { prepare, busyTimeoutMs: options.busyTimeoutMs });
    return new PostgresStore(servers, options, parts);
  }

  async get(kind: string, uid: string): Promise<StoredResource | undefined> {
    const id = await this.#kinds.find(kind);
    if (id === undefined || !isPlain(uid)) return undefined;
    const [resource] = await this.#reads.read<StoredResource>({ name: 'get', text: GET, values: [uid, id] });
    return resource;
  }

  async list(kind: string, query: ListQuery): Promise<Listed<StoredResource>[]> {
    const id = await this.#kinds.find(kind);
    if (id === undefined) return [];
    if (query.fields?.length || query.sort?.index !== undefined) return this.indexes!.page(id, query);
    const rows = await this.#reads.read<StoredResource & { omitted: number | null }>(
      listQuery(id, query, await this.#labels.areFew(id, query.selector)),
    );
    return rows.map(listed);
  }

  async listSnapshots(
    kind: string,
    uid: string,
    page: SnapshotPage = ALL_SNAPSHOTS,
  ): Promise<Listed<StoredSnapshot>[]> {
    const id = await this.#kinds.find(kind);
    if (id === undefined || !isPlain(uid)) return [];
    const { limit, maxText = ANY_TEXT } = page;
    const [compared, start, order] = snapshotOrder(page);
    const text = `SELECT ${SNAPSHOT_COLUMNS}, ${orOmitted('s.text', '$5')} ${OF_RESOURCE}
      AND s.version_id ${compared} $3 ORDER BY s.version_id ${order} LIMIT $4`;
    const values = [uid, id, start, limit, maxText];
    const rows = await this.#reads.read<StoredSnapshot & { omitted: number | null }>({
      name: `snapshots ${order}`,
      text,
      values,
    });
    return rows.map(listed);
  }

  async getSnapshot({ kind, uid, versionId }: SnapshotKey): Promise<StoredSnapshot | undefined> {
    const id = await this.#kinds.find(kind);
    if (id === undefined || !isPlain(uid) || !isPlain(versionId)) return undefined;
    const text = `SELECT ${SNAPSHOT_COLUMNS}, s.text ${OF_RESOURCE} AND s.version_id = $3`;
    const [snapshot] = await this.#reads.read<StoredSnapshot>({
      name: 'snapshot',
      text,
      values: [uid, id, versionId],
    });
    return snapshot;
  }

  write(write: Write, since?: number): Promise<WriteResult> {
    switch (write.action) {
      case 'create':
        return this.#creates(write).submit(write, since);
      case 'update':
        return (write.index === undefined ? this.#update : this.#indexed.update).submit(write, since);
      case 'delete':
        return (write.isIndexed ? this.#indexed.delete : this.#delete).submit(write, since);
      case 'all':
        return this.#indexed.all.submit(write, since);
    }
  }

  judge(write: Write): Promise<WriteResult> {
    return retryBusy(() => this.#judge(write), performance.now() + this.options.busyTimeoutMs);
  }

  async deleteSnapshot(key: SnapshotKey): Promise<boolean> {
    if (!isPlain(key.uid) || !isPlain(key.versionId)) return false;
    return (await this.#deleteSnapshot.submit({ action: 'deleteSnapshot', ...key })) === 'done';
  }

  async ready(): Promise<void> {
    const probe = { name: 'probe', text: 'UPDATE probe SET written = written + 1', values: [] };
    await retryBusy(() => this.#writes.write(probe), performance.now() + this.options.busyTimeoutMs);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  #judge(write: Write): Promise<WriteResult> {
    const plain = (single: SingleWrite): Promise<WriteResult> =>
      new PostgresJudgement(this.#reads, this.#kinds).judge(single);
    switch (write.action) {
      case 'create':
        return write.index === undefined ? plain(write) : this.#indexed.writers.create.judge(write);
      case 'update':
        return write.index === undefined ? plain(write) : this.#indexed.writers.update.judge(write);
      case 'delete':
        return write.isIndexed ? this.#indexed.writers.delete.judge(write) : plain(write);
      case 'all':
        return this.#indexed.writers.all.judge(write.writes);
    }
  }

  /** Returns the queue of a create. */
  #creates({ index, keyed }: Of<'create'>): GroupCommit<Of<'create'>> {
    if (index === undefined) return keyed === undefined ? this.#create : this.#keyedCreate;
    return keyed === undefined ? this.#indexed.create : this.#indexed.keyedCreate;
  }

  async #close(): Promise<void> {
    const { writers: _, ...queues } = this.#indexedCommits ?? {};
    const indexed = Object.values<{ close(): Promise<void> }>(queues);
    const plain = [this.#create, this.#keyedCreate, this.#update, this.#delete, this.#deleteSnapshot];
    await Promise.all([...plain, ...indexed].map((commits) => commits.close()));
    await this.events?.close();
    await Promise.all([this.#reads.close(), this.#writes.close()]);
  }

  /** Commits of resources with entries; most services have none. */
  get #indexed(): IndexedCommits {
    return (this.#indexedCommits ??= this.#indexedWriters());
  }

  #indexedWriters(): IndexedCommits {
    const writers = this.indexes!.writers();
    return {
      writers,
      create: this.#group(writers.create),
      keyedCreate: this.#group(writers.keyedCreate),
      update: this.#group(writers.update),
      delete: this.#group(writers.delete),
      all: this.#group(writers.all, { batchWrites: 1 }),
    };
  }

  #commits<C extends Batched>(statement: BatchStatement<C>): GroupCommit<C> {
    return this.#group(new PostgresWriter(statement, this.#writes, this.#kinds));
  }

  #group<C extends Command>(
    writer: { apply(batch: readonly C[]): Promise<Outcome[]> },
    more: Partial<CommitLimits> = {},
  ): GroupCommit<C> {
    return new GroupCommit<C>(
      async (batch) => {
        const results = await writer.apply(batch);
        if (batch.some(hasEvent)) afterCommit(() => this.events?.committed());
        return results;
      },
      // A wait for more writes here would cost a quarter of the throughput: the server gathers commits by itself.
      { ...this.options, ...more, gatherMs: 0 },
    );
  }
}
