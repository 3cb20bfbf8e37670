/** Returns words as code spans of Markdown, in a row. */
export function codeSpans(words: string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

/** A table of Markdown, its columns aligned. */
export function markdownTable(head: string[], rows: string[][]): string {
  const widths = head.map((_, column) =>
    Math.max(3, ...[head, ...rows].map((row) => [...row[column]].length)),
  );
  const line = (row: string[]): string =>
    `| ${row.map((cell, column) => cell + ' '.repeat(widths[column] - [...cell].length)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
