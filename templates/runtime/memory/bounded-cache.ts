/** A Map that evicts its oldest entries once the weights of its values exceed a limit. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, { value: T; weight: number }>();
  #weight = 0;

  #maxWeight: number;

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight;
  }

  /** Sets another limit. Entries beyond are evicted. */
  resize(maxWeight: number): void {
    this.#maxWeight = maxWeight;
    this.#evict();
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  /** A value that exceeds a hundredth of the limit is not cached: it would evict too many others. */
  set(key: string, value: T, weight: number): void {
    if (weight * 100 > this.#maxWeight) return;
    this.#weight += weight - (this.#entries.get(key)?.weight ?? 0);
    this.#entries.set(key, { value, weight });
    this.#evict();
  }

  #evict(): void {
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#maxWeight) return;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
  }
}
