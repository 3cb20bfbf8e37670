import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Action, FileChange } from './tree-plan';

/** `svcgen: 2 created, 1 updated, 95 unchanged`. */
export function summary(changes: FileChange[]): string {
  const words: [Action, string][] = [
    ['create', 'created'],
    ['update', 'updated'],
    ['delete', 'deleted'],
    ['unchanged', 'unchanged'],
  ];
  const counts = words.map(
    ([action, word]) => [changes.filter((change) => change.action === action).length, word] as const,
  );
  const told = counts.filter(([count]) => count > 0).map(([count, word]) => `${count} ${word}`);
  return `svcgen: ${told.join(', ')}`;
}

/** A line for each file: `update     src/generated/routes.ts`. */
export function listing(changes: FileChange[]): string {
  return changes.map(({ action, path }) => `${action.padEnd(9)} ${path}\n`).join('');
}

/** What `--json` tells of the files. */
export function fileActions(changes: FileChange[]): { path: string; action: Action }[] {
  return changes.map(({ path, action }) => ({ path, action }));
}

/** What is said of the user's files whose kind is gone with this change: they stay. */
export function leftBehind(folder: string, changes: FileChange[]): string[] {
  const rendered = new Set(changes.filter(({ action }) => action !== 'delete').map(({ path }) => path));
  const gone = changes.flatMap(({ action, path }) => {
    const kind = action === 'delete' ? /^src\/generated\/(.+)\/kind\.ts$/.exec(path)?.[1] : undefined;
    return kind === undefined ? [] : [`src/kinds/${kind}.ts`];
  });
  return gone
    .filter((path) => !rendered.has(path) && existsSync(join(folder, path)))
    .map((path) => `svcgen: ${path} is yours and stays, though its kind is gone`);
}
