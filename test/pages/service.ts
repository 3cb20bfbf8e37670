import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { openApi } from '../assembled-openapi';
import type { JsonObject } from '../../templates/runtime/schema';
import { startService, type TestOptions, type TestService } from '../runtime/harness';

/** Serves a project of the repository, its OpenAPI document included. */
export function startProject(folder: string, options: TestOptions = {}): Promise<TestService> {
  const { project } = loadProject(join(__dirname, '../..', folder));
  return startService(project, { ...options, openapi: openApi(project) as JsonObject });
}
