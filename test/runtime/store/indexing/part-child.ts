import type { Store, StoredResource, Write, WriteResult } from '../../../../templates/runtime/store/store';
import { randomNumbers } from '../../../support/hunt';
import { openIndexedStore } from '../open-store';
import { changedPart, deletedPart, newPart, PART, SUPPLIER, type Values } from './parts';

/*
 * Clients that create, change, rename, refer and delete at random: `node part-child.js <url> <name> <clients> <writes>`. They use few
 * names, so that most writes meet another one. A line of dots, one for each hundred writes, shows how far they are.
 */

const [url, name, clients, writes] = process.argv.slice(2) as [string, string, string, string];
const NAMES = 120;
const supplier = { kind: SUPPLIER };

class Client {
  readonly #random: () => number;

  constructor(
    private readonly store: Store,
    private readonly id: string,
    seed: number,
  ) {
    this.#random = randomNumbers(seed);
  }

  /** Makes one write, or tries to. */
  async write(count: number): Promise<WriteResult | undefined> {
    const uid = `${this.id}-${count}`;
    const choice = this.#random();
    if (choice < 0.4) return this.store.write(newPart(`par-${uid}`, await this.#values()));
    if (choice < 0.5) return this.store.write(newPart(`sup-${uid}`, { name: this.#name() }, supplier));
    const isSupplier = choice < 0.6;
    const row = await this.#any(isSupplier ? SUPPLIER : PART);
    if (row === undefined) return undefined;
    if (choice < 0.55) return this.store.write(changedPart(row, { name: this.#name() }, supplier));
    if (choice < 0.7) return this.store.write(deletedPart(row, isSupplier ? SUPPLIER : PART));
    if (choice < 0.75) return this.store.write(await this.#cascade(row));
    return this.store.write(changedPart(row, await this.#values()));
  }

  /** The deletion of a part with one of its referrers, whose reference the other referrers lose. */
  async #cascade(row: StoredResource): Promise<Write> {
    const referrers = await this.store.indexes!.referrers([row.id], 5);
    const rows = await Promise.all(
      [...new Set(referrers.map(({ uid }) => uid))].map((uid) => this.store.get(PART, uid)),
    );
    const others = rows.filter((other) => other !== undefined && other.id !== row.id) as StoredResource[];
    const cleared = others.slice(1).map((other) => {
      const { related: _, ...values } = JSON.parse(other.text) as Values;
      return changedPart(other, values);
    });
    const deleted = [row, ...others.slice(0, 1)].map((each) => deletedPart(each));
    return { action: 'all', writes: [...cleared, ...deleted] };
  }

  async #values(): Promise<Values> {
    const [one, two] = [await this.#any(PART), await this.#any(SUPPLIER)];
    return {
      name: this.#name(),
      price: Math.floor(this.#random() * 5),
      ...(two && this.#random() < 0.8 && { supplier: this.#target(two) }),
      ...(one &&
        this.#random() < 0.5 && { related: [this.#target(one), this.#name()].slice(0, 1 + this.#below(2)) }),
    };
  }

  #target({ uid, text }: StoredResource): string {
    return this.#random() < 0.5 ? uid : ((JSON.parse(text) as Values).name ?? uid);
  }

  async #any(kind: string): Promise<StoredResource | undefined> {
    const rows = await this.store.list(kind, { after: 0, limit: 200, selector: [] });
    return rows[this.#below(rows.length)];
  }

  #name(): string {
    return `n${this.#below(NAMES)}`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }
}

async function run(): Promise<void> {
  // A busy machine may take long for what others wait for.
  const store = await openIndexedStore(url, { busyTimeoutMs: 600_000, responseTimeoutMs: 600_000 });
  const counts = { done: 0, conflict: 0, refused: 0 };
  let made = 0;
  const client = async (number: number): Promise<void> => {
    const own = new Client(store, `${name}x${number}`, Date.now() + number);
    while (made < Number(writes)) {
      const count = (made += 1);
      const result = await own.write(count);
      if (result !== undefined) counts[typeof result === 'string' ? result : 'refused'] += 1;
      if (count % 100 === 0) process.stdout.write('.');
    }
  };
  await Promise.all(Array.from({ length: Number(clients) }, (_, number) => client(number)));
  await store.close();
  process.stdout.write(`\n${JSON.stringify(counts)}\n`);
}

void run();
