import settings from './service-settings.json';

/** A setting of a service, as its runtime declares it; a test keeps service-settings.json the same as its table. */
export interface ServiceSetting {
  name: string;
  /** What holds without it; empty for nothing. */
  fallback: string;
  description: string;
}

/** Every setting of a service with this name. */
export function serviceSettings(name: string): ServiceSetting[] {
  return settings.map((setting) => ({
    ...setting,
    fallback: setting.name === 'DATABASE_URL' ? `sqlite:./data/${name}.db` : setting.fallback,
  }));
}

/** The settings as a Markdown table, its columns aligned. */
export function settingsTable(name: string): string {
  const rows = serviceSettings(name).map(({ name, fallback, description }) => [
    `\`${name}\``,
    fallback && `\`${fallback}\``,
    description.replace(/[|<]/g, '\\$&'),
  ]);
  return markdownTable(['Setting', 'Default', 'What it is'], rows);
}

/** A Markdown table, its columns aligned. */
export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((_title, column) => Math.max(...[head, ...rows].map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
