import pc from 'picocolors';
import { hasColors, type Io } from '../cli/io';
import type { Finding } from './finding';

/** The findings as a table for people: a line each, and under it how to mend it. */
export function findingsTable(findings: Finding[], io: Io): string {
  const { bold, cyan, green, red, yellow } = pc.createColors(hasColors(io.stdout, io.env));
  const colors = { ok: green, warning: yellow, problem: red };
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, verdict, detail, hint }) => {
    const margin = ' '.repeat('problem'.length + width + 4);
    const [first = '', ...rest] = detail.split('\n').map((line) => line.trim());
    return [
      `${colors[verdict](verdict.padEnd('problem'.length))}  ${bold(check.padEnd(width))}  ${first}`,
      ...rest.map((line) => margin + line),
      ...(hint === undefined ? [] : [`${margin}${cyan('hint:')} ${hint}`]),
    ];
  });
  return `${lines.join('\n')}\n`;
}
