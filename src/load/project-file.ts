import { realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { leaves, readTextFile, reason, tryRead, UnreadableFile } from '../files/text-file';
import { PROJECT_FILE, ProjectError } from '../model/problem';

/** The text of project.yaml in the folder. Throws ProjectError where it cannot be read. */
export function readProjectFile(folder: string, withMark = false): string {
  return tryRead(
    () => readTextFile(join(folder, PROJECT_FILE), { within: folder, withMark }),
    (error) => {
      throw new ProjectError([{ file: PROJECT_FILE, message: error.message, hint: hintFor(error) }]);
    },
  );
}

function hintFor({ message, missing }: UnreadableFile): string | undefined {
  if (missing) return 'run svcgen init to create a project, or choose another with --project';
  return message.startsWith('leaves') ? 'a link must lead to a file of the same project' : undefined;
}

/** The real path of an import. Throws UnreadableFile when it is not inside the project. */
export function importPath(folder: string, path: string): string {
  const root = realpathSync(folder);
  const outside = new UnreadableFile('leaves the project folder');
  if (isAbsolute(path) || leaves(root, resolve(root, path))) throw outside;
  const real = realPath(resolve(root, path));
  if (leaves(root, real)) throw outside;
  if (real === realPath(resolve(root, PROJECT_FILE)))
    throw new UnreadableFile('is the importing file itself');
  return real;
}

/** Returns the name of an import in problems: its real path relative to the project, with `/`. */
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
