/** Returns what an action returns, or something else where it throws, whatever the reason. */
export function tryOr<T, U>(action: () => T, otherwise: U): T | U {
  try {
    return action();
  } catch {
    return otherwise;
  }
}
