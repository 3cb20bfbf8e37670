import type { Command } from './command';
import { EventWriter } from './event-writer';
import { KindIds } from './kind-ids';
import { escaped, isPlain } from './label-text';
import type { Connection } from './sqlite-driver';
import type { Labels, MaybePromise, NewEvent, NewState, SnapshotKey, Write, WriteResult } from './store';
import { transaction } from './transaction';

type Create = Extract<Write, { action: 'create' }>;
type Update = Extract<Write, { action: 'update' }>;
type Delete = Extract<Write, { action: 'delete' }>;
type RewriteSnapshot = Extract<Command, { action: 'rewriteSnapshot' }>;

/** What a batch came to. */
export interface Applied {
  results: WriteResult[];
  /**
   * The states of the database before the batch and after it, with no other commit between them; undefined where that is
   * not known. Absent for a connection whose own commits are no new state to it.
   */
  states?: { before: string | undefined; after: string | undefined };
}

/** What applies batches: a BatchWriter, or a thread that has one. */
export interface Writer {
  /** Applies the commands in their order, all durable or none. Throws StoreBusy, StoreUnavailable. */
  applyBatch(commands: readonly Command[]): MaybePromise<Applied>;
  /** Leaves the database as small and as whole as it can be. */
  close(): MaybePromise<void>;
}

/**
 * The synchronous core of the writes: a batch of commands, one transaction. It holds nothing but its connection and
 * takes plain data, so that it can run in another thread.
 *
 * The first statement of each command decides whether it applies. One in conflict has changed nothing by then, so
 * its neighbours need no savepoint.
 */
export class BatchWriter implements Writer {
  readonly #kinds: KindIds;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #events: EventWriter;

  /** `beforeCommit` may throw: the batch is then rolled back. */
  constructor(
    private readonly connection: Connection,
    private readonly beforeCommit: () => void = () => undefined,
  ) {
    this.#kinds = new KindIds(connection);
    this.#sql = prepare(connection);
    this.#events = new EventWriter(connection);
  }

  applyBatch(commands: readonly Command[]): Applied {
    try {
      const results = transaction(this.connection, () => {
        const applied = commands.map((command) => this.#apply(command));
        this.beforeCommit();
        return applied;
      });
      return { results };
    } catch (error) {
      this.#kinds.forget();
      throw error;
    }
  }

  /** Copies the log into the database file and empties it: one of the drivers leaves that undone when it closes. */
  close(): void {
    try {
      this.connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch {
      // All that was acknowledged is durable in the log, and is copied after the next start.
    }
  }

  #apply(command: Command): WriteResult {
    switch (command.action) {
      case 'create':
        return this.#create(command);
      case 'update':
        return this.#update(command);
      case 'delete':
        return this.#delete(command);
      case 'deleteSnapshot':
        return this.#deleteSnapshot(command);
      case 'rewriteSnapshot':
        return this.#rewriteSnapshot(command);
      case 'probe':
        this.#sql.probe.run();
        return 'done';
      default:
        return this.#events.apply(command);
    }
  }

  #create(write: Create): WriteResult {
    const kind = this.#kinds.store(write.kind, write.version);
    const { uid, version, etag, kept, text } = write;
    const { changes, lastInsertRowid: id } = this.#sql.create.run(kind, uid, version, etag, kept, text);
    if (changes === 0) return 'conflict';
    this.#addLabels(kind, id, write.labels);
    this.#addSnapshot(id, write);
    this.#addEvent(kind, uid, write.event);
    return 'done';
  }

  #update(write: Update): WriteResult {
    const kind = this.#kinds.find(write.kind);
    const { id, revision, uid, version, etag, kept, text, labels } = write;
    if (kind === undefined) return 'conflict';
    if (this.#sql.update.run(version, etag, kept, text, id, revision, kind, uid).changes === 0)
      return 'conflict';
    this.#kinds.store(write.kind, version);
    if (labels !== undefined) {
      this.#sql.deleteLabels.run(id);
      this.#addLabels(kind, id, labels);
    }
    this.#addSnapshot(id, write);
    this.#addEvent(kind, uid, write.event);
    return 'done';
  }

  #delete({ kind: kindName, id, revision, uid, event }: Delete): WriteResult {
    const kind = this.#kinds.find(kindName);
    if (kind === undefined || this.#sql.delete.run(id, revision, kind, uid).changes === 0) return 'conflict';
    this.#sql.deleteLabels.run(id);
    this.#sql.deleteSnapshots.run(id);
    this.#addEvent(kind, uid, event);
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

  #addLabels(kind: number, id: number, labels: Labels): void {
    for (const [key, value] of Object.entries(labels))
      this.#sql.addLabel.run(id, escaped(key), escaped(value), kind);
  }

  #addSnapshot(id: number, { snapshot, keepSnapshots }: NewState): void {
    if (snapshot === undefined) return;
    this.#sql.addSnapshot.run(id, snapshot.versionId, snapshot.version, snapshot.kept, snapshot.text);
    if (keepSnapshots !== undefined) this.#sql.trimSnapshots.run(id, id, keepSnapshots);
  }

  #addEvent(kind: number, uid: string, event: NewEvent | undefined): void {
    if (event !== undefined) this.#sql.addEvent.run(event.id, event.type, kind, uid, event.text, event.kept);
  }
}

function prepare(connection: Connection) {
  return {
    create: connection.prepare(
      `INSERT INTO resources (kind, uid, revision, version, etag, kept, text) VALUES (?, ?, 1, ?, ?, ?, ?)
       ON CONFLICT (uid) DO NOTHING`,
    ),
    update: connection.prepare(
      `UPDATE resources SET revision = revision + 1, version = ?, etag = ?, kept = ?, text = ?
       WHERE id = ? AND revision = ? AND kind = ? AND uid = ?`,
    ),
    delete: connection.prepare(
      'DELETE FROM resources WHERE id = ? AND revision = ? AND kind = ? AND uid = ?',
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
      'INSERT INTO events (id, type, kind, uid, text, kept) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    probe: connection.prepare('UPDATE probe SET written = written + 1'),
  };
}
