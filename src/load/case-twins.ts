import type { Located } from './located';
import { quoted } from '../quoted';

/** Reports names that differ from an earlier one only by case: file systems and people confuse them. */
export function checkCaseTwins(
  named: Iterable<readonly [name: string, place: Located]>,
  at: 'key' | 'value' = 'key',
): void {
  const first = new Map<string, readonly [string, Located]>();
  for (const [name, place] of named) {
    const twin = first.get(name.toLowerCase());
    if (twin === undefined) first.set(name.toLowerCase(), [name, place]);
    else if (twin[0] !== name) {
      const message = `${quoted(name)} and ${quoted(twin[0])} differ only by case`;
      const hint = `the other is at ${twin[1].place}`;
      if (at === 'key') place.keyProblem(message, hint);
      else place.problem(message, hint);
    }
  }
}
