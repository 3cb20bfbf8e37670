import type { Applied } from './batch-writer';
import type { Command } from './command';
import type { StoredResource } from './store';

interface Hot {
  kind: string;
  row: StoredResource;
}

/** What a row takes beside its text, in characters: the object, its other columns, its place in the map. */
const OVERHEAD = 500;

/** Of how many uids that were read lately it is known, at most; a power of two. */
const ASKED = 16_384;

/**
 * The rows that are read again and again: reading one costs a look-up instead of a query. A row is kept when it is read for
 * the second time: keeping each of a million that are read once would cost more, in pauses of the garbage collector above all.
 *
 * They are kept in two generations, each of at most half the limit: what is read moves to the young one, and when that is
 * full the old one is dropped. So what is read often stays, and keeping order costs nothing.
 */
export class HotRows {
  #young = new Map<string, Hot>();
  #old = new Map<string, Hot>();
  #room: number;
  /** The state of the database that the rows are of. */
  #known: string | number | undefined;
  #checked = false;
  #committing = false;
  /** Those of the rows that the commit under way changes. */
  readonly #changing = new Set<string>();
  /** By their place, hashes of the uids that were read without being kept. */
  readonly #asked = new Uint32Array(ASKED);
  /** Whether the rows may be used in this turn of the event loop. */
  #usable = false;

  /**
   * `state` tells the state of the database: where it is the same as before, nobody has committed, this process apart
   * where `Applied` says nothing of it. `limit` is in characters.
   */
  constructor(
    private readonly state: () => string | number | undefined,
    private readonly limit: number,
  ) {
    this.#room = limit / 2;
  }

  /** The row of a uid, by `read` where it is not known. */
  get(kind: string, uid: string, read: () => StoredResource | undefined): StoredResource | undefined {
    if (!this.#checked) this.#check();
    if (!this.#usable) return read();
    const young = this.#young.get(uid);
    if (young?.kind === kind) return young.row;
    const old = this.#old.get(uid);
    if (old?.kind === kind) {
      this.#keep(uid, old);
      return old.row;
    }
    const row = read();
    if (row !== undefined && this.#wasAsked(uid)) this.#keep(uid, { kind, row });
    return row;
  }

  /** To be called before this process commits. */
  begin(commands: readonly Command[]): void {
    this.#committing = true;
    for (const command of commands) {
      if ('uid' in command && this.#forget(command.uid)) this.#changing.add(command.uid);
    }
  }

  /** To be called when the commit is done or has failed, before anything is read again. */
  end(commands: readonly Command[], applied?: Applied): void {
    this.#committing = false;
    // What was read while a thread made the commit was the state before it.
    for (const command of commands) if ('uid' in command) this.#forget(command.uid);
    if (applied !== undefined) this.#renew(commands, applied);
    this.#changing.clear();
  }

  #renew(commands: readonly Command[], { results, states }: Applied): void {
    if (states !== undefined) {
      if (this.#known !== states.before) this.#clear();
      this.#known = states.after;
    }
    commands.forEach((command, index) => {
      if (command.action !== 'update' || results[index] !== 'done' || !this.#changing.has(command.uid))
        return;
      const { kind, id, uid, revision, version, text, etag, kept } = command;
      this.#keep(uid, { kind, row: { id, uid, revision: revision + 1, version, text, etag, kept } });
    });
  }

  /** Returns whether there was one to forget. */
  #forget(uid: string): boolean {
    const wasYoung = this.#young.delete(uid);
    return this.#old.delete(uid) || wasYoung;
  }

  /** Whether a uid was read not long ago; it has been from now on. */
  #wasAsked(uid: string): boolean {
    const hash = hashOf(uid);
    const place = hash % ASKED;
    if (this.#asked[place] === hash) return true;
    this.#asked[place] = hash;
    return false;
  }

  #keep(uid: string, hot: Hot): void {
    this.#room -= hot.row.text.length + OVERHEAD;
    if (this.#room < 0) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#room = this.limit / 2;
      return;
    }
    this.#young.set(uid, hot);
  }

  #clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#room = this.limit / 2;
  }

  /**
   * Once in each turn of the event loop, which answers the requests that had arrived when it began. While a commit of this
   * process is under way, a new state may be that of the commit: the rows are left alone until it is known.
   */
  #check(): void {
    const state = this.state();
    if (state !== this.#known && !this.#committing) {
      this.#clear();
      this.#known = state;
    }
    this.#usable = state !== undefined && state === this.#known;
    this.#checked = true;
    setImmediate(() => (this.#checked = false));
  }
}

/** The FNV-1a hash of a text of ASCII. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
