import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject, type LoadedProject } from '../load/load-project';
import { PROJECT_FILE } from '../load/project-file';
import { ProjectError } from '../problem';
import { lacksGroups } from './project-text';
import { refuse } from '../cli/refusal';
import { rewriteFile } from '../write/write';

/**
 * Edits project.yaml in place; `edit` turns its text into the new one. Throws ProjectError, with nothing changed, when
 * the file has problems, when `edit` throws one, and when the new text would have problems.
 */
export async function editProject(folder: string, edit: (text: string) => string): Promise<void> {
  await rewriteFile(folder, PROJECT_FILE, () => {
    const path = join(folder, PROJECT_FILE);
    const place = lstatSync(path);
    if (place.isSymbolicLink()) refuse(`${path} is a symbolic link; edit the file that it leads to`);
    if (!place.isFile() || !lacksGroups(readFileSync(path, 'utf8'))) loadProject(folder);
    const edited = edit(readFileSync(path, 'utf8'));
    loadText(folder, edited);
    return edited;
  });
}

/**
 * The project that project.yaml would be with this text. Throws ProjectError if it would have problems, without
 * places in a text that nobody sees.
 */
export function loadText(folder: string, text: string): LoadedProject {
  try {
    return loadProject(folder, text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof ProjectError)) throw error;
    const problems = error.problems.map((problem) => {
      const { file, message, hint } = problem;
      return file === PROJECT_FILE ? { message, hint } : problem;
    });
    throw new ProjectError(problems);
  }
}
