import { parseEnv } from 'node:util';
import { decodeText, readRegularFile, UnreadableFile } from '../files/regular-file';

const FILE = '.env';

/**
 * Adds the settings in the file `.env` of the current folder to the environment, which takes precedence. Does nothing
 * without one. Ends the process with exit code 1 where the file cannot be read.
 */
export function loadEnvironment(): void {
  try {
    const settings = parseEnv(decodeText(readRegularFile(FILE)));
    for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    if (error.missing) return;
    process.stderr.write(`${FILE} ${error.message}; replace it with a text file in UTF-8\n`);
    process.exit(1);
  }
}
