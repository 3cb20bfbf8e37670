import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { reason, UnreadableFile } from './text-file';

/** The real path of an import. Throws UnreadableFile when it is not inside the project. */
export function importPath(folder: string, path: string): string {
  const root = realpathSync(folder);
  const outside = new UnreadableFile('leaves the project folder');
  if (isAbsolute(path) || leaves(root, resolve(root, path))) throw outside;
  const real = realPath(resolve(root, path));
  if (leaves(root, real)) throw outside;
  if (real === realPath(resolve(root, 'project.yaml'))) throw new UnreadableFile('is this very file');
  return real;
}

/** What problems call an import: its real path relative to the project, with `/`. */
export function importName(folder: string, path: string): string {
  return relative(realpathSync(folder), path).split(sep).join('/');
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new UnreadableFile(reason(error));
  }
}

function leaves(root: string, path: string): boolean {
  const steps = relative(root, path);
  return isAbsolute(steps) || steps.split(sep)[0] === '..';
}
