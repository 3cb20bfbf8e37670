import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import type { Project } from '../../src/model/project';
import { setIdentified } from '../../templates/runtime/http/security/actor';
import { documentOf } from '../openapi/document-of';
import { startService, type TestOptions, type TestService } from '../runtime/support/harness';

/** Returns a project of the repository, with a console and other changes. */
export function consoleProject(folder: string, changes: Partial<Project> = {}): Project {
  const { project } = loadProject(join(__dirname, '../..', folder));
  return { ...project, console: true, ...changes };
}

/** Serves a project with its console to callers who are identified, unless the options have another middleware. */
export function startConsole(project: Project, options: TestOptions = {}): Promise<TestService> {
  const middleware: TestOptions['middleware'] = (app) =>
    app.use((req, _res, next) => (setIdentified(req), next()));
  return startService(project, { middleware, openapi: documentOf(project), ...options });
}
