import { readTextFile, UnreadableFile } from '../../files/text-file';

/** The parts of a project's package.json that svcgen looks at. */
export interface Manifest {
  bin?: { [name: string]: string };
  scripts?: { [name: string]: string };
  dependencies?: { [name: string]: string };
  devDependencies?: { [name: string]: string };
}

/** Returns a project's package.json; undefined where it is missing, cannot be read or is no JSON. */
export function readManifest(path: string): Manifest | undefined {
  try {
    return Object(JSON.parse(readTextFile(path))) as Manifest;
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
