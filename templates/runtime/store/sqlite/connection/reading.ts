import { StoreUnavailable } from '../../store';
import { StoredVersions } from '../../stored-versions';
import type { Connection } from './driver';
import { guard } from './errors';
import { KindIds } from './kind-ids';

/** The connection that a store reads on: its own, or that of the writer. All reads throw StoreUnavailable. */
export class Reading {
  /** The stored versions, which are read seldom. */
  readonly versions = new StoredVersions(({ sql, parameters }) =>
    this.run(() => this.connection.prepare(sql).all(...parameters)),
  );
  readonly #kinds: KindIds;
  #closed = false;

  constructor(readonly connection: Connection) {
    this.#kinds = new KindIds(connection);
  }

  /** Runs a read. */
  run<T>(read: () => T): T {
    this.check();
    return guard(read);
  }

  /** Reads with the id of a kind; returns `without` where none of the kind was ever stored. */
  ofKind<T>(kind: string, without: T, read: (id: number) => T): T {
    return this.run(() => {
      const id = this.#kinds.find(kind);
      return id === undefined ? without : read(id);
    });
  }

  /** Throws StoreUnavailable when the store is closed. */
  check(): void {
    if (this.#closed) throw new StoreUnavailable('the store is closed');
  }

  /** Later reads throw; the connection may be closed. */
  close(): void {
    this.#closed = true;
  }
}
