import { WIDTH } from '../../code/literal';

/**
 * Returns a union in the form that Prettier gives it: after `start`, such as `type A =`, on one line, on the next one, or on a line for
 * each type; `never` where there is none. `indent` is that of the lines after the first.
 */
export function union(start: string, of: string[], indent = '  '): string {
  const types = of.length === 0 ? ['never'] : of;
  const line = `${start} ${types.join(' | ')};`;
  if (line.length <= WIDTH) return line;
  const next = `${indent}${types.join(' | ')};`;
  if (next.length <= WIDTH) return `${start}\n${next}`;
  return `${start}${types.map((type) => `\n${indent}| ${type}`).join('')};`;
}
