import { GroupCommit, type CommitLimits } from './group-commit';
import { isPlain } from './label-text';
import { clientConfig, PostgresConnections, type PostgresTimeouts } from './postgres-connections';
import { PostgresEventLog } from './postgres-event-log';
import { PostgresKinds } from './postgres-kinds';
import { listQuery } from './postgres-labels';
import { migratePostgres } from './postgres-migrations';
import { CREATE, DELETE, DELETE_SNAPSHOT, UPDATE } from './postgres-statements';
import { PostgresVersions } from './postgres-versions';
import { PostgresWriter, type Batched, type BatchStatement, type Of } from './postgres-writer';
import { retryBusy } from './retry-busy';
import {
  ALL_SNAPSHOTS,
  type ListQuery,
  type SnapshotKey,
  type SnapshotPage,
  type Store,
  type StoredResource,
  type StoredSnapshot,
  type Write,
  type WriteResult,
} from './store';

/** What a PostgreSQL store is opened with. */
export interface PostgresOptions extends CommitLimits, PostgresTimeouts {
  /** How many connections one process has for reads, and how many for writes. */
  readConnections: number;
  writeConnections: number;
}

const GET = 'SELECT id, uid, revision, version, text, etag, kept FROM resources WHERE uid = $1 AND kind = $2';

const SNAPSHOTS = `SELECT s.version_id AS "versionId", s.version, s.text, s.kept
  FROM resources r JOIN snapshots s ON s.resource = r.id WHERE r.uid = $1 AND r.kind = $2`;

/**
 * A store in a PostgreSQL database that several processes share. Each read and each batch of writes is one statement
 * and one round trip. Creates, updates and deletes have batches of their own: a write is only ever made against
 * a state that was read, so their order among one another decides nothing.
 */
export class PostgresStore implements Store {
  readonly events: PostgresEventLog;
  readonly versions: PostgresVersions;
  readonly #reads: PostgresConnections;
  readonly #writes: PostgresConnections;
  readonly #kinds: PostgresKinds;
  readonly #create: GroupCommit<Of<'create'>>;
  readonly #update: GroupCommit<Of<'update'>>;
  readonly #delete: GroupCommit<Of<'delete'>>;
  readonly #deleteSnapshot: GroupCommit<Of<'deleteSnapshot'>>;
  #closing: Promise<void> | undefined;

  private constructor(
    url: string,
    private readonly options: PostgresOptions,
  ) {
    const config = clientConfig(url, options);
    this.#reads = new PostgresConnections(config, options.readConnections);
    this.#writes = new PostgresConnections(
      { ...config, lock_timeout: options.busyTimeoutMs },
      options.writeConnections,
    );
    this.#kinds = new PostgresKinds(this.#writes);
    this.events = new PostgresEventLog(config, this.#reads, this.#writes, options.busyTimeoutMs);
    this.versions = new PostgresVersions(this.#reads, this.#writes, this.#kinds, options.busyTimeoutMs);
    this.#create = this.#commits(CREATE);
    this.#update = this.#commits(UPDATE);
    this.#delete = this.#commits(DELETE);
    this.#deleteSnapshot = this.#commits(DELETE_SNAPSHOT);
  }

  /**
   * Connects to the database of a `postgres://` URL and brings its schema up to date.
   * Throws StoreRefused for a database that must not be used, and StoreUnavailable.
   */
  static async open(url: string, options: PostgresOptions): Promise<PostgresStore> {
    await migratePostgres(clientConfig(url, options));
    return new PostgresStore(url, options);
  }

  async get(kind: string, uid: string): Promise<StoredResource | undefined> {
    const id = await this.#kinds.find(kind);
    if (id === undefined || !isPlain(uid)) return undefined;
    const [resource] = await this.#reads.read<StoredResource>({ name: 'get', text: GET, values: [uid, id] });
    return resource;
  }

  async list(kind: string, query: ListQuery): Promise<StoredResource[]> {
    const id = await this.#kinds.find(kind);
    return id === undefined ? [] : this.#reads.read<StoredResource>(listQuery(id, query));
  }

  async listSnapshots(
    kind: string,
    uid: string,
    { after, limit }: SnapshotPage = ALL_SNAPSHOTS,
  ): Promise<StoredSnapshot[]> {
    const id = await this.#kinds.find(kind);
    if (id === undefined || !isPlain(uid)) return [];
    const text = `${SNAPSHOTS} AND s.version_id > $3 ORDER BY s.version_id LIMIT $4`;
    return this.#reads.read<StoredSnapshot>({ name: 'snapshots', text, values: [uid, id, after, limit] });
  }

  async getSnapshot({ kind, uid, versionId }: SnapshotKey): Promise<StoredSnapshot | undefined> {
    const id = await this.#kinds.find(kind);
    if (id === undefined || !isPlain(uid) || !isPlain(versionId)) return undefined;
    const text = `${SNAPSHOTS} AND s.version_id = $3`;
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
        return this.#create.submit(write, since);
      case 'update':
        return this.#update.submit(write, since);
      case 'delete':
        return this.#delete.submit(write, since);
    }
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

  async #close(): Promise<void> {
    await Promise.all(
      [this.#create, this.#update, this.#delete, this.#deleteSnapshot].map((commits) => commits.close()),
    );
    await this.events.close();
    await Promise.all([this.#reads.close(), this.#writes.close()]);
  }

  #commits<C extends Batched>(statement: BatchStatement<C>): GroupCommit<C> {
    const writer = new PostgresWriter(statement, this.#writes, this.#kinds);
    return new GroupCommit<C>(
      async (batch) => {
        const results = await writer.apply(batch);
        if (batch.some((command) => 'event' in command && command.event !== undefined))
          this.events.committed();
        return results;
      },
      // To wait here for more would cost a quarter of the writes: the server gathers commits by itself.
      { ...this.options, gatherMs: 0 },
    );
  }
}
