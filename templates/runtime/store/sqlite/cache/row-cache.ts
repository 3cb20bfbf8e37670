import { type Command, uidsOf } from '../../command';
import type { StoredResource } from '../../store';
import { lengthOf } from '../../stored-resource';
import type { Applied } from '../writes/batch-writer';
import type { DatabaseState } from './database-state';

interface Hot {
  kind: string;
  row: StoredResource;
}

/** Size of a row besides its texts, in characters: the object, its other columns, its entry in the map. */
const OVERHEAD = 500;

/** Maximum number of recently read uids to remember; a power of two. */
const ASKED = 16_384;

/**
 * A cache of rows that are read repeatedly: a hit costs a look-up instead of a query. A row is cached at its second
 * read: caching each of a million that are read once would cost more, above all in garbage collection.
 *
 * Rows are in two generations, each of at most half the limit. A read moves a row to the young one; when that is full
 * the old one is dropped. So rows that are read often stay, and their order costs nothing.
 */
export class RowCache {
  #young = new Map<string, Hot>();
  #old = new Map<string, Hot>();
  #room: number;
  /** The epoch of the database that the rows belong to. */
  #epoch = 0;
  /** Uids of the rows that the running commit changes. */
  readonly #changing = new Set<string>();
  /** Hashes of the uids that were read without being cached, by slot. */
  readonly #asked = new Uint32Array(ASKED);

  /** `limit` is in characters. */
  constructor(
    private readonly database: DatabaseState,
    private readonly limit: number,
  ) {
    this.#room = limit / 2;
  }

  /**
   * Returns the row of a uid, by `read` where it is not cached. The state is read for every row: a moment ago is too
   * early, since another process may have committed and announced that since.
   */
  get(kind: string, uid: string, read: () => StoredResource | undefined): StoredResource | undefined {
    const isCurrent = this.database.isCurrent();
    this.#follow();
    if (!isCurrent) return read();
    const known = this.remembered(kind, uid);
    if (known !== undefined) return known;
    const row = read();
    if (row !== undefined && this.#wasAsked(uid)) this.#keep(uid, { kind, row });
    return row;
  }

  /** Returns the cached row of a uid, although another process may have committed since; undefined where there is none. */
  remembered(kind: string, uid: string): StoredResource | undefined {
    const young = this.#young.get(uid);
    if (young?.kind === kind) return young.row;
    const old = this.#old.get(uid);
    if (old?.kind !== kind) return undefined;
    this.#keep(uid, old);
    return old.row;
  }

  /** Call it before this process commits. */
  begin(commands: readonly Command[]): void {
    for (const uid of commands.flatMap(uidsOf)) if (this.#forget(uid)) this.#changing.add(uid);
  }

  /** Call it when the commit is done or has failed, after `end` of the database and before anything is read again. */
  end(commands: readonly Command[], applied?: Applied): void {
    this.#follow();
    // Rows that were read while a thread made the commit have the state before it.
    for (const uid of commands.flatMap(uidsOf)) this.#forget(uid);
    if (applied !== undefined) this.#renew(commands, applied);
    this.#changing.clear();
  }

  #renew(commands: readonly Command[], { results, positions }: Applied): void {
    commands.forEach((command, index) => {
      if (command.action !== 'update' || command.isRewrite || results[index] !== 'done') return;
      if (!this.#changing.has(command.uid)) return;
      const { kind, id, uid, revision, version, text, etag, kept } = command;
      const position = positions.get(uid) ?? null;
      this.#keep(uid, {
        kind,
        row: { id, uid, revision: revision + 1, version, text, etag, kept, position },
      });
    });
  }

  /** Removes a row from the cache. Returns whether it was there. */
  #forget(uid: string): boolean {
    const wasYoung = this.#young.delete(uid);
    return this.#old.delete(uid) || wasYoung;
  }

  /** Returns whether a uid was read recently, and remembers it. */
  #wasAsked(uid: string): boolean {
    const hash = hashOf(uid);
    const place = hash % ASKED;
    if (this.#asked[place] === hash) return true;
    this.#asked[place] = hash;
    return false;
  }

  #keep(uid: string, hot: Hot): void {
    this.#room -= lengthOf(hot.row) + OVERHEAD;
    if (this.#room < 0) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#room = this.limit / 2;
      return;
    }
    this.#young.set(uid, hot);
  }

  /** Drops the rows of an epoch that is over. */
  #follow(): void {
    if (this.#epoch === this.database.epoch) return;
    this.#epoch = this.database.epoch;
    this.#young.clear();
    this.#old.clear();
    this.#room = this.limit / 2;
  }
}

/** Returns the FNV-1a hash of an ASCII string. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
