import type { Page } from '../http/responses/page';
import { once, staticPages, type StaticResponse, staticResponse } from '../http/responses/static-response';
import type { JsonObject } from '../model/schema';
import type { CoreDefinition } from '../service/core-definition';
import { documentOfVersion } from './openapi-document';

/** The OpenAPI documents, `/openapi.json` and one for each version. Each is built on its first request. */
export function documentPages(
  definition: CoreDefinition,
  openapi: () => JsonObject,
): { [path: string]: Page } {
  const document = once(openapi);
  const pages: { [path: string]: () => StaticResponse } = {
    '/openapi.json': () => documentResponse(document()),
  };
  for (const { group, version, path } of versionDocuments(definition)) {
    pages[path] = () => documentResponse(documentOfVersion(document(), group, version));
  }
  return staticPages(pages);
}

/** The OpenAPI document of one version. */
interface VersionDocument {
  group: string;
  version: string;
  path: string;
  /** True if it is the storage version of its group. */
  storage: boolean;
  /** True if any kind has the version. */
  hasKinds: boolean;
}

/** Returns the documents of all versions. */
export function versionDocuments({ groups }: CoreDefinition): VersionDocument[] {
  return groups.flatMap(({ name, versions, storageVersion, kinds }) =>
    versions.map((version) => ({
      group: name,
      version,
      path: `/apis/${name}/${version}/openapi.json`,
      storage: version === storageVersion,
      hasKinds: Object.values(kinds).some((served) => served.includes(version)),
    })),
  );
}

function documentResponse(document: JsonObject): StaticResponse {
  return staticResponse('application/json', JSON.stringify(document));
}
