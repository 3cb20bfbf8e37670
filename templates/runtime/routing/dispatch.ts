import type { Request, Response } from 'express';
import type { KindRoutes } from '../api/endpoints';
import type { Handler, MethodTable, RequestContext } from '../api/request/request-context';
import { NO_ROUTE, setRoute } from '../http/observer';
import { requestTarget } from '../http/request/request-target';
import { respondToMethod, servedAs } from '../http/responses/page';
import { sendEmpty } from '../http/responses/respond';
import { isOpenPage } from '../http/security/guard';
import { HttpProblem } from '../model/problem';
import { PATCH_MEDIA_TYPES } from '../patch/apply-patch';
import { ANY_VERSION, type Entry, type Routes, treeOf, unregisteredVersion } from './routes';

/** Responds to a request. Throws HttpProblem. */
export function dispatch(routes: Routes, req: Request, res: Response): void | Promise<void> {
  const { guard, pages } = routes;
  const { path, query } = requestTarget(req.url);
  const tree = treeOf(routes, path);
  if (tree !== undefined) return tree.answer(req, res, guard);
  const place = placeOf(routes, path);
  const { entry, route } = place;
  const page = entry === undefined ? pages.get(path) : undefined;
  if (page !== undefined) {
    setRoute(res, path);
    if (!isOpenPage(path)) guard(req);
    return page.answer(req, res);
  }
  const methods = route && entry?.routes[route];
  if (entry === undefined || route === undefined || methods === undefined) {
    setRoute(res, NO_ROUTE);
    if (path === '*' && req.method === 'OPTIONS') return sendEmpty(res, 204, { Allow: METHODS });
    throw place.unregistered ?? new HttpProblem(404, 'There is nothing at this path.');
  }
  setRoute(res, entry.names[route]);
  guard(req);
  const context = contextOf(entry, place, query, { req, res });
  const handler = handlerOf(methods, req.method);
  if (handler !== undefined) return handler(withNames(context, place));
  if (place.unregistered !== undefined) throw place.unregistered;
  const patchTypes = methods.PATCH && { 'Accept-Patch': PATCH_MEDIA_TYPES.join(', ') };
  return respondToMethod(Object.keys(methods), req, res, patchTypes);
}

/** Methods of the service as a whole (RFC 9110, section 9.3.7). */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** The route that a path names, if it is one of a kind. */
interface Place {
  segments: string[];
  /** The number of segments up to the name of the collection. */
  depth: number;
  /** The kind; undefined where no path of a kind begins like this. */
  entry: Entry | undefined;
  route: keyof KindRoutes | undefined;
  urlVersion: string | undefined;
  /** The problem of a version that the group does not have; a handler may say more about it. */
  unregistered: HttpProblem | undefined;
}

function placeOf({ entries, versions }: Routes, path: string): Place {
  const segments = segmentsOf(path);
  const isLong = segments[0] === 'apis';
  const depth = isLong ? 4 : 1;
  const [, group = '', version = ''] = segments;
  const unregistered = isLong ? unregisteredVersion(versions, group, version) : undefined;
  if (unregistered !== undefined) segments[2] = ANY_VERSION;
  const entry = entries.get(isLong ? segments.slice(0, depth).join('/') : segments[0]);
  const route = routeOf(segments.length - depth, segments[depth + 1]);
  const urlVersion = unregistered === undefined ? entry?.urlVersion : version;
  return { segments, depth, entry, route, urlVersion, unregistered };
}

/** Returns the context of a request, and warns the client of a deprecated version. */
function contextOf(
  { kind, onVersion }: Entry,
  { urlVersion, unregistered }: Place,
  query: string,
  { req, res }: Pick<RequestContext, 'req' | 'res'>,
): RequestContext {
  const names = { uidOrName: '', versionId: '' };
  const context: RequestContext = { req, res, kind, urlVersion, ...names, query, onVersion, warnings: [] };
  if (urlVersion !== undefined && unregistered === undefined) onVersion?.(context, urlVersion);
  return context;
}

/** Sets the names in the path of a request. Throws HttpProblem 400 where they cannot be decoded. */
function withNames(context: RequestContext, { segments, depth }: Place): RequestContext {
  context.uidOrName = decoded(segments[depth]);
  context.versionId = decoded(segments[depth + 2]);
  return context;
}

function handlerOf(methods: MethodTable, method: string): Handler | undefined {
  const served = servedAs(method);
  return Object.hasOwn(methods, served) ? methods[served as keyof MethodTable] : undefined;
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
