import { join } from 'node:path';
import { MERGE_MARKER, RESOLVE_CONFLICT } from '../../files/merge-conflict';
import { readTextFile, UnreadableFile } from '../../files/text-file';
import type { Mistake } from '../../model/problem';

/** The parts of a project's package.json that svcgen looks at. */
export interface Manifest {
  /** The type of modules of files called `.js`: `module` or, by default, `commonjs`. */
  type?: string;
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

/** Returns why a project's package.json is unusable, as the rest of a sentence; undefined where it is usable. */
export function manifestMistake(path: string): (Mistake & { missing?: true }) | undefined {
  let text: string;
  try {
    text = readTextFile(path);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return error.missing
      ? { message: 'is missing', hint: 'run svcgen generate', missing: true }
      : { message: error.message, hint: 'replace it with a regular file that may be read' };
  }
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return MERGE_MARKER.test(text)
      ? { message: 'has a merge conflict', hint: RESOLVE_CONFLICT }
      : { message: 'is not JSON', hint: 'npm pkg get name reports the place' };
  }
}

/** Returns why the built service cannot run below a project's package.json that can be read; undefined where it can. */
export function moduleMistake({ type }: Manifest): Mistake | undefined {
  if (type !== 'module') return undefined;
  return {
    message: 'says "type": "module", but the build makes CommonJS',
    hint: 'run npm pkg set type=commonjs',
  };
}

/** Returns a notice where package.json is there but unusable: nobody knows then what it lacks. */
export function unusableManifest(folder: string): string[] {
  const mistake = manifestMistake(join(folder, 'package.json'));
  if (mistake === undefined || mistake.missing) return [];
  return [`svcgen: package.json ${mistake.message}, and its packages are not checked: ${mistake.hint}`];
}
