import { digestOf } from './digest';
import { importName, importPath } from '../load/import-path';
import type { ImportedText } from '../load/imports';
import { readTextFile, UnreadableFile } from '../load/text-file';

/** A digest of all that a run reads: project.yaml, what it imports, and svcgen.lock. */
export function inputsDigest(project: string, lock: string | undefined, imports: ImportedText[]): string {
  return digestOf(JSON.stringify([project, lock, imports]));
}

/** What imports stand for now; undefined where one of them is a problem. */
export function readImports(folder: string, written: string[]): ImportedText[] | undefined {
  try {
    return written.map((each) => {
      const path = importPath(folder, each);
      return { written: each, name: importName(folder, path), text: readTextFile(path) };
    });
  } catch (error) {
    if (error instanceof UnreadableFile) return undefined;
    throw error;
  }
}
