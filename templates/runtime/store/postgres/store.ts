import type { Client } from 'pg';
import type { Command } from '../command';
import { partsIn, type StoreSettings } from '../database';
import { afterCommit, type CommitLimits } from '../group-commit';
import { retryBusy } from '../retry-busy';
import { isPlain } from '../sql';
import {
  type Listed,
  listed,
  type ListQuery,
  type SingleWrite,
  type Store,
  type StoredResource,
  type Write,
  type WriteResult,
} from '../store';
import { describeSchema, StoredVersions } from '../stored-versions';
import {
  type BatchApplier,
  type IndexedStore,
  INVALIDATE_INDEXES,
  INVALIDATE_LOG,
  type OpenedStore,
  type OpenPart,
  type PostgresParts,
} from './postgres-parts';
import { migratePostgres, MIGRATIONS, schemaVersion } from './schema/migrations';
import { checkPrivileges, requireOwner } from './schema/privileges';
import type { PostgresTimeouts } from './servers/hosts';
import { withClient } from './servers/line';
import { checkServer } from './servers/server';
import { PostgresServers } from './servers/servers';
import { PostgresConnections } from './statements/connections';
import { PostgresKinds } from './statements/kinds';
import { CommonLabels } from './statements/labels';
import { listQuery, numbered } from './statements/list';
import { PostgresQueue, submitWrite, type WriteQueues } from './statements/queue';
import { PostgresResponses } from './statements/responses';
import { CREATE, DELETE, KEYED_CREATE, UPDATE } from './statements/statements';
import { type Batched, type BatchStatement, judgeWrite, PostgresWriter } from './statements/writer';

/** Said once: a pooler switches sessions between transactions, or the server refuses another connection. */
const CONDITIONS = {
  pooled:
    'a pooler gives each transaction another session of PostgreSQL: that is safe, but statements are not prepared, and events of other processes are polled every EVENTS_POLL_MS',
  full: 'PostgreSQL has no connection left for this process, which goes on with those that it has. Raise max_connections or the limit of the user, or lower POSTGRES_READ_CONNECTIONS and POSTGRES_WRITE_CONNECTIONS',
};

const GET =
  'SELECT id, uid, revision, version, text, etag, kept, position FROM resources WHERE uid = $1 AND kind = $2';

/**
 * A store in a PostgreSQL database that several processes share. Each read and each batch of writes is one statement
 * and one round trip. Creates, updates and deletes have batches of their own: a write always depends on a state that
 * was read, so the order among them decides nothing.
 */
export class PostgresStore implements Store {
  readonly versions: StoredVersions;
  readonly responses: PostgresResponses;
  readonly #reads: PostgresConnections;
  readonly #writes: PostgresConnections;
  readonly #kinds: PostgresKinds;
  readonly #labels: CommonLabels;
  readonly #single: WriteQueues;
  readonly #parts: readonly OpenPart[];
  readonly #indexed: IndexedStore | undefined;
  readonly #listeners: ((batch: readonly Command[]) => void)[] = [];
  readonly #queues: Pick<PostgresQueue<Command>, 'close'>[] = [];
  #closing: Promise<void> | undefined;

  private constructor(
    servers: PostgresServers,
    private readonly options: StoreSettings,
    private readonly parts: PostgresParts,
  ) {
    const noticed = new Set<keyof typeof CONDITIONS>();
    const onCondition = (condition: keyof typeof CONDITIONS): void => {
      if (!noticed.has(condition)) options.onNotice?.({ level: 'warn', text: CONDITIONS[condition] });
      noticed.add(condition);
    };
    this.#reads = new PostgresConnections(servers, options.readConnections, onCondition);
    this.#writes = new PostgresConnections(servers, options.writeConnections, onCondition);
    this.#kinds = new PostgresKinds(this.#writes);
    this.#labels = new CommonLabels(this.#reads);
    this.versions = new StoredVersions((query) => this.#reads.read(numbered(query)));
    const opened: OpenedStore = {
      servers,
      reads: this.#reads,
      writes: this.#writes,
      kinds: this.#kinds,
      labels: this.#labels,
      patiently: (action) => this.#patiently(action),
      group: (writer, limits) => this.#group(writer, limits),
      onCommit: (listener) => void this.#listeners.push(listener),
    };
    this.responses = new PostgresResponses(this.#reads, this.#writes, opened.patiently);
    this.#parts = partsIn(parts).map((part) => part.open(opened));
    this.#indexed = this.#parts.find(({ indexed }) => indexed !== undefined)?.indexed;
    for (const { adds } of this.#parts) Object.assign(this, adds);
    this.#single = {
      create: this.#commits(CREATE),
      keyedCreate: this.#commits(KEYED_CREATE),
      update: this.#commits(UPDATE),
      delete: this.#commits(DELETE),
    };
  }

  /**
   * Connects to the database of a `postgres://` URL and brings its schema up to date. Throws StoreRefused for an
   * unusable database, and StoreUnavailable.
   */
  static async open(url: string, options: StoreSettings, parts: PostgresParts): Promise<Store> {
    const servers = new PostgresServers(url, options, options);
    const { busyTimeoutMs, checkVersions } = options;
    await migratePostgres(servers, {
      check: async (client) => checkVersions?.(versionsOn(client)),
      async prepare(client) {
        for (const part of partsIn(parts)) await part.begin?.(client);
      },
      busyTimeoutMs,
    });
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
    if (this.#indexed?.lists.selects(query)) return this.#indexed.lists.page(id, query);
    const rows = await this.#reads.read<StoredResource & { omitted: number | null }>(
      listQuery(id, query, await this.#labels.areFew(id, query.selector)),
    );
    return rows.map(listed);
  }

  write(write: Write, since?: number): Promise<WriteResult> {
    return hasNoEntries(write)
      ? submitWrite(this.#single, write, since)
      : this.#indexed!.writes.write(write, since);
  }

  judge(write: Write): Promise<WriteResult> {
    return this.#patiently(() =>
      hasNoEntries(write) ? judgeWrite(this.#writes, this.#kinds, write) : this.#indexed!.writes.judge(write),
    );
  }

  async noteOmissions(): Promise<void> {
    const { indexing, events } = this.parts;
    const notes = [
      ...(indexing === undefined ? [INVALIDATE_INDEXES] : []),
      ...(events === undefined ? [INVALIDATE_LOG] : []),
    ];
    if (notes.length > 0) await this.#patiently(() => this.#writes.writeAll(notes));
    // It makes no entries.
    if (indexing === undefined) this.#writes.declare(new Map());
  }

  async ready(): Promise<void> {
    const probe = { name: 'probe', text: 'UPDATE probe SET written = written + 1', values: [] };
    await this.#patiently(() => this.#writes.write(probe));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await Promise.all(this.#queues.map((queue) => queue.close()));
    for (const part of this.#parts) await part.close?.();
    await Promise.all([this.#reads.close(), this.#writes.close()]);
  }

  #patiently<T>(action: () => Promise<T>): Promise<T> {
    return retryBusy(action, performance.now() + this.options.busyTimeoutMs);
  }

  #commits<C extends Batched>(statement: BatchStatement<C>): PostgresQueue<C> {
    return this.#group(new PostgresWriter(statement, this.#writes, this.#kinds));
  }

  #group<C extends Command>(writer: BatchApplier<C>, limits: Partial<CommitLimits> = {}): PostgresQueue<C> {
    const queue = new PostgresQueue<C>(
      async (batch) => {
        const results = await writer.apply(batch);
        for (const listener of this.#listeners) afterCommit(() => listener(batch));
        return results;
      },
      // A wait for more writes here would cost a quarter of the throughput: the server gathers commits by itself.
      { ...this.options, ...limits, gatherMs: 0 },
    );
    this.#queues.push(queue);
    return queue;
  }
}

/** Returns whether a write is of one resource without entries. */
function hasNoEntries(write: Write): write is SingleWrite {
  if (write.action === 'all') return false;
  return write.action === 'delete' ? write.isIndexed === undefined : write.index === undefined;
}

/** Describes a PostgreSQL database without changing it; see `inspect` of Database. Throws StoreRefused and StoreUnavailable. */
export async function inspectPostgres(
  url: string,
  timeouts: PostgresTimeouts,
  check: (versions: StoredVersions) => Promise<void>,
): Promise<string> {
  const servers = new PostgresServers(url, timeouts, { isInspection: true });
  return withClient(servers.inspect(), async ({ client }) => {
    const { server, schema } = await checkServer(client);
    await checkPrivileges(client);
    const version = (await schemaVersion(client)) ?? 0;
    if (version < MIGRATIONS.length) await requireOwner(client);
    if (version > 0) await check(versionsOn(client));
    return `PostgreSQL ${server}, schema ${schema}, ${describeSchema(version, MIGRATIONS.length)}`;
  });
}

/** Returns the versions as one connection reads them, in its transaction. */
function versionsOn(client: Client): StoredVersions {
  return new StoredVersions(async (query) => (await client.query<object>(numbered(query))).rows);
}
