import { collectionOf, type KindDefinition } from '../model/kinds/kind';

/** The kinds of a service. They are known when the routes are mounted, after the service was opened. */
export class ServedKinds {
  readonly #known: Promise<ReadonlyMap<string, KindDefinition>>;
  #announce!: (kinds: ReadonlyMap<string, KindDefinition>) => void;

  constructor() {
    this.#known = new Promise((resolve) => (this.#announce = resolve));
  }

  /** Announces the kinds that are served. */
  announce(kinds: readonly KindDefinition[]): void {
    this.#announce(new Map(kinds.map((kind) => [collectionOf(kind), kind])));
  }

  /** Returns a kind, `<group>/<Kind>`, as soon as the served kinds are known; undefined if it is not served. */
  async find(kind: string): Promise<KindDefinition | undefined> {
    return (await this.#known).get(kind);
  }
}
