import type { Project } from '../src/model';
import { documentedKinds, frame, only } from '../src/openapi';
import { bySection, type Components, type JsonObject } from '../src/openapi/document';
import { kindPart } from '../src/openapi/kind-part';

/**
 * The OpenAPI 3.1 document of a service as an object: what openapi.json has to say, put together without its printing and
 * its cache.
 */
export function openApi(project: Project): JsonObject {
  const parts = documentedKinds(project).map((kind) => kindPart(project, kind));
  const { head, paths, components, types } = frame(project, parts);
  const all = <T>(members: T[]): T => Object.assign({}, ...members) as T;
  const joined = bySection((section) =>
    all([components[section], ...parts.map((part) => part.components[section])]),
  );
  const typed = parts.map((part) => all([only(types, part.types), part.components.schemas]));
  return {
    ...head,
    paths: all([...parts.map((part) => part.paths), paths.paths]),
    ...paths.hooks,
    components: withoutEmpty({ ...joined, schemas: all([components.schemas, ...typed]) }),
  };
}

/** Without the sections that have no members. */
function withoutEmpty(components: Components): JsonObject {
  return Object.fromEntries(
    Object.entries(components).filter(([, members]) => Object.keys(members).length > 0),
  );
}

/** Every method and path of a document, such as `['GET', '/devices/{uid}']`, in its order. */
export function documentedRoutes(document: JsonObject): [method: string, path: string][] {
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  return Object.entries(document['paths'] as { [path: string]: JsonObject }).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method): [string, string] => [method.toUpperCase(), path]),
  );
}
