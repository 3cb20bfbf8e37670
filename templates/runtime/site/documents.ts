import type { Page } from '../http/responses/page';
import { jsonResponse, once, staticPages, type StaticResponse } from '../http/responses/static-response';
import type { Json, JsonObject } from '../model/schema';
import type { CoreDefinition } from '../service/core-definition';

/** The OpenAPI documents, `/openapi.json` and one for each version. Each is built on its first request. */
export function documentPages(
  definition: CoreDefinition,
  openapi: () => JsonObject,
): { [path: string]: Page } {
  const document = once(openapi);
  const pages: { [path: string]: () => StaticResponse } = {
    '/openapi.json': () => jsonResponse(document()),
  };
  for (const { group, version, path } of versionDocuments(definition)) {
    pages[path] = () => jsonResponse(documentOfVersion(document(), group, version));
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

/**
 * Returns the part of an OpenAPI document that belongs to one API version: the paths below `/apis/<group>/<version>/`,
 * with the tags and components that they use.
 */
export function documentOfVersion(document: JsonObject, group: string, version: string): JsonObject {
  const prefix = `/apis/${group}/${version}/`;
  const paths = pick(document['paths'] as JsonObject, (path) => path.startsWith(prefix));
  const refs = new Set<string>();
  const tags = new Set<Json>();
  const visit = (value: Json): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      if (key === 'tags' && Array.isArray(member)) member.forEach((tag) => tags.add(tag));
      if (key !== '$ref' || typeof member !== 'string') visit(member);
      else if (!refs.has(member)) {
        refs.add(member);
        visit(componentAt(document, member));
      }
    }
  };
  visit(paths);

  const components = Object.entries(document['components'] as { [section: string]: JsonObject })
    .map(([section, members]): [string, JsonObject] => [
      section,
      // Security schemes are named without a reference.
      pick(members, (name) => section === 'securitySchemes' || refs.has(`#/components/${section}/${name}`)),
    ])
    .filter(([, members]) => Object.keys(members).length > 0);
  const { webhooks: _, ...rest } = document;
  const info = document['info'] as JsonObject;
  return {
    ...rest,
    info: { ...info, title: `${String(info['title'])}: ${group}/${version}`, version },
    tags: (document['tags'] as JsonObject[]).filter(({ name }) => tags.has(name)),
    paths,
    components: Object.fromEntries(components),
  };
}

function componentAt(document: JsonObject, ref: string): Json {
  const [, , section = '', name = ''] = ref.split('/');
  return (document['components'] as { [section: string]: JsonObject })[section]?.[name] ?? null;
}

function pick(members: JsonObject, isWanted: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => isWanted(name)));
}
