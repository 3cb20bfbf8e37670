import { stringify } from 'yaml';
import type { Resource, Snapshot } from '../runtime/resource';
import type { Format } from './command-line';
import { UsageError, type CtlKind } from './definition';

const FORMATS: readonly string[] = ['table', 'json', 'yaml'];

/** The format that a user names. Throws UsageError. */
export function formatOf(name: string | undefined): Format {
  if (name === undefined) return 'table';
  if (!FORMATS.includes(name))
    throw new UsageError(`--output is one of ${FORMATS.join(', ')}, not ${JSON.stringify(name)}`);
  return name as Format;
}

/** A value for machines, or for people to edit. */
export function serialised(value: unknown, format: 'json' | 'yaml'): string {
  return format === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : stringify(value, { lineWidth: 0 });
}

/** Resources as a table. */
export function resourceTable({ columns }: CtlKind, resources: Resource[], now: number): string {
  return table([
    ['NAME', 'UID', 'AGE', 'GENERATION', ...columns.map((column) => column.toUpperCase())],
    ...resources.map(({ metadata: { name, uid, createdAt, generation }, status }) => [
      name,
      uid,
      age(createdAt, now),
      String(generation),
      ...columns.map((column) => String(status?.[column] ?? '')),
    ]),
  ]);
}

/** Snapshots as a table. */
export function snapshotTable(snapshots: Snapshot[], now: number): string {
  const rows = snapshots.map(({ versionId, createdAt, name }) => [versionId, age(createdAt, now), name]);
  return table([['VERSION', 'AGE', 'NAME'], ...rows]);
}

/** Rows in columns; the last one is not filled up. */
export function table(rows: string[][]): string {
  const texts = rows.map((row) => row.map(printable));
  const widths = texts[0]!.map((_, column) => Math.max(...texts.map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    row
      .map((text, column) => text.padEnd(widths[column]!))
      .join('   ')
      .trimEnd();
  return texts.map((row) => `${line(row)}\n`).join('');
}

/** A text that a terminal prints and does not obey. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const UNITS: [seconds: number, unit: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
];

/** How long ago, in the largest unit that there are two of: `90s`, `3m`, `47h`. */
export function age(time: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1_000));
  for (const [size, unit] of UNITS) if (seconds >= 2 * size) return `${Math.floor(seconds / size)}${unit}`;
  return `${seconds}s`;
}
