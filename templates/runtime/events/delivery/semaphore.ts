/** Lets a limited number of tasks run at the same time; the others wait for their turn. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];

  /** `free` is the number of slots. */
  constructor(private free: number) {}

  /** Runs the task as soon as a slot is free. */
  async run<T>(task: () => T | Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
