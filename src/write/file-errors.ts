import { getSystemErrorMap } from 'node:util';
import { ProjectError } from '../problem';

/** Whether the error is one of the file system's with one of these codes, `ENOENT` for example. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return isFileError(error) && codes.includes(error.code!);
}

/** The error as a ProjectError if the file system refused something: no permission, no space; else as it is. */
export function explainFileError(error: unknown): unknown {
  if (!isFileError(error)) return error;
  const [, reason] = getSystemErrorMap().get(error.errno!) ?? [];
  const path = error.dest ?? error.path;
  return new ProjectError([
    { message: `${path === undefined ? '' : `${path}: `}${reason ?? error.message}` },
  ]);
}

function isFileError(error: unknown): error is NodeJS.ErrnoException & { dest?: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'errno' in error;
}
