import type { MaybePromise } from '../../store';
import type { PostgresConnections } from '../statements/connections';
import type { PostgresKinds } from '../statements/kinds';
import { type Batched, kindFor } from '../statements/writer';

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

/** The ids of kinds and indexes that commands and their entries need. */
export interface EntryIds {
  /** Returns the id of a command's kind; undefined where nothing of it was ever stored, nor will be. */
  kindOf(command: Batched): MaybePromise<number | undefined>;
  /** Returns the id of a kind by its name. */
  kind(name: string): MaybePromise<number | undefined>;
  /** Returns the ids of a kind's own indexes. */
  own(kind: number, names: readonly string[]): Promise<Map<string, number>>;
  /** Returns the ids of indexes that references point to. */
  target(kind: number, names: readonly string[]): Promise<Map<string, number>>;
}

/**
 * Returns the ids for writes, which are recorded where they are new; those of targets too where these may get their entries
 * later than references to them.
 */
export function recordedIds(
  kinds: PostgresKinds,
  indexes: PostgresIndexIds,
  recordsTargets = false,
): EntryIds {
  return {
    kindOf: (command) => kindFor(command, kinds),
    kind: (name) => kinds.find(name),
    own: (kind, names) => indexes.record(kind, names),
    target: (kind, names) => (recordsTargets ? indexes.record(kind, names) : indexes.find(kind, names)),
  };
}

/**
 * Returns the ids for one write that is only judged: those that nothing was ever stored of are not recorded, but get numbers
 * that no row has.
 */
export function unrecordedIds(kinds: PostgresKinds, indexes: PostgresIndexIds): EntryIds {
  const made = new Map<string, number>();
  const make = (name: string): number => {
    // -1 is NO_INDEX.
    const id = made.get(name) ?? -2 - made.size;
    made.set(name, id);
    return id;
  };
  const kind = async (name: string): Promise<number> => (await kinds.find(name)) ?? make(name);
  const find: EntryIds['own'] = async (kindId, names) => {
    const found = await indexes.find(kindId, names);
    return new Map(names.map((name) => [name, found.get(name) ?? make(`${kindId} ${name}`)]));
  };
  return { kindOf: (command) => kind(command.kind), kind, own: find, target: find };
}
