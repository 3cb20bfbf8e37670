import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import type { Project } from '../../src/model/project';
import type { JsonObject } from '../../templates/runtime/model/schema';
import { documentOfVersion } from '../../templates/runtime/site/documents';
import { documentOf } from '../openapi/document-of';

const ROOT = join(__dirname, '../..');
const FOLDER = join(ROOT, '.tmp/tools/documents');

/** The projects whose documents the tools read, by folder. */
const PROJECTS = {
  demo: 'examples/device-service',
  minimal: 'fixtures/minimal',
  everything: 'fixtures/everything',
  empty: 'fixtures/empty',
  shop: 'test/tools/shop',
};

/** The project of the demo. */
export function demo(): Project {
  return loadProject(join(ROOT, PROJECTS.demo)).project;
}

/** A project with three kinds, two versions, events, authentication and every type and rule. */
export function shop(): Project {
  return loadProject(join(ROOT, PROJECTS.shop)).project;
}

/** Writes each project's document, and those of its versions, as a service serves them, and returns their files by title. */
export function writeDocuments(): { [title: string]: string } {
  return Object.fromEntries(
    Object.entries(PROJECTS).flatMap(([title, folder]) => {
      const { project } = loadProject(join(ROOT, folder));
      const whole = documentOf(project);
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

/** Writes a document and returns its file. */
export function writeDocument(title: string, document: JsonObject): string {
  const file = join(FOLDER, `${title.replaceAll(' ', '-')}.json`);
  mkdirSync(FOLDER, { recursive: true });
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
