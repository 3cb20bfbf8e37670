import { join } from 'node:path';
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import pc from 'picocolors';
import { MAX_GENERATED_SIZE, readFile, tryRead } from '../files/text-file';
import type { FileChange } from './tree-plan';

/** The time for the comparison of one file, in milliseconds. */
const TIMEOUT = 2000;

/** The change of a file as `git apply` and `patch -p1` read it; empty for an unchanged file. */
export function unifiedDiff(
  root: string,
  { path, action, text }: FileChange,
  { timeout } = { timeout: TIMEOUT },
): string {
  if (action === 'unchanged') return '';
  const oldName = action === 'create' ? '/dev/null' : `a/${path}`;
  const newName = action === 'delete' ? '/dev/null' : `b/${path}`;
  const before = action === 'create' ? '' : readBefore(join(root, path));
  if (before === undefined) return `Files ${oldName} and ${newName} differ\n`;
  const patch =
    structuredPatch(oldName, newName, before, text, '', '', { context: 3, timeout }) ??
    replacement(oldName, newName, before, text);
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

/** The patch that replaces the whole text, for two texts whose comparison takes too long. */
function replacement(oldName: string, newName: string, before: string, after: string): StructuredPatch {
  const { hunks: gone, ...names } = structuredPatch(oldName, newName, before, '', '', '');
  const { hunks: added } = structuredPatch(oldName, newName, '', after, '', '');
  const hunk = {
    oldStart: 1,
    oldLines: gone.at(0)?.oldLines ?? 0,
    newStart: 1,
    newLines: added.at(0)?.newLines ?? 0,
    lines: [...gone, ...added].flatMap(({ lines }) => lines),
  };
  return { ...names, hunks: [hunk] };
}

/** The text of a file; undefined for one that svcgen would not have written. */
function readBefore(path: string): string | undefined {
  return tryRead(
    () => readFile(path, { limit: MAX_GENERATED_SIZE }).toString(),
    () => undefined,
  );
}

/** The diff in the colours of a terminal. */
export function colorDiff(text: string): string {
  const { bold, cyan, green, red } = pc.createColors(true);
  return text
    .replace(/^(?:---|\+\+\+) .*$/gm, (line) => bold(line))
    .replace(/^@@.*$/gm, (line) => cyan(line))
    .replace(/^\+.*$/gm, (line) => green(line))
    .replace(/^-.*$/gm, (line) => red(line));
}
