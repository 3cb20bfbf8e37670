import type { Labels } from '../../../model/selectors/selector';
import { type Command, isCommitted } from '../../command';
import { type Declared, kindsOf, otherKinds } from '../../declared';
import { escaped, isPlain } from '../../label-text';
import type { Position } from '../../position';
import type {
  MaybePromise,
  NewEvent,
  NewState,
  SingleWrite,
  SnapshotKey,
  Write,
  WriteResult,
} from '../../store';
import { OtherDeclarations, StoreUnavailable, UPGRADED } from '../../store';
import type { Connection } from '../connection/driver';
import { KindIds } from '../connection/kind-ids';
import { transaction } from '../connection/transaction';
import { MIGRATIONS } from '../file/migrations';
import type { OpenFiles } from '../file/open-files';
import type { EventCommands } from '../parts/event-parts';
import type { EntryWriter } from '../parts/indexing-parts';
import type { PartWriters } from '../parts/sqlite-parts';
import { ResponseWriter } from './response-writer';

type Create = Extract<Write, { action: 'create' }>;
type Update = Extract<Write, { action: 'update' }>;
type Delete = Extract<Write, { action: 'delete' }>;
type RewriteSnapshot = Extract<Command, { action: 'rewriteSnapshot' }>;

/** The states of a database before a batch and after it, undefined where others may have committed in between. */
interface BatchStates {
  before: string | undefined;
  after: string | undefined;
}

/** The result of a batch. */
export interface Applied {
  results: WriteResult[];
  /** The positions of the events that were written, by the id of the event. */
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

/** Optional parts of a BatchWriter. */
export interface WriterParts extends PartWriters {
  /** The files of the connection; absent for a database in memory. */
  files?: OpenFiles;
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
  readonly #events: EventCommands | undefined;
  readonly #entries: EntryWriter | undefined;
  #responseWriter: ResponseWriter | undefined;
  #positions = new Map<string, Position>();
  #declared: Declared;

  constructor(
    private readonly connection: Connection,
    private readonly parts: WriterParts = {},
  ) {
    this.#kinds = new KindIds(connection);
    this.#entries = parts.entries?.(connection, this.#kinds);
    this.#sql = prepare(connection);
    this.#events = parts.events?.(connection);
  }

  applyBatch(commands: readonly Command[]): Applied {
    const { files } = this.parts;
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

  /** Copies the log into the database file and empties it: one of the drivers leaves that undone when it closes. */
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
    if (this.#declared === undefined) return;
    const others = otherKinds(
      this.#declared,
      kindsOf(commands),
      (kind) => this.#sql.digest.get(kind)?.digest,
    );
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
      case 'all':
        return this.#all(command.writes);
      case 'judge':
        return this.#judge(command.write);
      case 'deleteSnapshot':
        return this.#deleteSnapshot(command);
      case 'rewriteSnapshot':
        return this.#rewriteSnapshot(command);
      case 'removeResponses':
        this.#responses.remove(command.keys, command.now);
        return 'done';
      case 'probe':
        this.#sql.probe.run();
        return 'done';
      default:
        return this.#events!.apply(command);
    }
  }

  #create(write: Create): WriteResult {
    const kind = this.#kinds.store(write.kind, write.version);
    const { uid, version, etag, kept, text, index, keyed } = write;
    if (keyed !== undefined && this.#responses.has(keyed)) return 'conflict';
    const refused = index && this.#entries?.refusal({ kind, kindName: write.kind, index });
    if (refused !== undefined) return this.#sql.taken.get(uid) === undefined ? refused : 'conflict';
    const position = this.#nextPosition(write.event);
    const { create } = this.#sql;
    const { changes, lastInsertRowid: id } = create.run(kind, uid, version, etag, kept, text, position);
    if (changes === 0) return 'conflict';
    if (index !== undefined) this.#entries?.add({ kind, kindName: write.kind, id, index });
    this.#addLabels(kind, id, write.labels);
    this.#addSnapshot(id, write);
    this.#addEvent(kind, uid, write.event, position);
    if (keyed !== undefined) this.#responses.add(keyed);
    return 'done';
  }

  #update(write: Update): WriteResult {
    const kind = this.#kinds.find(write.kind);
    const { id, revision, uid, version, etag, kept, text, labels, isRewrite, index } = write;
    if (kind === undefined) return 'conflict';
    const indexed = index && { kind, kindName: write.kind, id, index };
    const refused = indexed && this.#entries?.refusal(indexed);
    if (refused !== undefined)
      return this.#sql.matching.get(id, revision, kind, uid) === undefined ? 'conflict' : refused;
    const position = this.#nextPosition(write.event);
    const updated = isRewrite
      ? this.#sql.rewrite.run(version, etag, kept, text, id, revision, kind, uid)
      : this.#sql.update.run(version, etag, kept, text, position, id, revision, kind, uid);
    if (updated.changes === 0) return 'conflict';
    this.#kinds.store(write.kind, version);
    if (indexed !== undefined) this.#entries?.replace(indexed);
    if (labels !== undefined) {
      this.#sql.deleteLabels.run(id);
      this.#addLabels(kind, id, labels);
    }
    this.#addSnapshot(id, write);
    this.#addEvent(kind, uid, write.event, position);
    return 'done';
  }

  #delete({ kind: kindName, id, revision, uid, event, isIndexed }: Delete): WriteResult {
    const kind = this.#kinds.find(kindName);
    if (kind === undefined) return 'conflict';
    const isReferred = isIndexed && this.#entries?.isReferred(id);
    if (isReferred && this.#sql.matching.get(id, revision, kind, uid) !== undefined)
      return { taken: [], missing: [], isReferred };
    if (this.#sql.delete.run(id, revision, kind, uid).changes === 0) return 'conflict';
    if (isIndexed) this.#entries?.remove(id);
    this.#sql.deleteLabels.run(id);
    this.#sql.deleteSnapshots.run(id);
    this.#addEvent(kind, uid, event, this.#nextPosition(event));
    return 'done';
  }

  #deleteSnapshot({ kind: kindName, uid, versionId }: SnapshotKey): WriteResult {
    const kind = this.#kinds.find(kindName);
    if (kind === undefined || !isPlain(uid) || !isPlain(versionId)) return 'conflict';
    return this.#sql.deleteSnapshot.run(versionId, uid, kind).changes === 0 ? 'conflict' : 'done';
  }

  #rewriteSnapshot({ kind, from, snapshot }: RewriteSnapshot): WriteResult {
    const { resource, versionId, version, kept, text } = snapshot;
    if (this.#sql.rewriteSnapshot.run(version, kept, text, resource, versionId, from).changes === 0)
      return 'conflict';
    this.#kinds.store(kind, version);
    return 'done';
  }

  /** Applies several writes or none. References among them do not count, so that references may come in any order. */
  #all(writes: readonly SingleWrite[]): WriteResult {
    this.connection.exec('SAVEPOINT several');
    const result = this.#eachOf(writes);
    if (result !== 'done') {
      this.connection.exec('ROLLBACK TO several');
      this.#forget();
    }
    this.connection.exec('RELEASE several');
    return result;
  }

  /** Applies a write and undoes it. */
  #judge(write: Write): WriteResult {
    this.connection.exec('SAVEPOINT judged');
    const result = this.#apply(write);
    this.connection.exec('ROLLBACK TO judged; RELEASE judged');
    this.#forget();
    return result;
  }

  #eachOf(writes: readonly SingleWrite[]): WriteResult {
    for (const write of writes) if (write.action !== 'create') this.#entries?.removeReferences(write.id);
    const isDeletion = ({ action }: SingleWrite): boolean => action === 'delete';
    const ordered = [...writes.filter(isDeletion), ...writes.filter((write) => !isDeletion(write))];
    for (const write of ordered) {
      const result = this.#apply(write);
      if (result !== 'done') return result;
    }
    return 'done';
  }

  /** The writer of responses; most services have none. */
  get #responses(): ResponseWriter {
    return (this.#responseWriter ??= new ResponseWriter(this.connection));
  }

  /** Resets the caches; call it after a rollback. */
  #forget(): void {
    this.#kinds.forget();
    this.#entries?.forget();
  }

  #addLabels(kind: number, id: number, labels: Labels): void {
    for (const [key, value] of Object.entries(labels))
      this.#sql.addLabel.run(id, escaped(key), escaped(value), kind);
  }

  #addSnapshot(id: number, { snapshot, keepSnapshots }: NewState): void {
    if (snapshot === undefined) return;
    this.#sql.addSnapshot.run(id, snapshot.versionId, snapshot.version, snapshot.kept, snapshot.text);
    if (keepSnapshots !== undefined) this.#sql.trimSnapshots.run(id, id, keepSnapshots);
  }

  /** Returns the position of the event that is written next; null where there is none. */
  #nextPosition(event: NewEvent | undefined): Position | null {
    return event === undefined ? null : String(this.#sql.nextPosition.get()!.position);
  }

  #addEvent(kind: number, uid: string, event: NewEvent | undefined, position: Position | null): void {
    if (event === undefined || position === null) return;
    const { id, type, text, kept } = event;
    this.#sql.addEvent.run(Number(position), id, type, kind, uid, text, kept);
    this.#positions.set(id, position);
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
      `UPDATE resources SET revision = revision + 1, version = ?, etag = ?, kept = ?, text = ?, position = ?
       WHERE id = ? AND revision = ? AND kind = ? AND uid = ?`,
    ),
    rewrite: connection.prepare(
      `UPDATE resources SET revision = revision + 1, version = ?, etag = ?, kept = ?, text = ?
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
    addSnapshot: connection.prepare(
      'INSERT INTO snapshots (resource, version_id, version, kept, text) VALUES (?, ?, ?, ?, ?)',
    ),
    trimSnapshots: connection.prepare(
      `DELETE FROM snapshots WHERE resource = ? AND version_id <= (
         SELECT version_id FROM snapshots WHERE resource = ? ORDER BY version_id DESC LIMIT 1 OFFSET ?)`,
    ),
    deleteSnapshot: connection.prepare(
      `DELETE FROM snapshots WHERE version_id = ? AND resource = (SELECT id FROM resources WHERE uid = ? AND kind = ?)`,
    ),
    rewriteSnapshot: connection.prepare(
      'UPDATE snapshots SET version = ?, kept = ?, text = ? WHERE resource = ? AND version_id = ? AND version = ?',
    ),
    deleteSnapshots: connection.prepare('DELETE FROM snapshots WHERE resource = ?'),
    addEvent: connection.prepare(
      'INSERT INTO events (position, id, type, kind, uid, text, kept) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ),
    nextPosition: connection.prepare<{ position: number }>(
      "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'events'), 0) + 1 AS position",
    ),
    dataVersion: connection.prepare<{ data_version: number }>('PRAGMA data_version'),
    digest: connection.prepare<{ digest: string }>('SELECT digest FROM index_states WHERE kind = ?'),
    schema: connection.prepare<{ user_version: number }>('PRAGMA user_version'),
    probe: connection.prepare('UPDATE probe SET written = written + 1'),
  };
}
