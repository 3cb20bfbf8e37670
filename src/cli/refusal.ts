import { ProjectError } from '../problem';

/** Throws a ProjectError with one problem that has no place in a file: wrong arguments, a missing folder. */
export function refuse(message: string, hint?: string): never {
  throw new ProjectError([{ message, hint }]);
}
