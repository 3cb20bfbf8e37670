/** Counts of values between bounds: the state of a Prometheus histogram. */
export class Distribution {
  /** Number of values per bucket: at most its bound and above the previous one; the last bucket has no bound. */
  readonly counts: number[];
  /** Sum of all values. */
  sum = 0;

  /** `bounds` ascend. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** Counts one value. Most are small, so the bounds are tried in ascending order. */
  add(value: number): void {
    let index = 0;
    while (value > this.bounds[index]) index += 1;
    this.counts[index] += 1;
    this.sum += value;
  }
}
