interface Promise<T> {
  /** `finally` waits for the promise that its callback returns; the library of TypeScript declares `void`. */
  finally(callback: () => PromiseLike<unknown>): Promise<T>;
}
