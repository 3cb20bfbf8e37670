import { execFile } from 'node:child_process';

/** Whether git knows a file of the folder; undefined where there is no repository, or no git. */
export async function isTracked(folder: string, file: string): Promise<boolean | undefined> {
  const inside = await git(folder, 'rev-parse', '--is-inside-work-tree');
  return inside ? git(folder, 'ls-files', '--error-unmatch', file) : undefined;
}

/** Whether git leaves a file of the folder out. */
export function isIgnored(folder: string, file: string): Promise<boolean> {
  return git(folder, 'check-ignore', '--quiet', file);
}

function git(cwd: string, ...words: string[]): Promise<boolean> {
  return new Promise((resolve) => execFile('git', words, { cwd }, (error) => resolve(error === null)));
}
