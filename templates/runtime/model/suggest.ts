/** Returns the candidate that a mistyped name most likely means; undefined when none is near. */
export function closest(name: string, candidates: Iterable<string>): string | undefined {
  const reach = Math.max(1, Math.floor(name.length / 3));
  let best: string | undefined;
  let bestDistance = reach + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbours that turn one string into the other
 * (optimal string alignment).
 */
export function editDistance(from: string, to: string): number {
  let above: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = row[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? above[j - 2] + 1 : Infinity;
      next.push(Math.min(replaced, swapped, row[j] + 1, next[j - 1] + 1));
    }
    [above, row] = [row, next];
  }
  return row[to.length];
}
