import type { Connection, Statement } from './driver';

interface Known {
  id: number;
  versions: Set<string>;
}

/** The small integers that stand for kinds in a database. One for each connection. */
export class KindIds {
  readonly #known = new Map<string, Known>();
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
    return this.#find(kind)?.id;
  }

  /** Returns the id of a kind that is now stored in this API version. Call it inside a transaction. */
  store(kind: string, version: string): number {
    const known = this.#find(kind) ?? this.#add(kind);
    if (!known.versions.has(version)) {
      this.#insertVersion.run(known.id, version);
      known.versions.add(version);
    }
    return known.id;
  }

  /** Resets the cache; call it after a rollback. */
  forget(): void {
    this.#known.clear();
  }

  #find(kind: string): Known | undefined {
    const known = this.#known.get(kind);
    if (known !== undefined) return known;
    const row = this.#select.get(kind);
    return row && this.#remember(kind, row.id);
  }

  #add(kind: string): Known {
    return this.#remember(kind, this.#insert.run(kind).lastInsertRowid);
  }

  #remember(kind: string, id: number): Known {
    const known = { id, versions: new Set<string>() };
    this.#known.set(kind, known);
    return known;
  }
}
