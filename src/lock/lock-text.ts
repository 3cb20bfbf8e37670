import { join } from 'node:path';
import { MAX_GENERATED_SIZE, readIfThere, tryRead } from '../files/text-file';
import { ProjectError } from '../model/problem';

/** The file that records what was generated; it is committed with the project. */
export const LOCK_FILE = 'svcgen.lock';

/** The ways out of a lock that cannot be used. */
export const RESTORE_LOCK =
  'restore it from version control; or delete it and run svcgen generate, which then cannot detect changes to stable versions';

/** Reads the svcgen.lock of a project; undefined where there is none. Throws ProjectError where it cannot be read. */
export function readLockText(folder: string): string | undefined {
  return tryRead(
    () => readIfThere(join(folder, LOCK_FILE), { limit: MAX_GENERATED_SIZE, within: folder }),
    ({ message }) => {
      const hint = message.endsWith('permission denied') ? 'make it readable' : RESTORE_LOCK;
      throw new ProjectError([{ file: LOCK_FILE, message, hint }]);
    },
  );
}
