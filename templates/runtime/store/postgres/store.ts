import type { Client } from 'pg';
import { afterCommit } from '../after-commit';
import type { Command } from '../command';
import { type Notice, partsIn } from '../database';
import type { CommitLimits } from '../group-commit';
import { isPlain } from '../label-text';
import { retryBusy } from '../retry-busy';
import type { Listed, ListQuery, SingleWrite, Store, StoredResource, Write, WriteResult } from '../store';
import type { IndexedStore, IndexedWriters } from './indexing-parts';
import { type OpenedStore, type OpenPart, type PostgresParts, prepareParts } from './postgres-parts';
import { migratePostgres } from './schema/migrations';
import type { PostgresTimeouts } from './servers/hosts';
import { PostgresServers } from './servers/servers';
import { CommonLabels } from './statements/common-labels';
import { PostgresConnections } from './statements/connections';
import { PostgresJudgement } from './statements/judgement';
import { PostgresKinds } from './statements/kinds';
import { listed, listQuery } from './statements/labels';
import { type Outcome, PostgresQueue } from './statements/queue';
import { PostgresResponses } from './statements/responses';
import { CREATE, DELETE, KEYED_CREATE, UPDATE } from './statements/statements';
import { PostgresVersions } from './statements/versions';
import { type Batched, type BatchStatement, type Of, PostgresWriter } from './statements/writer';

/** Options of a PostgreSQL store. */
interface PostgresOptions extends CommitLimits, PostgresTimeouts {
  /** Numbers of connections of one process for reads and for writes. */
  readConnections: number;
  writeConnections: number;
  onNotice?: (notice: Notice) => void;
}

/** Said once, when a pooler switches sessions between transactions. */
const POOLED =
  'a pooler gives each transaction another session of PostgreSQL: that is safe, but statements are not prepared, and events of other processes are polled every EVENTS_POLL_MS';

/** The queues of writes of resources with entries, and of several at once; their writers judge. */
interface IndexedCommits {
  writers: IndexedWriters;
  create: PostgresQueue<Of<'create'>>;
  keyedCreate: PostgresQueue<Of<'create'>>;
  update: PostgresQueue<Of<'update'>>;
  delete: PostgresQueue<Of<'delete'>>;
  all: PostgresQueue<Of<'all'>>;
}

const GET =
  'SELECT id, uid, revision, version, text, etag, kept, position FROM resources WHERE uid = $1 AND kind = $2';

/**
 * A store in a PostgreSQL database that several processes share. Each read and each batch of writes is one statement
 * and one round trip. Creates, updates and deletes have batches of their own: a write always depends on a state that
 * was read, so the order among them decides nothing.
 */
export class PostgresStore implements Store {
  readonly versions: PostgresVersions;
  readonly responses: PostgresResponses;
  readonly #reads: PostgresConnections;
  readonly #writes: PostgresConnections;
  readonly #kinds: PostgresKinds;
  readonly #labels: CommonLabels;
  readonly #create: PostgresQueue<Of<'create'>>;
  readonly #keyedCreate: PostgresQueue<Of<'create'>>;
  readonly #update: PostgresQueue<Of<'update'>>;
  readonly #delete: PostgresQueue<Of<'delete'>>;
  readonly #parts: readonly OpenPart[];
  readonly #listeners: ((batch: readonly Command[]) => void)[] = [];
  readonly #queues: Pick<PostgresQueue<Command>, 'close'>[] = [];
  #indexedCommits: IndexedCommits | undefined;
  #closing: Promise<void> | undefined;

  private constructor(
    servers: PostgresServers,
    private readonly options: PostgresOptions,
    parts: PostgresParts,
  ) {
    let noticed = false;
    const onPooler = (): void => {
      if (!noticed) options.onNotice?.({ level: 'warn', text: POOLED });
      noticed = true;
    };
    this.#reads = new PostgresConnections(servers, options.readConnections, onPooler);
    this.#writes = new PostgresConnections(servers, options.writeConnections, onPooler);
    this.#kinds = new PostgresKinds(this.#writes);
    this.#labels = new CommonLabels(this.#reads);
    this.versions = new PostgresVersions(this.#reads, this.#kinds);
    this.responses = new PostgresResponses(this.#reads, this.#writes, options.busyTimeoutMs);
    const opened: OpenedStore = {
      servers,
      reads: this.#reads,
      writes: this.#writes,
      kinds: this.#kinds,
      labels: this.#labels,
      busyTimeoutMs: options.busyTimeoutMs,
      commits: (statement) => this.#commits(statement),
      onCommit: (listener) => void this.#listeners.push(listener),
    };
    this.#parts = partsIn(parts).map((part) => part.open(opened));
    for (const { adds } of this.#parts) Object.assign(this, adds);
    // A service without indexes makes no entries.
    if (parts.indexing === undefined) this.#writes.declare(new Map());
    this.#create = this.#commits(CREATE);
    this.#keyedCreate = this.#commits(KEYED_CREATE);
    this.#update = this.#commits(UPDATE);
    this.#delete = this.#commits(DELETE);
  }

  /**
   * Connects to the database of a `postgres://` URL and brings its schema up to date. Throws StoreRefused for an
   * unusable database, and StoreUnavailable.
   */
  static async open(url: string, options: PostgresOptions, parts: PostgresParts = {}): Promise<Store> {
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
    const indexed = this.#indexed;
    if (indexed?.selects(query)) return indexed.page(id, query);
    const rows = await this.#reads.read<StoredResource & { omitted: number | null }>(
      listQuery(id, query, await this.#labels.areFew(id, query.selector)),
    );
    return rows.map(listed);
  }

  write(write: Write, since?: number): Promise<WriteResult> {
    switch (write.action) {
      case 'create':
        return this.#creates(write).submit(write, since);
      case 'update':
        return (write.index === undefined ? this.#update : this.#indexedQueues.update).submit(write, since);
      case 'delete':
        return (write.isIndexed ? this.#indexedQueues.delete : this.#delete).submit(write, since);
      case 'all':
        return this.#indexedQueues.all.submit(write, since);
    }
  }

  judge(write: Write): Promise<WriteResult> {
    return retryBusy(() => this.#judge(write), performance.now() + this.options.busyTimeoutMs);
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
        return write.index === undefined ? plain(write) : this.#indexedQueues.writers.create.judge(write);
      case 'update':
        return write.index === undefined ? plain(write) : this.#indexedQueues.writers.update.judge(write);
      case 'delete':
        return write.isIndexed ? this.#indexedQueues.writers.delete.judge(write) : plain(write);
      case 'all':
        return this.#indexedQueues.writers.all.judge(write.writes);
    }
  }

  /** Returns the queue of a create. */
  #creates({ index, keyed }: Of<'create'>): PostgresQueue<Of<'create'>> {
    if (index === undefined) return keyed === undefined ? this.#create : this.#keyedCreate;
    return keyed === undefined ? this.#indexedQueues.create : this.#indexedQueues.keyedCreate;
  }

  async #close(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.close()));
    for (const part of this.#parts) await part.close?.();
    await Promise.all([this.#reads.close(), this.#writes.close()]);
  }

  /** Lists and writers of resources with entries. */
  get #indexed(): IndexedStore | undefined {
    return this.#parts.find(({ indexed }) => indexed !== undefined)?.indexed;
  }

  /** Commits of resources with entries; most services have none. */
  get #indexedQueues(): IndexedCommits {
    return (this.#indexedCommits ??= this.#indexedWriters());
  }

  #indexedWriters(): IndexedCommits {
    const writers = this.#indexed!.writers();
    return {
      writers,
      create: this.#group(writers.create),
      keyedCreate: this.#group(writers.keyedCreate),
      update: this.#group(writers.update),
      delete: this.#group(writers.delete),
      all: this.#group(writers.all, { batchWrites: 1 }),
    };
  }

  #commits<C extends Batched>(statement: BatchStatement<C>): PostgresQueue<C> {
    return this.#group(new PostgresWriter(statement, this.#writes, this.#kinds));
  }

  #group<C extends Command>(
    writer: { apply(batch: readonly C[]): Promise<Outcome[]> },
    more: Partial<CommitLimits> = {},
  ): PostgresQueue<C> {
    const queue = new PostgresQueue<C>(
      async (batch) => {
        const results = await writer.apply(batch);
        for (const listener of this.#listeners) afterCommit(() => listener(batch));
        return results;
      },
      // A wait for more writes here would cost a quarter of the throughput: the server gathers commits by itself.
      { ...this.options, ...more, gatherMs: 0 },
    );
    this.#queues.push(queue);
    return queue;
  }
}
