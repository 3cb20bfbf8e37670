/** Lets actions with the same key run one at a time, in the order of their arrival; others run freely. */
export class KeyedMutex {
  /** By key, the end of the last action that runs or waits. */
  readonly #ends = new Map<string, Promise<void>>();

  /** Runs an action after all earlier actions with the same key have settled, and returns its result. */
  run<T>(key: string, action: () => Promise<T>): Promise<T> {
    const running = this.#ends.get(key)?.then(action) ?? action();
    const settled = (): void => {
      if (this.#ends.get(key) === end) this.#ends.delete(key);
    };
    const end = running.then(settled, settled);
    this.#ends.set(key, end);
    return running;
  }
}
