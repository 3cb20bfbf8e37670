import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';
import pc from 'picocolors';
import type { FileChange } from './tree-plan';

/** How long the comparison of one file may take, in milliseconds. */
const TIMEOUT = 2000;

/** The change of a file as `git apply` and `patch -p1` read it; empty for an unchanged file. */
export function unifiedDiff(root: string, { path, action, text }: FileChange): string {
  if (action === 'unchanged') return '';
  const before = action === 'create' ? '' : readFileSync(join(root, path), 'utf8');
  const oldName = action === 'create' ? '/dev/null' : `a/${path}`;
  const newName = action === 'delete' ? '/dev/null' : `b/${path}`;
  const patch = structuredPatch(oldName, newName, before, text, '', '', { context: 3, timeout: TIMEOUT });
  return patch ? formatPatch(patch, FILE_HEADERS_ONLY) : `Files ${oldName} and ${newName} differ\n`;
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
