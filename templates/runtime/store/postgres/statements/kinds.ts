import { StoreUnavailable } from '../../store';
import type { PostgresConnections } from './connections';

type Connections = Pick<PostgresConnections, 'read' | 'write' | 'generation'>;

/** The small integers that stand for kinds in a database, and the recorded API versions. */
export class PostgresKinds {
  #generation = 0;
  readonly #ids = new Map<string, number>();
  readonly #recorded = new Set<string>();
  /** Records under way: the first writes of a kind often come together, and share one. */
  readonly #recording = new Map<string, Promise<number>>();

  constructor(private readonly connections: Connections) {}

  /** Returns the id of a kind (`<group>/<Kind>`), or undefined when none of it was ever stored. */
  find(kind: string): number | undefined | Promise<number | undefined> {
    this.#renew();
    return this.#ids.get(kind) ?? this.#read(kind);
  }

  /** Records that a kind is stored in an API version, once for each process; resolves with the kind's id. */
  record(kind: string, version: string): Promise<number> {
    this.#renew();
    const key = `${kind} ${version}`;
    let recording = this.#recording.get(key);
    if (recording === undefined) {
      recording = this.#record(kind, version).finally(() => this.#recording.delete(key));
      this.#recording.set(key, recording);
    }
    return recording;
  }

  async #record(kind: string, version: string): Promise<number> {
    const { generation } = this.connections;
    const id = (await this.find(kind)) ?? (await this.#add(kind));
    const recorded = `${id} ${version}`;
    if (!this.#recorded.has(recorded)) {
      const text = 'INSERT INTO versions VALUES ($1, $2) ON CONFLICT DO NOTHING';
      await this.connections.write({ text, values: [id, version], generation });
      if (generation === this.connections.generation) this.#recorded.add(recorded);
    }
    return id;
  }

  /** A server that has taken over need not have what was recorded. */
  #renew(): void {
    if (this.#generation === this.connections.generation) return;
    this.#generation = this.connections.generation;
    this.#ids.clear();
    this.#recorded.clear();
    this.#recording.clear();
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
    const { generation } = this.connections;
    const [row] = await this.connections.read<{ id: number }>({
      name: 'kind',
      text: 'SELECT id FROM kinds WHERE name = $1',
      values: [kind],
    });
    if (row !== undefined && generation === this.connections.generation) this.#ids.set(kind, row.id);
    return row?.id;
  }
}
