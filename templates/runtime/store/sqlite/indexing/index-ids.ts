import type { Connection, Statement } from '../connection/driver';

/** The small integers that stand for the indexes of kinds in a database. One for each connection. */
export class IndexIds {
  /** By kind, then by name. */
  readonly #known = new Map<number, Map<string, number>>();
  readonly #select: Statement<{ id: number }>;
  readonly #insert: Statement;

  constructor(connection: Connection) {
    this.#select = connection.prepare('SELECT id FROM indexes WHERE kind = ? AND name = ?');
    this.#insert = connection.prepare('INSERT INTO indexes (kind, name) VALUES (?, ?)');
  }

  /** Returns the id of an index of a kind, or undefined when it never had an entry. */
  find(kind: number, name: string): number | undefined {
    const known = this.#known.get(kind)?.get(name);
    return known ?? this.#remember(kind, name, this.#select.get(kind, name)?.id);
  }

  /** Returns the id of an index that now has entries. Call it inside a transaction. */
  store(kind: number, name: string): number {
    return this.find(kind, name) ?? this.#remember(kind, name, this.#insert.run(kind, name).lastInsertRowid);
  }

  /** Resets the cache; call it after a rollback. */
  forget(): void {
    this.#known.clear();
  }

  #remember<Id extends number | undefined>(kind: number, name: string, id: Id): Id {
    if (id === undefined) return id;
    const names = this.#known.get(kind) ?? new Map<string, number>();
    this.#known.set(kind, names.set(name, id));
    return id;
  }
}
