import { yamlText } from '../runtime/files/yaml-text';
import type { Resource, Snapshot } from '../runtime/model/resource';
import type { Format } from './command-line';
import { type CtlColumn, UsageError } from './definition';

const FORMATS: readonly string[] = ['table', 'wide', 'json', 'yaml'];

/** The format that a user names. Throws UsageError. */
export function formatOf(name: string | undefined): Format {
  if (name === undefined) return 'table';
  if (!FORMATS.includes(name))
    throw new UsageError(`--output is one of ${FORMATS.join(', ')}, not ${JSON.stringify(name)}`);
  return name as Format;
}

/** Returns whether a format is a table. */
export function isTable(format: Format): format is 'table' | 'wide' {
  return format === 'table' || format === 'wide';
}

/** Returns a value for machines, or for people to edit. */
export function serialised(value: unknown, format: 'json' | 'yaml'): string {
  return escaped(format === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : yamlText(value));
}

/** Returns JSON or YAML with escapes for the control characters that stand in its quoted strings. */
export function escaped(text: string): string {
  return text.replace(/[\x7f-\x9f]/g, printable);
}

/** Returns resources as a table with these columns besides those that every kind has. */
export function resourceTable(columns: CtlColumn[], resources: Resource[], now: number): string {
  return table([
    ['NAME', 'UID', 'AGE', 'GENERATION', ...columns.map(({ title }) => title.toUpperCase())],
    ...resources.map((resource) => {
      const { name, uid, createdAt, generation } = resource.metadata;
      return [
        name,
        uid,
        age(createdAt, now),
        String(generation),
        ...columns.map((one) => cell(one, resource, now)),
      ];
    }),
  ]);
}

/** Returns the value of a resource in a column; an empty string where it has none. */
function cell({ path, type }: CtlColumn, { spec, status }: Resource, now: number): string {
  const value = path
    .split('.')
    .reduce<unknown>((parent, name) => (parent as { [name: string]: unknown } | null | undefined)?.[name], {
      spec,
      status,
    });
  return (Array.isArray(value) ? value : [value ?? ''])
    .map((one) =>
      typeof one !== 'string' ? JSON.stringify(one) : type === 'date' && one ? age(one, now) : one,
    )
    .join(',');
}

/** Returns snapshots as a table. */
export function snapshotTable(snapshots: Snapshot[], now: number): string {
  const rows = snapshots.map(({ versionId, createdAt, name }) => [versionId, age(createdAt, now), name]);
  return table([['VERSION', 'AGE', 'NAME'], ...rows]);
}

/** Returns rows in columns; the last column is not padded. */
export function table(rows: string[][]): string {
  const texts = rows.map((row) => row.map(printable));
  const widths = texts[0].map((_, column) => Math.max(...texts.map((row) => widthOf(row[column]))));
  const line = (row: string[]): string =>
    row
      .map((text, column) => text + ' '.repeat(widths[column] - widthOf(text)))
      .join('   ')
      .trimEnd();
  return texts.map((row) => `${line(row)}\n`).join('');
}

/** Characters of two columns: those of East Asia in full width, and emoji. */
const WIDE =
  /(?![\uff61-\uffdc])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uffe6]/gu;

/** Returns the number of columns of a terminal that a string takes. */
function widthOf(text: string): number {
  // Marks stand above or below the character before them.
  const shown = text.normalize('NFC').replace(/[\p{Mn}\p{Me}]/gu, '');
  return [...shown].length + (shown.match(WIDE)?.length ?? 0);
}

/** Returns a string without characters that would control a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (c) => {
    const code = c.codePointAt(0)!.toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}

const UNITS: [seconds: number, unit: string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
];

/** Returns an age in the largest unit with at least two: `90s`, `3m`, `47h`. A string that is no time is returned as it is. */
export function age(time: string, now: number): string {
  const seconds = Math.max(0, Math.floor((now - Date.parse(time)) / 1_000));
  if (Number.isNaN(seconds)) return time;
  for (const [size, unit] of UNITS) if (seconds >= 2 * size) return `${Math.floor(seconds / size)}${unit}`;
  return `${seconds}s`;
}
