import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import type { Project } from '../../src/model';
import { openApi } from '../assembled-openapi';
import { documentOfVersion } from '../../templates/runtime/openapi-document';
import type { JsonObject } from '../../templates/runtime/schema';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, '.tmp/tools/documents');

/** The projects whose documents the tools read, by folder. */
const PROJECTS = {
  demo: 'examples/device-service',
  minimal: 'fixtures/minimal',
  everything: 'fixtures/everything',
  empty: 'fixtures/empty',
};

/** The project of the demo. */
export function demo(): Project {
  return loadProject(join(ROOT, PROJECTS.demo)).project;
}

/** Writes each project's document, and those of its versions, as a service answers them; gives their files by title. */
export function writeDocuments(): { [title: string]: string } {
  mkdirSync(FOLDER, { recursive: true });
  return Object.fromEntries(
    Object.entries(PROJECTS).flatMap(([title, folder]) => {
      const { project } = loadProject(join(ROOT, folder));
      const whole = openApi(project) as JsonObject;
      const versions = project.groups.flatMap(({ name, versions }) =>
        versions.map(
          (version) => [`${title} ${name} ${version}`, documentOfVersion(whole, name, version)] as const,
        ),
      );
      return [[title, whole] as const, ...versions].map(([name, document]) => [
        name,
        writeDocument(name, document),
      ]);
    }),
  );
}

/** Writes a document; gives its file. */
export function writeDocument(title: string, document: JsonObject): string {
  const file = join(FOLDER, `${title.replaceAll(' ', '-')}.json`);
  writeFileSync(file, JSON.stringify(withoutInheritedNames(document)));
  return file;
}

/**
 * Redocly's parser, which openapi-typescript uses too, takes what every JavaScript object inherits for its own table's
 * and breaks off at a field called `valueOf`. The everything project has such fields; here they end in `_`.
 */
function withoutInheritedNames(document: JsonObject): JsonObject {
  const inherited = Object.getOwnPropertyNames(Object.prototype).join('|');
  const text = JSON.stringify(document).replace(new RegExp(`"(${inherited})"`, 'g'), '"$1_"');
  return JSON.parse(text) as JsonObject;
}
