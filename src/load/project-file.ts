import { join } from 'node:path';
import { ProjectError } from '../problem';
import { readTextFile, UnreadableFile } from './text-file';

/** The file that describes a project. */
export const PROJECT_FILE = 'project.yaml';

/** The text of project.yaml in the folder. Throws ProjectError where it cannot be read. */
export function readProjectFile(folder: string): string {
  try {
    return readTextFile(join(folder, PROJECT_FILE));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const hint = 'svcgen init makes a new project; --project names the folder of another';
    throw new ProjectError([
      { file: PROJECT_FILE, message: error.message, hint: error.missing ? hint : undefined },
    ]);
  }
}
