import type { PostgresConnections } from './postgres-connections';
import { StoreUnavailable } from './store';

/** The small integers that stand for kinds in a database, and the API versions that are known to be recorded. */
export class PostgresKinds {
  readonly #ids = new Map<string, number>();
  readonly #recorded = new Set<string>();

  constructor(private readonly connections: PostgresConnections) {}

  /** The id of a kind (`<group>/<Kind>`), or undefined when nothing of it was ever stored. */
  find(kind: string): number | undefined | Promise<number | undefined> {
    return this.#ids.get(kind) ?? this.#read(kind);
  }

  /** Records that a kind is stored in an API version, once for each process; resolves with the kind's id. */
  async record(kind: string, version: string): Promise<number> {
    const id = (await this.find(kind)) ?? (await this.#add(kind));
    const recorded = `${id} ${version}`;
    if (!this.#recorded.has(recorded)) {
      const text = 'INSERT INTO versions VALUES ($1, $2) ON CONFLICT DO NOTHING';
      await this.connections.write({ text, values: [id, version] });
      this.#recorded.add(recorded);
    }
    return id;
  }

  async #add(kind: string): Promise<number> {
    await this.connections.write({
      text: 'INSERT INTO kinds (name) VALUES ($1) ON CONFLICT DO NOTHING',
      values: [kind],
    });
    const id = await this.#read(kind);
    if (id === undefined) throw new StoreUnavailable(`the kind ${kind} was removed while it was stored`);
    return id;
  }

  async #read(kind: string): Promise<number | undefined> {
    const [row] = await this.connections.read<{ id: number }>({
      name: 'kind',
      text: 'SELECT id FROM kinds WHERE name = $1',
      values: [kind],
    });
    if (row !== undefined) this.#ids.set(kind, row.id);
    return row?.id;
  }
}
