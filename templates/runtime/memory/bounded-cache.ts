/** A Map that evicts the entries that were set longest ago once the weights of its values exceed a limit. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, { value: T; weight: number }>();
  #weight = 0;

  constructor(private maxWeight: number) {}

  /** Sets another limit. Entries beyond are evicted. */
  resize(maxWeight: number): void {
    this.maxWeight = maxWeight;
    this.#evict();
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  /** A value that exceeds a hundredth of the limit is not cached: it would evict too many others. */
  set(key: string, value: T, weight: number): void {
    this.#delete(key);
    if (weight * 100 > this.maxWeight) return;
    this.#weight += weight;
    this.#entries.set(key, { value, weight });
    this.#evict();
  }

  #delete(key: string): void {
    const former = this.#entries.get(key);
    if (former === undefined) return;
    this.#weight -= former.weight;
    this.#entries.delete(key);
  }

  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.maxWeight) return;
      this.#delete(oldest);
    }
  }
}
