import type { JsonObject, Project } from '../../src/model/project';
import { openApi } from '../../src/openapi/openapi';
import { plannedProject } from '../../src/plan/planned-project';

/** Returns the OpenAPI document of a project without problems. */
export function documentOf(project: Project): JsonObject {
  return openApi(plannedProject(project));
}
