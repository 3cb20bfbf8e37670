import { type KindRoutes, type ResourceEndpoints, resourceEndpoints } from '../api/endpoints';
import { notRegistered } from '../api/request/negotiate';
import type { OnVersion } from '../api/request/request-context';
import type { SitePage, Tree } from '../http/responses/page';
import type { Guard } from '../http/security/guard';
import type { KindDefinition } from '../model/kinds/kind';
import type { HttpProblem } from '../model/problem';
import type { JsonObject } from '../model/schema';
import type { Service } from '../service/service';
import { sitePages } from '../site/site';

/** A kind and its routes, as generated code names them. */
export interface MountedKind {
  kind: KindDefinition;
  routes: (endpoints: ResourceEndpoints) => KindRoutes;
}

/** The target of a path's first segments. */
export interface Entry {
  kind: KindDefinition;
  routes: KindRoutes;
  /** Names of the routes in metrics and logs. */
  names: { [part in keyof KindRoutes]-?: string };
  urlVersion: string | undefined;
  onVersion: OnVersion | undefined;
}

/** All routes: the pages by their whole path, the kinds by the start of theirs. */
export interface Routes {
  guard: Guard;
  pages: Map<string, SitePage>;
  entries: Map<string, Entry>;
  /** Handlers of all paths below a first segment. */
  trees: Map<string, Tree>;
  /** The registered versions of each group. */
  versions: Map<string, readonly string[]>;
}

/** Placeholder of a version in a kind's path, for versions that its group does not have. */
export const ANY_VERSION = '{version}';

/** Returns all routes of a service. `openapi` reads the document on its first request. */
export function routesOf(service: Service, kinds: MountedKind[], openapi: () => object): Routes {
  const definitions = kinds.map(({ kind }) => kind);
  const pages = sitePages(service, definitions, openapi as () => JsonObject);
  const versions = new Map(service.definition.groups.map((group) => [group.name, group.versions]));
  return {
    guard: service.definition.security?.guard(service.logger) ?? (() => undefined),
    pages,
    entries: entriesOf(service, kinds),
    trees: new Map(service.parts.flatMap((part) => Object.entries(part.trees?.(definitions) ?? {}))),
    versions,
  };
}

/** Returns the handler of all paths below the first segment of a path; undefined where it has none of its own. */
export function treeOf({ trees }: Routes, path: string): Tree | undefined {
  if (trees.size === 0) return undefined;
  const end = path.indexOf('/', 1);
  return trees.get(path.slice(1, end < 0 ? undefined : end));
}

/**
 * Returns the method and the path of every route, such as `GET /devices/{uid}`. OPTIONS, and HEAD, which is served with
 * GET, are not included.
 */
export function servedRoutes(service: Service, kinds: MountedKind[]): string[] {
  const { pages, entries } = routesOf(service, kinds, () => ({}));
  const served = [...entries.values()].filter(({ urlVersion }) => urlVersion !== ANY_VERSION);
  const ofKinds = served.flatMap(({ routes, names }) =>
    (Object.keys(routes) as (keyof KindRoutes)[]).flatMap((route) =>
      Object.keys(routes[route] ?? {}).map((method) => `${method} ${names[route]}`),
    ),
  );
  return [...ofKinds, ...[...pages].map(([path, { method }]) => `${method} ${path}`)];
}

/** Returns the problem of a path whose version its group does not have; undefined for all others. */
export function unregisteredVersion(
  versions: Routes['versions'],
  group: string,
  version: string,
): HttpProblem | undefined {
  const registered = versions.get(group);
  if (registered === undefined || version === '' || registered.includes(version)) return undefined;
  return notRegistered(`${group}/${version}`, group, group, registered);
}

/** Returns `/<plural>` and `/apis/<group>/<version>/<plural>` of every kind and version. */
function entriesOf(service: Service, kinds: MountedKind[]): Map<string, Entry> {
  const endpoints = resourceEndpoints(service);
  const entries = new Map<string, Entry>();
  for (const { kind, routes } of kinds) {
    const table = routes(endpoints);
    const onVersion = service.onVersion?.(kind);
    const add = (start: string, urlVersion: string | undefined): void => {
      entries.set(start, { kind, routes: table, names: namesOf(start), urlVersion, onVersion });
    };
    add(kind.plural, undefined);
    for (const version of [...kind.servedVersions, ANY_VERSION])
      add(`apis/${kind.group}/${version}/${kind.plural}`, version);
  }
  return entries;
}

function namesOf(start: string): Entry['names'] {
  return {
    collection: `/${start}`,
    item: `/${start}/{uid}`,
    status: `/${start}/{uid}/status`,
    versions: `/${start}/{uid}/versions`,
    version: `/${start}/{uid}/versions/{versionId}`,
  };
}
