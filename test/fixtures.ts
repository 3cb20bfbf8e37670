import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OutputFile } from '../src/files/ownership';

export const ROOT = join(__dirname, '..');
export const FIXTURES = join(ROOT, 'fixtures');

/** The names of the fixtures that are projects. */
export const GOLDEN = readdirSync(FIXTURES).filter((name) =>
  existsSync(join(FIXTURES, name, 'project.yaml')),
);

/** Replaces a folder by one with these files. */
export function writeTree(folder: string, files: Pick<OutputFile, 'path' | 'text'>[]): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { path, text } of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}
