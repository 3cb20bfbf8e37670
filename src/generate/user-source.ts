import { readTextFile, tryRead } from '../files/text-file';

/** No source of a user is larger, in bytes. */
const MAX_SOURCE_SIZE = 1024 * 1024;

/**
 * Returns the text of a user-owned source; undefined where it cannot be read. The compiler reports that better than
 * advice about its contents could.
 */
export function readSource(path: string): string | undefined {
  return tryRead(
    () => readTextFile(path, { limit: MAX_SOURCE_SIZE }),
    () => undefined,
  );
}
