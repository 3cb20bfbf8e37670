import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import type { Call, Handler, MethodTable } from './call';
import { deprecationNotices, tellDeprecation, type DeprecationNotice } from './deprecation';
import { useRoutes } from './direct-routes';
import { resourceEndpoints, type KindRoutes, type ResourceEndpoints } from './endpoints';
import type { KindDefinition } from './kind';
import { identityOf, NO_ROUTE, setRoute } from './observer';
import { PATCH_MEDIA_TYPES } from './patch/apply-patch';
import { HttpProblem } from './problem';
import { requestTarget } from './request-target';
import { asProblem, sendEmpty, sendProblem } from './respond';
import type { JsonObject } from './schema';
import type { Service } from './service';
import { sitePages, type SitePage } from './site';

/** A kind and its routes, as the generated code names them. */
export interface MountedKind {
  kind: KindDefinition;
  routes: (endpoints: ResourceEndpoints) => KindRoutes;
}

/** What a path's first segments lead to. */
interface Entry {
  kind: KindDefinition;
  routes: KindRoutes;
  /** Of each route, as metrics and logs name it. */
  names: { [part in keyof KindRoutes]-?: string };
  urlVersion: string | undefined;
  notices: { [version: string]: DeprecationNotice } | undefined;
}

/** Everything that is served: the pages by their whole path, the kinds by the start of theirs. */
interface Routes {
  pages: Map<string, SitePage>;
  entries: Map<string, Entry>;
}

/**
 * Mounts every route of the service on the app, behind the user's own middleware: one handler that finds
 * the kind in a Map, so that a request costs the same with 500 kinds as with one. What no route answers is 404,
 * what is thrown becomes a problem answer. `openapi` reads the document, once somebody asks for it.
 */
export function mount(app: Express, service: Service, kinds: MountedKind[], openapi: () => object): void {
  // Express' own ETag, parser and banner would be paid for on every request and are not used.
  app.disable('etag').disable('x-powered-by').set('query parser', false);
  service.events.kinds.tell(kinds.map(({ kind }) => kind));
  useRoutes(app, dispatcher(service, routesOf(service, kinds, openapi)));
  const onError: ErrorRequestHandler = (error, req, res, _next) => fail(service, req, res, error);
  app.use(onError);
}

function routesOf(service: Service, kinds: MountedKind[], openapi: () => object): Routes {
  const definitions = kinds.map(({ kind }) => kind);
  const pages = sitePages(service, definitions, openapi as () => JsonObject);
  return { pages, entries: entriesOf(service, kinds) };
}

/**
 * The method and the path of every route that is served, such as `GET /devices/{uid}`; HEAD, which is served with GET, and
 * OPTIONS are not named.
 */
export function servedRoutes(service: Service, kinds: MountedKind[]): string[] {
  const { pages, entries } = routesOf(service, kinds, () => ({}));
  const ofKinds = [...entries.values()].flatMap(({ routes, names }) =>
    (Object.keys(routes) as (keyof KindRoutes)[]).flatMap((route) =>
      Object.keys(routes[route] ?? {}).map((method) => `${method} ${names[route]}`),
    ),
  );
  return [...ofKinds, ...[...pages].map(([path, { method }]) => `${method} ${path}`)];
}

function dispatcher(service: Service, routes: Routes): RequestHandler {
  return (req, res) => {
    if (service.draining) res.setHeader('Connection', 'close');
    try {
      const answered = answer(routes, req, res);
      if (answered instanceof Promise) answered.catch((error: unknown) => fail(service, req, res, error));
    } catch (error) {
      fail(service, req, res, error);
    }
  };
}

function fail(service: Service, req: Request, res: Response, error: unknown): void {
  // An HttpProblem is an answer that was meant, such as that of /readyz during a stop.
  if (!(error instanceof HttpProblem) && asProblem(error).status >= 500)
    service.logger.error({ err: error, ...identityOf(req), method: req.method, url: req.url }, 'failed');
  sendProblem(req, res, error);
}

/** `/<plural>` and `/apis/<group>/<version>/<plural>` of every kind and version. */
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
    for (const version of kind.servedVersions) add(`apis/${kind.group}/${version}/${kind.plural}`, version);
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

/** What the service as a whole can do (RFC 9110, section 9.3.7). */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

function answer({ pages, entries }: Routes, req: Request, res: Response): void | Promise<void> {
  const { path, query } = requestTarget(req.url);
  const segments = segmentsOf(path);
  const depth = segments[0] === 'apis' ? 4 : 1;
  const entry = entries.get(depth === 1 ? segments[0] : segments.slice(0, depth).join('/'));
  const page = entry === undefined ? pages.get(path) : undefined;
  if (page !== undefined) {
    setRoute(res, path);
    return page.answer(req, res);
  }
  const route = routeOf(segments.length - depth, segments[depth + 1]);
  const methods = route && entry?.routes[route];
  if (entry === undefined || route === undefined || methods === undefined) {
    setRoute(res, NO_ROUTE);
    if (path === '*' && req.method === 'OPTIONS') return sendEmpty(res, 204, { Allow: METHODS });
    throw new HttpProblem(404, 'There is nothing at this address.');
  }
  setRoute(res, entry.names[route]);
  const { kind, urlVersion, notices } = entry;
  const call: Call = { req, res, kind, urlVersion, uid: '', versionId: '', query, notices, warnings: [] };
  if (notices !== undefined && urlVersion !== undefined) tellDeprecation(call, urlVersion);
  const handler = handlerOf(methods, req, res);
  if (handler === undefined) return;
  call.uid = decoded(segments[depth]);
  call.versionId = decoded(segments[depth + 2]);
  return handler(call);
}

/** The segments of a path as they are written; one slash at the end counts for nothing. */
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
 * The name in a segment, percent-decoded. The other segments are not: middleware that is mounted on a path
 * compares it as it is written, and must not be gone around by writing it in another way.
 */
function decoded(segment = ''): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new HttpProblem(400, 'The path has a malformed percent-encoding.');
  }
}

/** Which of a kind's routes this many segments behind the collection's name lead to. */
function routeOf(length: number, part: string | undefined): keyof KindRoutes | undefined {
  if (length === 0) return 'collection';
  if (length === 1) return 'item';
  if (length === 2 && part === 'status') return 'status';
  if (part !== 'versions' || length > 3) return undefined;
  return length === 2 ? 'versions' : 'version';
}

/** The handler of the request's method; OPTIONS is answered here. Throws HttpProblem 405 with `Allow`. */
function handlerOf(methods: MethodTable, req: Request, res: Response): Handler | undefined {
  const method = req.method === 'HEAD' ? 'GET' : req.method;
  const handler = Object.hasOwn(methods, method) ? methods[method as keyof MethodTable] : undefined;
  if (handler !== undefined) return handler;
  const allowed = Object.keys(methods).flatMap((name) => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
  const headers: { [name: string]: string } = { Allow: [...allowed, 'OPTIONS'].join(', ') };
  if (method !== 'OPTIONS')
    throw new HttpProblem(405, `The method ${req.method} is not allowed here.`, { headers });
  if (methods.PATCH !== undefined) headers['Accept-Patch'] = PATCH_MEDIA_TYPES.join(', ');
  sendEmpty(res, 204, headers);
  return undefined;
}
