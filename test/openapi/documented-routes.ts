import type { JsonObject } from '../../src/model/project';

/** Every method and path of a document, such as `['GET', '/devices/{uid}']`, in its order. */
export function documentedRoutes(document: JsonObject): [method: string, path: string][] {
  const methods = ['get', 'post', 'put', 'patch', 'delete'];
  return Object.entries(document['paths'] as { [path: string]: JsonObject }).flatMap(([path, item]) =>
    methods
      .filter((method) => method in item)
      .map((method): [string, string] => [method.toUpperCase(), path]),
  );
}
