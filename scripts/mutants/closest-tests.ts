import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { reachable } from '../../src/model/graph';

/**
 * Returns a function that returns the test files, without slow ones, that import a file or stand in a folder of
 * the same name. The closest come first: those with the most words of its path in theirs, then those that import the
 * fewest files.
 */
export function closestTests(folder: string): (file: string) => string[] {
  const tests = readdirSync(join(folder, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file));
  const known = new Map<string, string[]>();
  const direct = (file: string): string[] => {
    const imported = known.get(file) ?? importedBy(file);
    known.set(file, imported);
    return imported;
  };
  const bySize = tests
    .map((test) => ({ test, imported: reachable([join(folder, test)], direct) }))
    .sort((one, other) => one.imported.size - other.imported.size);
  return (file) => {
    const folderName = dirname(file).split('/').at(-1)!;
    return bySize
      .filter(
        ({ test, imported }) => imported.has(join(folder, file)) || test.startsWith(`test/${folderName}/`),
      )
      .map(({ test }) => ({ test, words: commonWords(file, test) }))
      .sort((one, other) => other.words - one.words)
      .map(({ test }) => join(folder, test));
  };
}

/** Returns the number of words of a test's path that belong to a word of a file's path, such as `list` to `listing`. */
function commonWords(file: string, test: string): number {
  const [words, others] = [file, test].map((path) => path.split(/[-./]/).filter(({ length }) => length > 2));
  return others.filter((other) => words.some((word) => word.startsWith(other) || other.startsWith(word)))
    .length;
}

/** Returns the files that a file imports. */
function importedBy(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
  return importedFiles.flatMap(({ fileName }) => {
    const path = resolve(dirname(file), fileName);
    const candidates = [`${path}.ts`, join(path, 'index.ts')];
    return fileName.startsWith('.')
      ? candidates.filter((candidate) => existsSync(candidate)).slice(0, 1)
      : [];
  });
}
