/** A Map that forgets what was put in first once it holds more than it may, by the weights of its values. */
export class BoundedCache<T> {
  readonly #entries = new Map<string, { value: T; weight: number }>();
  #weight = 0;

  constructor(readonly maxWeight: number) {}

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  /** A value of more than a hundredth of the whole is not kept: it would push out too many others. */
  set(key: string, value: T, weight: number): void {
    if (weight * 100 > this.maxWeight) return;
    this.#weight += weight - (this.#entries.get(key)?.weight ?? 0);
    this.#entries.set(key, { value, weight });
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.maxWeight) return;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
  }
}
