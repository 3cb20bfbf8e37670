/** Factor between the two sizes that are compared. */
const TIMES = 8;
/** The least cost that counts, in milliseconds: what takes less depends on chance. */
const LEAST = 20;

/** Returns the processor time of an action, in milliseconds: a busy machine does not change it. */
function cost(action: () => unknown): number {
  const start = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/**
 * Returns how many times as long an action takes with an input eight times as large: about 8 where its time is linear, 64 where
 * it is quadratic. `prepare` makes an input of a size and returns the action.
 */
export function growth(size: number, prepare: (size: number) => () => unknown): number {
  // The first run compiles.
  prepare(size)();
  const [small, large] = [prepare(size), prepare(TIMES * size)].map((action) =>
    Math.max(LEAST, cost(action)),
  );
  return large / small;
}

/** The growth up to which time counts as linear: caches and the garbage collector add to it. */
export const LINEAR = 24;
