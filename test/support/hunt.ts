// A search for texts that take more than linear time, by what they cost: it knows nothing of what it searches.

/** Returns the processor time of an action, in milliseconds. */
function cost(action: () => unknown): number {
  const start = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** A string: something repeated, between other things. */
interface Attack {
  before: string;
  pump: string;
  after: string;
}

const ROUNDS = 3;
const LISTED = 3;
const SHORT = 2_000;
const LONG = 50_000;

/** A source of numbers from 0 to 1 that gives the same ones for the same seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Looks for a string that `run` takes long for, made of the given parts: texts of 2,000 characters that cost most are
 * changed at random for some rounds, then the worst are made 25 times as long. Returns the greatest cost found, in
 * milliseconds of processor time, and what it was found with. What is linear takes a few; what is quadratic seconds.
 */
export function hunt(
  parts: readonly string[],
  run: (text: string) => unknown,
  seed = 1,
): { ms: number; attack: Attack } {
  const random = randomNumbers(seed);
  const any = (): string => parts[Math.floor(random() * parts.length)];
  const some = (most: number): string =>
    Array.from({ length: Math.floor(random() * (most + 1)) }, any).join('');
  const fresh = (): Attack => ({ before: some(2), pump: some(3) || any(), after: some(2) });
  const changed = (attack: Attack): Attack => ({ ...attack, ...pick(random, fresh()) });
  let best = parts.slice(0, 6).map((pump): Attack => ({ before: '', pump, after: '\u0000' }));
  for (let round = 0; round < ROUNDS; round++) {
    const tried = [...best, ...best.map(changed), ...Array.from({ length: 4 }, fresh)];
    best = worst(tried, SHORT, run).map(({ attack }) => attack);
  }
  return worst(best, LONG, run)[0];
}

function pick(random: () => number, attack: Attack): Partial<Attack> {
  const part = (['before', 'pump', 'after'] as const)[Math.floor(random() * 3)];
  return { [part]: attack[part] };
}

function worst(
  attacks: Attack[],
  length: number,
  run: (text: string) => unknown,
): { ms: number; attack: Attack }[] {
  return attacks
    .map((attack) => ({ attack, ms: cost(() => run(textOf(attack, length))) }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, LISTED);
}

function textOf({ before, pump, after }: Attack, length: number): string {
  return `${before}${pump.repeat(Math.ceil(length / pump.length))}${after}`;
}
