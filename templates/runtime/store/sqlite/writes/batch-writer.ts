import type { Labels } from '../../../model/selectors/selector';
import {
  type Command,
  type Declared,
  isCommitted,
  kindsOf,
  type Of,
  otherKinds,
  type SqlStatement,
} from '../../command';
import { escaped } from '../../sql';
import {
  type MaybePromise,
  OtherDeclarations,
  type SingleWrite,
  StoreUnavailable,
  UPGRADED,
  type Write,
  type WriteResult,
} from '../../store';
import type { Position } from '../../stored-resource';
import type { Connection } from '../connection/driver';
import { KindIds } from '../connection/kind-ids';
import { StatementCache } from '../connection/statement-cache';
import { transaction } from '../connection/transaction';
import { MIGRATIONS } from '../file/migrations';
import type { OpenFiles } from '../file/open-files';
import type { MakeWriter, PartWriter, WrittenRow } from '../parts/sqlite-parts';

/** The states of a database before a batch and after it, undefined where others may have committed in between. */
interface BatchStates {
  before: string | undefined;
  after: string | undefined;
}

/** The result of a batch. */
export interface Applied {
  results: WriteResult[];
  /** The positions of the events that were written, by the uid of their resources. */
  positions: ReadonlyMap<string, Position>;
  /** Absent for a database in memory, which has no states. */
  states?: BatchStates;
}

/** Applies batches: a BatchWriter, or a thread that has one. */
export interface Writer {
  /** Applies the commands in their order, all durable or none. Throws StoreBusy, StoreUnavailable. */
  applyBatch(commands: readonly Command[]): MaybePromise<Applied>;
  /** Sets the digests of the process: later batches are refused where the database has others. */
  declare(declared: Declared): void;
  /** Leaves the database as small and as complete as it can be. */
  close(): MaybePromise<void>;
}

/**
 * The synchronous core of the writes: one batch of commands is one transaction. It holds nothing but its connection and
 * takes plain data, so that it can run in another thread.
 *
 * The first statement of each command decides whether it applies. A command in conflict has changed nothing by then, so
 * its neighbours need no savepoint.
 */
export class BatchWriter implements Writer {
  readonly #kinds: KindIds;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #statements: StatementCache;
  readonly #files: OpenFiles | undefined;
  readonly #parts: PartWriter[];
  #positions = new Map<string, Position>();
  #declared: Declared;

  /** `files` are those of the connection, absent for a database in memory. */
  constructor(
    private readonly connection: Connection,
    { files, parts = [] }: { files?: OpenFiles; parts?: readonly MakeWriter[] },
  ) {
    this.#files = files;
    this.#kinds = new KindIds(connection);
    this.#sql = prepare(connection);
    this.#statements = new StatementCache(connection);
    const tools = {
      connection,
      kinds: this.#kinds,
      apply: (write: SingleWrite) => this.#apply(write),
      forget: () => this.#forget(),
    };
    this.#parts = parts.map((writer) => writer(tools));
  }

  applyBatch(commands: readonly Command[]): Applied {
    const files = this.#files;
    let [before, others]: [string?, number?] = [];
    this.#positions = new Map();
    try {
      const action = (): WriteResult[] => {
        this.#refuseNewerSchema();
        this.#refuseOtherDeclarations(commands);
        const applied = commands.map((command) => this.#apply(command));
        files?.verify();
        // Nobody else can commit now.
        [before, others] = [files?.state(), this.#othersCommits()];
        return applied;
      };
      const results = transaction(this.connection, action, isCommitted(commands) ? 'COMMIT' : 'ROLLBACK');
      return { results, positions: this.#positions, states: files && this.#states(files, before, others) };
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  declare(declared: Declared): void {
    this.#declared = declared;
  }

  /** Returns the states around a batch. It throws nothing: the batch is committed. */
  #states(files: OpenFiles, before: string | undefined, others: number | undefined): BatchStates {
    const after = files.state();
    try {
      // Not by the number of commits: this process makes none where a batch changes nothing.
      if (this.#othersCommits() === others) return { before, after };
    } catch {
      // Whatever is unknown is read again.
    }
    return { before: undefined, after: undefined };
  }

  /** Returns a number that changes with the commits of others alone. */
  #othersCommits(): number | undefined {
    return this.#sql.dataVersion.get()?.data_version;
  }

  /** Copies the log into the database file and empties it, which `@photostructure/sqlite` leaves undone when it closes. */
  close(): void {
    try {
      this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // Every acknowledged write is durable in the log, and is copied after the next start.
    }
  }

  /** A newer service may have upgraded the schema since the start: nobody knows what a write has to do there. */
  #refuseNewerSchema(): void {
    const version = this.#sql.schema.get()?.user_version ?? 0;
    if (version > MIGRATIONS.length) throw new StoreUnavailable(UPGRADED);
  }

  /** Throws OtherDeclarations where a process of another release makes the entries of these kinds. */
  #refuseOtherDeclarations(commands: readonly Command[]): void {
    const stored = (kind: string): string | undefined => this.#sql.digest.get(kind)?.digest;
    const others = otherKinds(this.#declared, kindsOf(commands), stored);
    if (others.length > 0) throw new OtherDeclarations(others);
  }

  #apply(command: Command): WriteResult {
    switch (command.action) {
      case 'create':
        return this.#create(command);
      case 'update':
        return this.#update(command);
      case 'delete':
        return this.#delete(command);
      case 'judge':
        return this.#judge(command.write);
      case 'run':
        return this.#run(command.statements);
      case 'all':
        return this.#first((part) => part.all?.(command.writes))!;
    }
  }

  #run(statements: readonly SqlStatement[]): WriteResult {
    const [changed] = statements.map(
      ({ sql, parameters }) => this.#statements.get(sql).run(...parameters).changes,
    );
    return changed === 0 ? 'conflict' : 'done';
  }

  #create(write: Of<'create'>): WriteResult {
    const kind = this.#kinds.store(write.kind, write.version);
    const { uid, version, etag, kept, text, labels, keyed } = write;
    if (keyed !== undefined && this.#sql.response.get(keyed.key) !== undefined) return 'conflict';
    const refused = this.#first((part) => part.refusal?.(write, kind));
    if (refused !== undefined) return this.#sql.taken.get(uid) === undefined ? refused : 'conflict';
    const position = this.#position(write);
    const { create } = this.#sql;
    const { changes, lastInsertRowid: id } = create.run(kind, uid, version, etag, kept, text, position);
    if (changes === 0) return 'conflict';
    this.#addLabels(kind, id, labels);
    if (keyed !== undefined)
      this.#sql.addResponse.run(keyed.key, keyed.request, keyed.expiresAt, keyed.headers, keyed.text);
    return this.#written(write, { id, kind, position });
  }

  #update(write: Of<'update'>): WriteResult {
    const kind = this.#kinds.find(write.kind);
    const { id, revision, uid, version, etag, kept, text, labels, isRewrite } = write;
    if (kind === undefined) return 'conflict';
    const hindrance = this.#hindrance(write, kind);
    if (hindrance !== undefined) return hindrance;
    const position = this.#position(write);
    const state = [version, etag, kept, text, isRewrite ? 1 : 0, position];
    if (this.#sql.update.run(...state, id, revision, kind, uid).changes === 0) return 'conflict';
    this.#kinds.store(write.kind, version);
    if (labels !== undefined) {
      this.#sql.deleteLabels.run(id);
      this.#addLabels(kind, id, labels);
    }
    return this.#written(write, { id, kind, position });
  }

  #delete(write: Of<'delete'>): WriteResult {
    const kind = this.#kinds.find(write.kind);
    const { id, revision, uid } = write;
    if (kind === undefined) return 'conflict';
    const hindrance = this.#hindrance(write, kind);
    if (hindrance !== undefined) return hindrance;
    if (this.#sql.delete.run(id, revision, kind, uid).changes === 0) return 'conflict';
    this.#sql.deleteLabels.run(id);
    this.#sql.deleteSnapshots.run(id);
    return this.#written(write, { id, kind, position: this.#position(write) });
  }

  /** Returns why a part refuses a write of a present state; a conflict where the state has passed. */
  #hindrance(write: Of<'update' | 'delete'>, kind: number): WriteResult | undefined {
    const refused = this.#first((part) => part.refusal?.(write, kind));
    if (refused === undefined) return undefined;
    const { id, revision, uid } = write;
    return this.#sql.matching.get(id, revision, kind, uid) === undefined ? 'conflict' : refused;
  }

  #position(write: SingleWrite): Position | null {
    return this.#first((part) => part.position?.(write) ?? undefined) ?? null;
  }

  #written(write: SingleWrite, row: WrittenRow): WriteResult {
    for (const part of this.#parts) part.written?.(write, row);
    if (row.position !== null) this.#positions.set(write.uid, row.position);
    return 'done';
  }

  /** Returns the first result of a part other than undefined. */
  #first<T>(of: (part: PartWriter) => T | undefined): T | undefined {
    for (const part of this.#parts) {
      const result = of(part);
      if (result !== undefined) return result;
    }
    return undefined;
  }

  /** Applies a write and undoes it. */
  #judge(write: Write): WriteResult {
    this.connection.exec('SAVEPOINT judged');
    const result = this.#apply(write);
    this.connection.exec('ROLLBACK TO judged; RELEASE judged');
    this.#forget();
    return result;
  }

  /** Resets the caches; call it after a rollback. */
  #forget(): void {
    this.#kinds.forget();
    for (const part of this.#parts) part.forget?.();
  }

  #addLabels(kind: number, id: number, labels: Labels): void {
    for (const [key, value] of Object.entries(labels))
      this.#sql.addLabel.run(id, escaped(key), escaped(value), kind);
  }
}

function prepare(connection: Connection) {
  return {
    create: connection.prepare(
      `INSERT INTO resources (kind, uid, revision, version, etag, kept, text, position)
       VALUES (?, ?, 1, ?, ?, ?, ?, ?)
       ON CONFLICT (uid) DO NOTHING`,
    ),
    update: connection.prepare(
      `UPDATE resources SET revision = revision + 1, version = ?, etag = ?, kept = ?, text = ?,
         position = CASE WHEN ? THEN position ELSE ? END
       WHERE id = ? AND revision = ? AND kind = ? AND uid = ?`,
    ),
    delete: connection.prepare(
      'DELETE FROM resources WHERE id = ? AND revision = ? AND kind = ? AND uid = ?',
    ),
    taken: connection.prepare('SELECT 1 AS found FROM resources WHERE uid = ?'),
    matching: connection.prepare(
      'SELECT 1 AS found FROM resources WHERE id = ? AND revision = ? AND kind = ? AND uid = ?',
    ),
    addLabel: connection.prepare('INSERT INTO labels (resource, key, value, kind) VALUES (?, ?, ?, ?)'),
    deleteLabels: connection.prepare('DELETE FROM labels WHERE resource = ?'),
    deleteSnapshots: connection.prepare('DELETE FROM snapshots WHERE resource = ?'),
    response: connection.prepare('SELECT 1 AS found FROM responses WHERE key = ?'),
    addResponse: connection.prepare(
      'INSERT INTO responses (key, request, expires_at, headers, text) VALUES (?, ?, ?, ?, ?)',
    ),
    dataVersion: connection.prepare<{ data_version: number }>('PRAGMA data_version'),
    digest: connection.prepare<{ digest: string }>('SELECT digest FROM index_states WHERE kind = ?'),
    schema: connection.prepare<{ user_version: number }>('PRAGMA user_version'),
  };
}
