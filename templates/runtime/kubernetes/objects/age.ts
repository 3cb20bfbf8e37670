import type { AgingText } from '../face/row-forms';

const [MINUTE, HOUR, DAY, YEAR] = [60, 3_600, 86_400, 365 * 86_400];

/** Two units of an age: from `until` seconds on, the next line applies. */
const LINES: readonly [until: number, unit: number, name: string, rest?: [unit: number, name: string]][] = [
  [2 * MINUTE, 1, 's'],
  [10 * MINUTE, MINUTE, 'm', [1, 's']],
  [3 * HOUR, MINUTE, 'm'],
  [8 * HOUR, HOUR, 'h', [MINUTE, 'm']],
  [2 * DAY, HOUR, 'h'],
  [8 * DAY, DAY, 'd', [HOUR, 'h']],
  [2 * YEAR, DAY, 'd'],
  [8 * YEAR, YEAR, 'y', [DAY, 'd']],
  [Infinity, YEAR, 'y'],
];

/** Returns the time since a moment as Kubernetes shows it: `90s`, `3m5s`, `47h`. Both are in milliseconds. */
function age(since: number, now: number): string {
  const seconds = Math.trunc((now - since) / 1_000);
  if (Number.isNaN(seconds)) return '<unknown>';
  if (seconds < -1) return '<invalid>';
  const [, unit, name, rest] = LINES.find(([until]) => seconds < until)!;
  const left = rest && Math.floor((Math.max(seconds, 0) % unit) / rest[0]);
  return `${Math.floor(Math.max(seconds, 0) / unit)}${name}${left ? `${left}${rest[1]}` : ''}`;
}

/** Returns the JSON text at a moment. */
export function textAt({ parts, times }: AgingText, now: number): string {
  let text = parts[0];
  for (let index = 0; index < times.length; index++) text += `"${age(times[index], now)}"${parts[index + 1]}`;
  return text;
}
