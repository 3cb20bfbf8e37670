import { getSystemErrorMap } from 'node:util';
import { ProjectError } from '../model/problem';

/** Returns true for an error of the file system with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return isFileError(error) && codes.includes(error.code!);
}

/** The error as a ProjectError if the file system refused something: no permission, no space; else as it is. */
export function explainFileError(error: unknown): unknown {
  if (!isFileError(error)) return error;
  const [, reason] = getSystemErrorMap().get(error.errno!) ?? [];
  const path = error.dest ?? error.path;
  const what = error.syscall === 'mkdir' ? 'the folder cannot be made: ' : '';
  return new ProjectError([
    { message: `${path === undefined ? '' : `${path}: `}${what}${reason ?? error.message}` },
  ]);
}

/** Returns true for an error of the file system. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { dest?: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'errno' in error;
}
