import type { PostgresConnections } from '../statements/connections';

/** The small integers that stand for the indexes of kinds in a database. */
export class PostgresIndexIds {
  readonly #known = new Map<string, number>();
  #generation = 0;

  constructor(private readonly connections: Pick<PostgresConnections, 'read' | 'write' | 'generation'>) {}

  /** Returns the ids of those indexes of a kind that ever had an entry, by their names. */
  async find(kind: number, names: readonly string[]): Promise<Map<string, number>> {
    const { generation } = this.connections;
    // A server that has taken over need not have what was recorded.
    if (this.#generation !== generation) this.#known.clear();
    this.#generation = generation;
    const unknown = names.filter((name) => !this.#known.has(`${kind} ${name}`));
    if (unknown.length > 0) {
      const rows = await this.connections.read<{ id: number; name: string }>({
        name: 'indexes',
        text: 'SELECT id, name FROM indexes WHERE kind = $1 AND name = ANY ($2)',
        values: [kind, unknown],
      });
      if (generation !== this.connections.generation) return this.find(kind, names);
      for (const { id, name } of rows) this.#known.set(`${kind} ${name}`, id);
    }
    return new Map(
      names.flatMap((name) => {
        const id = this.#known.get(`${kind} ${name}`);
        return id === undefined ? [] : [[name, id] as const];
      }),
    );
  }

  /** Returns the ids of indexes that now have entries, by their names. */
  async record(kind: number, names: readonly string[]): Promise<Map<string, number>> {
    const found = await this.find(kind, names);
    const missing = names.filter((name) => !found.has(name));
    if (missing.length === 0) return found;
    await this.connections.write({
      text: 'INSERT INTO indexes (kind, name) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
      values: [kind, missing],
      generation: this.connections.generation,
    });
    return this.find(kind, names);
  }
}
