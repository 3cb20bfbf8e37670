import type { Request, Response } from 'express';
import { type DeprecationNotice, deprecationNotices } from '../api/request/deprecation';
import { logFailure, setRoute } from '../http/observer';
import { parseQuery } from '../http/request/query';
import { requestTarget } from '../http/request/request-target';
import { servedAs, type Tree, withHead } from '../http/responses/page';
import type { Guard } from '../http/security/guard';
import type { KindDefinition } from '../model/kinds/kind';
import { discoveryPages } from './discovery/pages';
import { type Face, type KubernetesContext, type KubernetesHandler, ROOT, type Subject } from './face/face';
import { checkForm } from './objects/send-object';
import { openApiPages } from './openapi/pages';
import { KubernetesProblem, unknownPath } from './status/problem';
import { sendFailure } from './status/status';
import { VERBS, type Verbs } from './verbs';

/** A kind in one version, with the place of its objects. */
interface Place {
  kind: KindDefinition;
  version: string;
  notice: DeprecationNotice | undefined;
}

/** The target of a path below the kinds. */
interface Target {
  place: Place;
  part: keyof Verbs;
  name: string;
  /** The name of the route in metrics and logs. */
  route: string;
}

/** Returns the handler of every path of the API for Kubernetes clients. */
export function kubernetesTree(face: Face): Tree {
  const pages = new Map([...discoveryPages(face), ...openApiPages(face)]);
  const places = placesOf(face);
  const failed = (req: Request, res: Response, error: unknown, subject: Subject): void => {
    logFailure(face.service.logger, req, error);
    sendFailure(req, res, error, subject);
  };
  return {
    async answer(req, res, guard) {
      const subject: Subject = {};
      try {
        await answer({ face, pages, places, guard }, { req, res }, subject);
      } catch (error) {
        failed(req, res, error, subject);
      }
    },
    fail: (req, res, error) => failed(req, res, error, {}),
  };
}

interface Served {
  face: Face;
  pages: ReturnType<typeof discoveryPages>;
  places: ReadonlyMap<string, Place>;
  guard: Guard;
}

function answer(
  { face, pages, places, guard }: Served,
  { req, res }: { req: Request; res: Response },
  subject: Subject,
): void | Promise<void> {
  const { path, query } = requestTarget(req.url);
  const pagePath = withoutSlash(path);
  const page = pages.get(pagePath);
  if (page !== undefined) {
    setRoute(res, pagePath);
    if (servedAs(req.method) !== 'GET') throw notAllowed(['GET']);
    return page(req, res);
  }
  const target = targetOf(places, path);
  guard(req);
  refuseImpersonation(req);
  if (target === undefined) throw unknownPath();
  const { name, part, route } = target;
  const { kind, version, notice } = target.place;
  setRoute(res, route);
  subject.kind = kind;
  subject.name = name;
  const handler = handlerOf(part, req.method);
  const context: KubernetesContext = {
    ...face,
    req,
    res,
    kind,
    query,
    uidOrName: name,
    versionId: '',
    urlVersion: version,
    parameters: parseQuery(query),
    subject,
    warnings: notice === undefined ? [] : [notice.warning],
  };
  subject.warnings = context.warnings;
  // Before anything is written: a refusal afterwards would deny the write.
  checkForm(context);
  return handler(context);
}

/** Throws a problem 403 for a request in another name, as of `kubectl --as`: it would have the rights of its caller. */
function refuseImpersonation({ headers }: Request): void {
  const { 'impersonate-user': user } = headers;
  if (user === undefined) return;
  const name = String(user);
  throw new KubernetesProblem(
    403,
    `users ${JSON.stringify(name)} is forbidden: this service does not impersonate`,
    { name, kind: 'users' },
  );
}

/** Returns the path of a page without the slash at its end, which some clients put there. */
function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path;
}

function placesOf({ service, kinds }: Face): Map<string, Place> {
  return new Map(
    kinds.flatMap((kind) => {
      const notices = deprecationNotices(service.definition.groups.find(({ name }) => name === kind.group));
      return kind.servedVersions.map((version): [string, Place] => [
        `/${ROOT}/apis/${kind.group}/${version}/${kind.plural}`,
        { kind, version, notice: notices?.[version] },
      ]);
    }),
  );
}

/** Returns the target of a path such as `/k8s/apis/<group>/<version>/<plural>/<name>/status`. */
function targetOf(places: ReadonlyMap<string, Place>, path: string): Target | undefined {
  const end = endOfCollection(path);
  const start = path.slice(0, end);
  const place = places.get(start);
  if (place === undefined) return undefined;
  const [name, part, ...rest] = path.slice(end + 1).split('/');
  if (name === '') return part === undefined ? { place, part: 'collection', name, route: start } : undefined;
  if (part === undefined) return { place, part: 'item', name, route: `${start}/{name}` };
  if (part !== 'status' || rest.length > 0) return undefined;
  return { place, part, name, route: `${start}/{name}/status` };
}

/** Returns the length of `/k8s/apis/<group>/<version>/<plural>` at the start of a path. */
function endOfCollection(path: string): number {
  let end = 0;
  for (let segment = 0; segment < 5 && end >= 0; segment++) end = path.indexOf('/', end + 1);
  return end < 0 ? path.length : end;
}

function handlerOf(part: keyof Verbs, method: string): KubernetesHandler {
  const verbs = VERBS[part];
  const served = servedAs(method);
  if (!Object.hasOwn(verbs, served)) throw notAllowed(Object.keys(verbs));
  return verbs[served];
}

/** Returns the problem of a method that is none of these. */
function notAllowed(methods: readonly string[]): KubernetesProblem {
  return new KubernetesProblem(
    405,
    'the server does not allow this method on the requested resource',
    {},
    { headers: { Allow: withHead(methods).join(', ') } },
  );
}
