import type { Connection, Statement } from './sqlite-driver';
import type { StoredResource } from './store';

interface Hot {
  kind: string;
  row: StoredResource;
}

/** What a row takes beside its text, in characters: the object, its other columns, its place in the map. */
const OVERHEAD = 500;

/**
 * The rows that were read lately: reading one again costs a look-up instead of a query.
 *
 * They are kept in two generations, each of at most half the limit: what is read moves to the young one, and when that is
 * full the old one is dropped. So what is read often stays, and keeping order costs nothing.
 */
export class HotRows {
  #young = new Map<string, Hot>();
  #old = new Map<string, Hot>();
  #room: number;
  #checked = false;
  #version: number | undefined;
  readonly #dataVersion: Statement<{ data_version: number }>;

  /**
   * The `data_version` of a connection tells of the commits of all others. `watching` is best the one that this process
   * writes through: its own commits then cost only the rows that they change. `limit` is in characters.
   */
  constructor(
    watching: Connection,
    private readonly limit: number,
  ) {
    this.#room = limit / 2;
    this.#dataVersion = watching.prepare('PRAGMA data_version');
  }

  /** The row of a uid, by `read` where it is not known. */
  get(kind: string, uid: string, read: () => StoredResource | undefined): StoredResource | undefined {
    if (!this.#checked) this.#check();
    const young = this.#young.get(uid);
    if (young?.kind === kind) return young.row;
    const old = this.#old.get(uid);
    if (old?.kind === kind) {
      this.#keep(uid, old);
      return old.row;
    }
    const row = read();
    if (row !== undefined) this.#keep(uid, { kind, row });
    return row;
  }

  /** To be called with what this process has written, before anything is read again. */
  forget(uid: string): void {
    this.#young.delete(uid);
    this.#old.delete(uid);
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

  /** Once in each turn of the event loop, which answers the requests that had arrived when it began. */
  #check(): void {
    const version = this.#dataVersion.get()?.data_version;
    if (version !== this.#version) {
      this.#young.clear();
      this.#old.clear();
      this.#room = this.limit / 2;
      this.#version = version;
    }
    this.#checked = true;
    setImmediate(() => (this.#checked = false));
  }
}
