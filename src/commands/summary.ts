import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Action, FileChange } from '../write/tree-plan';

const WORDS: [action: Action, done: string, planned: string][] = [
  ['create', 'created', 'to create'],
  ['update', 'updated', 'to update'],
  ['delete', 'deleted', 'to delete'],
  ['unchanged', 'unchanged', 'unchanged'],
];

/** Returns `svcgen: 2 created, 1 updated, 95 unchanged`, or with `planned` the same for a dry run. */
export function summary(changes: FileChange[], planned = false): string {
  const counts = WORDS.map(([action, done, plan]) => {
    const count = changes.filter((change) => change.action === action).length;
    return count === 0 ? [] : [`${count} ${planned ? plan : done}`];
  });
  return `svcgen: ${counts.flat().join(', ')}`;
}

/** A line for each file: `update     src/generated/routes.ts`. */
export function listing(changes: FileChange[]): string {
  return changes.map(({ action, path }) => `${action.padEnd(9)} ${path}\n`).join('');
}

/** Returns the files as `--json` lists them. */
export function fileActions(changes: FileChange[]): { path: string; action: Action }[] {
  return changes.map(({ path, action }) => ({ path, action }));
}

/** Returns a note for each user-owned file whose kind is gone with this change: it stays. */
export function leftBehind(folder: string, changes: FileChange[]): string[] {
  const rendered = new Set(changes.filter(({ action }) => action !== 'delete').map(({ path }) => path));
  const gone = changes.flatMap(({ action, path }) => {
    const kind = action === 'delete' ? /^src\/generated\/kinds\/(.+)\/kind\.ts$/.exec(path)?.[1] : undefined;
    return kind === undefined ? [] : [`src/kinds/${kind}.ts`];
  });
  return gone
    .filter((path) => !rendered.has(path) && existsSync(join(folder, path)))
    .map((path) => `svcgen: ${path} is yours and was not deleted, although its kind no longer exists`);
}
