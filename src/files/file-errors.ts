import { constants } from 'node:os';
import { getSystemErrorMap } from 'node:util';
import { ProjectError } from '../model/problem';

const osErrors = constants.errno;

/** Returns true for an error of the file system with one of these codes, such as `ENOENT`. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return isFileError(error) && codes.includes(error.code!);
}

/** Returns true for an error of a full disk or quota. Node has no name for the latter. */
export function isFull(error: unknown): boolean {
  return (
    hasCode(error, 'ENOSPC', 'EDQUOT', 'EFBIG') || (isFileError(error) && error.errno === -osErrors.EDQUOT)
  );
}

/**
 * The error as a ProjectError if the file system refused something: no permission, no space; else as it is. `place` is named
 * where the error has no path, as that of a write to an open file.
 */
export function explainFileError(error: unknown, place?: string): unknown {
  if (!isFileError(error)) return error;
  const [, reason] = getSystemErrorMap().get(error.errno!) ?? [];
  const path = error.dest ?? error.path ?? place;
  const what = error.syscall === 'mkdir' ? 'the folder cannot be made: ' : '';
  return new ProjectError([
    {
      message: `${path === undefined ? '' : `${path}: `}${what}${reason ?? (isFull(error) ? 'disk quota exceeded' : error.message)}`,
      ...(isFull(error) && { hint: 'make room, then run svcgen again' }),
    },
  ]);
}

/** Returns true for an error of the file system. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException & { dest?: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error && 'errno' in error;
}
