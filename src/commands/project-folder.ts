import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { tryOr } from '../files/try-or';
import { PROJECT_FILE, refuse } from '../model/problem';

/**
 * The project that a command works on: the folder of that name, or the nearest one from `cwd` upwards that has a
 * project.yaml. Throws ProjectError if there is none.
 */
export function findProject(cwd: string, named: string | undefined): string {
  if (named !== undefined) {
    const folder = resolve(cwd, named);
    return hasProject(folder)
      ? folder
      : refuse(`no project.yaml in ${folder}`, 'svcgen init creates a project there');
  }
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (hasProject(folder)) return folder;
    if (folder === dirname(folder)) break;
  }
  return refuse(
    `no project.yaml in ${cwd} or above it`,
    'run svcgen init to create a project, or choose one with --project',
  );
}

/** Returns true where a project.yaml is there, readable or not. */
export function hasProject(folder: string): boolean {
  return tryOr(() => lstatSync(join(folder, PROJECT_FILE)), undefined) !== undefined;
}
