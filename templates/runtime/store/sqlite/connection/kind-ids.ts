import type { Connection, Statement } from './driver';

/** The small integers that stand for kinds in a database. One for each connection. */
export class KindIds {
  readonly #ids = new Map<string, number>();
  readonly #recorded = new Set<string>();
  readonly #select: Statement<{ id: number }>;
  readonly #insert: Statement;
  readonly #insertVersion: Statement;

  constructor(connection: Connection) {
    this.#select = connection.prepare('SELECT id FROM kinds WHERE name = ?');
    this.#insert = connection.prepare('INSERT INTO kinds (name) VALUES (?)');
    this.#insertVersion = connection.prepare('INSERT INTO versions VALUES (?, ?) ON CONFLICT DO NOTHING');
  }

  /** Returns the id of a kind (`<group>/<Kind>`), or undefined when none of it was ever stored. */
  find(kind: string): number | undefined {
    return this.#ids.get(kind) ?? this.#remember(kind, this.#select.get(kind)?.id);
  }

  /** Returns the id of a kind that is now stored in this API version. Call it inside a transaction. */
  store(kind: string, version: string): number {
    const id = this.find(kind) ?? this.#remember(kind, this.#insert.run(kind).lastInsertRowid);
    const recorded = `${id} ${version}`;
    if (!this.#recorded.has(recorded)) {
      this.#insertVersion.run(id, version);
      this.#recorded.add(recorded);
    }
    return id;
  }

  /** Resets the cache; call it after a rollback. */
  forget(): void {
    this.#ids.clear();
    this.#recorded.clear();
  }

  #remember<Id extends number | undefined>(kind: string, id: Id): Id {
    if (id !== undefined) this.#ids.set(kind, id);
    return id;
  }
}
