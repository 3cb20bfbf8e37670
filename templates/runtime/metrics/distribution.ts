/** How often a value fell between each two of some bounds: the state of a Prometheus histogram. */
export class Distribution {
  /** Per bound how many values were at most that and more than the one before; then those beyond the last. */
  readonly counts: number[];
  /** Of all values. */
  sum = 0;

  /** `bounds` ascend. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** Counts one value. Most are small, which is why the bounds are tried in their order. */
  add(value: number): void {
    let index = 0;
    while (value > this.bounds[index]) index += 1;
    this.counts[index] += 1;
    this.sum += value;
  }
}
