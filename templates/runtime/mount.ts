import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import type { DeprecationNotice, RequestContext, Handler, MethodTable } from './api/request/request-context';
import { deprecationNotices, tellDeprecation } from './api/request/deprecation';
import { useRoutes } from './http/direct-routes';
import { resourceEndpoints, type KindRoutes, type ResourceEndpoints } from './api/endpoints';
import { gateOf } from './http/gate';
import { settleHooks } from './model/hooks';
import type { KindDefinition } from './model/kind';
import { notRegistered } from './api/request/negotiate';
import { identityOf, NO_ROUTE, setRoute } from './http/observer';
import { PATCH_MEDIA_TYPES } from './patch/apply-patch';
import { HttpProblem } from './model/problem';
import { pathOf, requestTarget } from './http/request-target';
import { waitInPipeline } from './http/pipeline';
import { asProblem, sendEmpty, sendProblem } from './http/respond';
import type { JsonObject } from './model/schema';
import { guardOf, isOpenPage, type Guard } from './http/security';
import type { Service } from './service/service';
import type { SitePage, Tree } from './http/page';
import { sitePages } from './site/site';
import { noteRequest } from './concurrency/keyed-mutex';

/** A kind and its routes, as generated code names them. */
export interface MountedKind {
  kind: KindDefinition;
  routes: (endpoints: ResourceEndpoints) => KindRoutes;
}

/** The target of a path's first segments. */
interface Entry {
  kind: KindDefinition;
  routes: KindRoutes;
  /** Names of the routes in metrics and logs. */
  names: { [part in keyof KindRoutes]-?: string };
  urlVersion: string | undefined;
  notices: { [version: string]: DeprecationNotice } | undefined;
}

/** All routes: the pages by their whole path, the kinds by the start of theirs. */
interface Routes {
  guard: Guard;
  pages: Map<string, SitePage>;
  entries: Map<string, Entry>;
  /** Handlers of all paths below a first segment. */
  trees: Map<string, Tree>;
  /** The registered versions of each group. */
  versions: Map<string, readonly string[]>;
}

/** Placeholder of a version in a kind's path, for versions that its group does not have. */
const ANY_VERSION = '{version}';

/**
 * Mounts every route of the service on the app, behind the user's own middleware: one handler that finds the kind in a
 * Map, so that a request costs the same with 500 kinds as with one. Unknown routes get 404, and thrown errors become
 * problem responses. Throws an Error for a kind's own file whose exports nothing calls. `openapi` reads the document on
 * its first request.
 */
export function mount(app: Express, service: Service, kinds: MountedKind[], openapi: () => object): void {
  // Express' own ETag, parser and banner are not used, but would cost time on every request.
  app.disable('etag').disable('x-powered-by').set('query parser', false);
  const definitions = kinds.map(({ kind }) => kind);
  settleHooks(definitions);
  service.kinds.announce(definitions);
  const routes = routesOf(service, kinds, openapi);
  useRoutes(app, gateOf(service.settings), dispatcher(service, routes));
  const onError: ErrorRequestHandler = (error, req, res, _next) => {
    const tree = treeOf(routes, requestTarget(req.url).path);
    if (tree === undefined) fail(service, req, res, error);
    else tree.fail(req, res, error);
  };
  app.use(onError);
}

function routesOf(service: Service, kinds: MountedKind[], openapi: () => object): Routes {
  const definitions = kinds.map(({ kind }) => kind);
  const pages = sitePages(service, definitions, openapi as () => JsonObject);
  const versions = new Map(service.definition.groups.map((group) => [group.name, group.versions]));
  return {
    guard: guardOf(service.definition.security, service.logger),
    pages,
    entries: entriesOf(service, kinds),
    trees: new Map(service.parts.flatMap((part) => Object.entries(part.trees?.(definitions) ?? {}))),
    versions,
  };
}

/** Returns the handler of all paths below the first segment of a path; undefined where it has none of its own. */
function treeOf({ trees }: Routes, path: string): Tree | undefined {
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

function dispatcher(service: Service, routes: Routes): RequestHandler {
  return (req, res) => {
    noteRequest();
    if (service.draining) res.setHeader('Connection', 'close');
    try {
      const waiting = waitInPipeline(req, res);
      const answered =
        waiting === undefined ? answer(routes, req, res) : waiting.then(() => answer(routes, req, res));
      if (answered instanceof Promise) answered.catch((error: unknown) => fail(service, req, res, error));
    } catch (error) {
      fail(service, req, res, error);
    }
  };
}

function fail(service: Service, req: Request, res: Response, error: unknown): void {
  // An HttpProblem is an intended response, such as that of /readyz during a stop.
  if (!(error instanceof HttpProblem) && asProblem(error).status >= 500)
    service.logger.error({ err: error, ...identityOf(req), method: req.method, path: pathOf(req) }, 'failed');
  sendProblem(req, res, error);
}

/** Returns `/<plural>` and `/apis/<group>/<version>/<plural>` of every kind and version. */
function entriesOf(service: Service, kinds: MountedKind[]): Map<string, Entry> {
  const endpoints = resourceEndpoints(service);
  const entries = new Map<string, Entry>();
  for (const { kind, routes } of kinds) {
    const table = routes(endpoints);
    const notices = deprecationNotices(service.definition.groups.find(({ name }) => name === kind.group));
    const add = (start: string, urlVersion: string | undefined): void => {
      entries.set(start, { kind, routes: table, names: namesOf(start), urlVersion, notices });
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

/** Methods of the service as a whole (RFC 9110, section 9.3.7). */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

function answer(routes: Routes, req: Request, res: Response): void | Promise<void> {
  const { guard, pages, entries, versions } = routes;
  const { path, query } = requestTarget(req.url);
  const tree = treeOf(routes, path);
  if (tree !== undefined) return tree.answer(req, res, guard);
  const segments = segmentsOf(path);
  const depth = segments[0] === 'apis' ? 4 : 1;
  const [, group = '', version = ''] = segments;
  const unregistered = segments[0] === 'apis' ? unregisteredVersion(versions, group, version) : undefined;
  if (unregistered !== undefined) segments[2] = ANY_VERSION;
  const entry = entries.get(depth === 1 ? segments[0] : segments.slice(0, depth).join('/'));
  const page = entry === undefined ? pages.get(path) : undefined;
  if (page !== undefined) {
    setRoute(res, path);
    if (!isOpenPage(path)) guard(req);
    return page.answer(req, res);
  }
  const route = routeOf(segments.length - depth, segments[depth + 1]);
  const methods = route && entry?.routes[route];
  if (entry === undefined || route === undefined || methods === undefined) {
    setRoute(res, NO_ROUTE);
    if (path === '*' && req.method === 'OPTIONS') return sendEmpty(res, 204, { Allow: METHODS });
    if (unregistered !== undefined) throw unregistered;
    throw new HttpProblem(404, 'There is nothing at this path.');
  }
  setRoute(res, entry.names[route]);
  guard(req);
  const { kind, notices } = entry;
  const urlVersion = unregistered === undefined ? entry.urlVersion : version;
  const context: RequestContext = {
    req,
    res,
    kind,
    urlVersion,
    uid: '',
    versionId: '',
    query,
    notices,
    warnings: [],
  };
  if (notices !== undefined && urlVersion !== undefined && unregistered === undefined)
    tellDeprecation(context, urlVersion);
  const handler = handlerOf(methods, req.method);
  if (handler === undefined) {
    if (unregistered !== undefined) throw unregistered;
    return answerMethod(methods, req, res);
  }
  context.uid = decoded(segments[depth]);
  context.versionId = decoded(segments[depth + 2]);
  return handler(context);
}

/** Returns the problem of a path whose version its group does not have; undefined for all others. */
function unregisteredVersion(
  versions: Routes['versions'],
  group: string,
  version: string,
): HttpProblem | undefined {
  const registered = versions.get(group);
  if (registered === undefined || version === '' || registered.includes(version)) return undefined;
  return notRegistered(`${group}/${version}`, group, group, registered);
}

/** Returns the raw segments of a path; one trailing slash is ignored. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let start = 1;
  for (let end = path.indexOf('/', start); end >= 0; end = path.indexOf('/', start)) {
    segments.push(path.slice(start, end));
    start = end + 1;
  }
  if (start < path.length) segments.push(path.slice(start));
  return segments;
}

/**
 * Decodes the percent-encoding of the name in a segment. The other segments stay raw: middleware that is mounted on a
 * path compares raw text, and other spellings must not bypass it.
 */
function decoded(segment = ''): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpProblem(400, 'The path has a malformed percent-encoding.');
  }
}

/** Returns the route of a kind for this number of segments after the collection's name. */
function routeOf(length: number, part: string | undefined): keyof KindRoutes | undefined {
  if (length === 0) return 'collection';
  if (length === 1) return 'item';
  if (length === 2 && part === 'status') return 'status';
  if (part !== 'versions' || length > 3) return undefined;
  return length === 2 ? 'versions' : 'version';
}

function handlerOf(methods: MethodTable, method: string): Handler | undefined {
  const served = method === 'HEAD' ? 'GET' : method;
  return Object.hasOwn(methods, served) ? methods[served as keyof MethodTable] : undefined;
}

/** Responds to OPTIONS. Throws HttpProblem 405 with `Allow` for another method without a handler. */
function answerMethod(methods: MethodTable, req: Request, res: Response): void {
  const allowed = Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  const headers: { [name: string]: string } = { Allow: [...allowed, 'OPTIONS'].join(', ') };
  if (req.method !== 'OPTIONS')
    throw new HttpProblem(405, `The method ${req.method} is not allowed here.`, { headers });
  if (methods.PATCH !== undefined) headers['Accept-Patch'] = PATCH_MEDIA_TYPES.join(', ');
  sendEmpty(res, 204, headers);
}
