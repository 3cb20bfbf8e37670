import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { ProjectError } from '../model/problem';

/** Returns true for an error of the file system with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return isFileError(error) && codes.includes(error.code!);
}

/** Returns true for an error of a full disk or quota. Node has no name for the latter. */
export function isFull(error: unknown): boolean {
  return (
    hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG') ||
    (isFileError(error) && error.errno === -constants.errno.EDQUOT)
  );
}

/**
 * The error as a ProjectError if the file system refused something: no permission, no space; else as it is. `place` is named
 * where the error has no path, as that of a write to an open file.
 */
export function explainFileError(error: unknown, place?: string): unknown {
  if (!isFileError(error)) return error;
  const full = isFull(error);
  const [, named] = getSystemErrorMap().get(error.errno!) ?? [];
  const reason = named ?? (full ? 'disk quota exceeded' : error.message);
  const path = error.dest ?? error.path ?? place;
  const what = error.syscall === 'mkdir' ? 'the folder cannot be made: ' : '';
  const message = `${path === undefined ? '' : `${path}: `}${what}${reason}`;
  return new ProjectError([{ message, ...(full && { hint: 'make room, then run svcgen again' }) }]);
}

/** Returns true for an error of the file system. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { dest?: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'errno' in error;
}
