import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { setIdentified } from '../../templates/runtime/http/security/actor';
import { documentOf } from '../openapi/document-of';
import { startService, type TestOptions, type TestService } from '../runtime/support/harness';

/** Serves a project of the repository, its OpenAPI document included, to callers who are identified. */
export function startProject(folder: string, options: TestOptions = {}): Promise<TestService> {
  const { project } = loadProject(join(__dirname, '../..', folder));
  const middleware: TestOptions['middleware'] = (app) => {
    app.use((req, _res, next) => (setIdentified(req), next()));
    options.middleware?.(app);
  };
  return startService(project, { ...options, middleware, openapi: documentOf(project) });
}
