import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Mutant } from './mutations';

type Position = { line: number; column: number };
type Range = { start: Position; end: Position };

/** The coverage of a file as jest's provider `babel` writes it. */
interface FileCoverage {
  statementMap: { [id: string]: Range };
  s: { [id: string]: number };
  branchMap: { [id: string]: { type: string; locations: Range[] } };
  b: { [id: string]: number[] };
}

/** Arguments of jest that make it report the code that its tests run. */
export const COVERAGE = ['--coverage', '--coverageProvider=babel', '--coverageReporters=json'];

/** Returns a function that is true for a mutant in code that the tests of a folder run. */
export function executedCode(folder: string): (mutant: Mutant) => boolean {
  const file = join(folder, 'coverage', 'coverage-final.json');
  const report = JSON.parse(readFileSync(file, 'utf8')) as { [path: string]: FileCoverage };
  const ranges = new Map(
    Object.entries(report).map(([path, coverage]) => [relative(folder, path), countedRanges(coverage)]),
  );
  return ({ file, from, to }) => {
    const around = (ranges.get(file) ?? []).filter(
      ({ start, end }) => !isBefore(from, start) && !isBefore(end, to),
    );
    // The innermost is the last one that begins, and the first of these that ends.
    const [innermost] = around.sort((one, other) =>
      isBefore(other.start, one.start) || (!isBefore(one.start, other.start) && isBefore(one.end, other.end))
        ? -1
        : 1,
    );
    return innermost !== undefined && innermost.count > 0;
  };
}

/** Statements, and the operands of `&&`, `||`, `??` and `?:`, with the number of times that each ran. */
function countedRanges({ statementMap, s, branchMap, b }: FileCoverage): (Range & { count: number })[] {
  const statements = Object.entries(statementMap).map(([id, range]) => ({ ...range, count: s[id] }));
  const operands = Object.entries(branchMap)
    .filter(([, { type }]) => ['binary-expr', 'cond-expr'].includes(type))
    .flatMap(([id, { locations }]) => locations.map((range, index) => ({ ...range, count: b[id][index] })));
  return [...statements, ...operands];
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}
