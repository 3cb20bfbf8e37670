import type { PostgresKinds } from '../statements/kinds';
import type { PostgresIndexIds } from './index-ids';

/**
 * Ids of kinds and indexes for a write that is only judged: those that nothing was ever stored of are not recorded, but
 * get numbers that no row has. One for each judgement.
 */
export class UnrecordedIds {
  readonly #made = new Map<string, number>();

  constructor(
    private readonly kinds: Pick<PostgresKinds, 'find'>,
    private readonly ids: Pick<PostgresIndexIds, 'find'>,
  ) {}

  /** Returns the id of a kind. */
  async kind(name: string): Promise<number> {
    return (await this.kinds.find(name)) ?? this.#make(name);
  }

  /** Returns the ids of the indexes of a kind. */
  async indexes(kind: number, names: readonly string[]): Promise<Map<string, number>> {
    const found = await this.ids.find(kind, names);
    return new Map(names.map((name) => [name, found.get(name) ?? this.#make(`${kind} ${name}`)]));
  }

  #make(name: string): number {
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    // -1 is NO_INDEX.
    const number = -2 - this.#made.size;
    this.#made.set(name, number);
    return number;
  }
}
