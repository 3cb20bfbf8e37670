import { parseEnv } from 'node:util';
import { decodeText, readRegularFile, UnreadableFile } from '../files/regular-file';

const FILE = '.env';

/**
 * Adds the settings in the file `.env` of the current folder to the environment, which takes precedence. Does nothing
 * without one. Ends the process with exit code 1 where the file cannot be read, or has a line that is no setting.
 */
export function loadEnvironment(): void {
  let text: string;
  try {
    text = decodeText(readRegularFile(FILE));
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    if (error.missing) return;
    return refuse(`${error.message}; replace it with a text file in UTF-8`);
  }
  const stray = strayLine(text);
  if (stray !== undefined)
    return refuse(`has no NAME=value in line ${stray}; correct it, or put # before it`);
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

/**
 * Returns the number of a line of a `.env` that makes a name with a space or a line break: Node.js 20 takes a line without `=` for
 * the beginning of the next name, which then sets nothing. Undefined where no line does.
 */
export function strayLine(text: string): number | undefined {
  const name = Object.keys(parseEnv(text)).find((each) => /\s/.test(each));
  if (name === undefined) return undefined;
  const [first] = name.split('\n');
  return text.split('\n').findIndex((line) => line.trim().startsWith(first.trim())) + 1;
}

function refuse(why: string): never {
  process.stderr.write(`${FILE} ${why}\n`);
  process.exit(1);
}
