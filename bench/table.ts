import type { Measurement } from './wrk';

/** A line of the table that a run prints. */
export interface Line {
  what: string;
  measurement?: Measurement;
  /** The figure to compare with the goal: a number in a unit. */
  figure?: Figure;
}

/** A number and its goal: at least (`from`) or at most (`to`) another, in a unit such as `×` or `ms`. */
export interface Figure {
  value: number;
  unit: string;
  from?: number;
  to?: number;
  /** The lowest of all rounds; the number is the median. */
  worst?: number;
}

const HEAD = ['', 'CPU µs', 'per second', 'p99 ms', 'figure', 'goal', ''];

/** Returns the lines as a table in Markdown, aligned for a terminal. */
export function table(lines: Line[]): string {
  const rows = [HEAD, ...lines.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(2, ...rows.map((row) => row[column].length)));
  const text = (row: string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [text(rows[0]), text(rule), ...rows.slice(1).map(text)].join('\n');
}

function cells({ what, measurement, figure }: Line): string[] {
  const measured = measurement === undefined ? ['', '', ''] : cellsOf(measurement);
  if (figure === undefined) return [what, ...measured, '', '', ''];
  const { value, unit, from, to, worst } = figure;
  const lowest = worst === undefined ? '' : ` (${digits(worst)})`;
  const goal = from !== undefined ? `≥ ${from} ${unit}` : to !== undefined ? `≤ ${to} ${unit}` : '';
  const isMet = value >= (from ?? -Infinity) && value <= (to ?? Infinity);
  return [what, ...measured, `${digits(value)} ${unit}${lowest}`, goal, goal === '' || isMet ? '' : 'missed'];
}

function cellsOf({ cpu, rate, p99 }: Measurement): string[] {
  return [digits(cpu), Math.round(rate).toLocaleString('en'), p99 ? digits(p99) : ''];
}

/** Formats at least three digits, as far as they are significant. */
function digits(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value.toFixed(value >= 10 ? 1 : 2);
}
