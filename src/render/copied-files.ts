import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readTemplate, TEMPLATES } from './templates';

/** The folders of plain TypeScript that each project gets as they are, and where. */
const COPIED_FOLDERS: { [folder: string]: string } = {
  client: 'src/generated',
  ctl: 'src/generated',
  runtime: 'src/generated',
  laws: 'test/generated',
  tables: 'test/generated',
};

/** Every file of these folders, relative to the templates. */
export function copiedFiles(): string[] {
  return Object.keys(COPIED_FOLDERS).flatMap((folder) =>
    readdirSync(join(TEMPLATES, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(TEMPLATES, join(entry.parentPath, entry.name)).replaceAll('\\', '/')),
  );
}

/** Where a project has such a file. */
export function copiedPath(file: string): string {
  return `${COPIED_FOLDERS[file.split('/', 1)[0]!]!}/${file}`;
}

/** What is in it: tests find the runtime among the sources. */
export function copiedText(file: string): string {
  const text = readTemplate(file);
  if (!copiedPath(file).startsWith('test/')) return text;
  return text.replaceAll("'../runtime/", "'../../../src/generated/runtime/");
}
