import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';
import { noteRequest } from './concurrency/large-work';
import { waitInPipeline } from './http/connections';
import { type Fail, useRoutes } from './http/direct-routes';
import { logFailure } from './http/observer';
import { pathOf } from './http/request/request-target';
import { cutOff } from './http/responses/cut-off';
import { sendProblem } from './http/responses/respond';
import { gateOf } from './http/security/gate';
import { settleHooks } from './model/kinds/hooks';
import { dispatch } from './routing/dispatch';
import { type MountedKind, type Routes, routesOf, treeOf } from './routing/routes';
import type { Service } from './service/service';

export { servedRoutes, type MountedKind } from './routing/routes';

/**
 * Mounts every route of the service on the app, behind the user's own middleware. One handler finds the kind in a Map, so a
 * request costs the same with 500 kinds as with one. Unknown routes get 404, and thrown errors become problem responses. Throws an
 * Error for a kind's own file whose exports nothing calls. `openapi` reads the document on its first request.
 */
export function mount(app: Express, service: Service, kinds: MountedKind[], openapi: () => object): void {
  // Express' own ETag and banner are not used, but would cost time on every request.
  app.disable('etag').disable('x-powered-by');
  const definitions = kinds.map(({ kind }) => kind);
  settleHooks(definitions, service.settings.HOOK_TIMEOUT_MS);
  service.kinds.announce(definitions);
  const routes = routesOf(service, kinds, openapi);
  const failed: Fail = (req, res, error) => {
    // Nobody would catch what is thrown here. The members of what user-owned code throws may throw in turn.
    for (const reported of [error, UNREADABLE]) {
      try {
        const tree = treeOf(routes, pathOf(req));
        return tree === undefined ? fail(service, req, res, reported) : tree.fail(req, res, reported);
      } catch {
        // The next one is simpler.
      }
    }
    cutOff(req, res);
  };
  useRoutes(app, gateOf(service.settings), dispatcher(routes, service, failed), failed);
  const onError: ErrorRequestHandler = (error, req, res, _next) => failed(req, res, error);
  app.use(onError);
}

/** Reported in place of a thrown value that cannot be read. */
const UNREADABLE = new Error('the thrown value cannot be read');

function dispatcher(routes: Routes, service: Service, failed: Fail): RequestHandler {
  return (req, res) => {
    noteRequest();
    if (service.draining) res.setHeader('Connection', 'close');
    try {
      const waiting = waitInPipeline(req, res);
      const handled =
        waiting === undefined ? dispatch(routes, req, res) : waiting.then(() => dispatch(routes, req, res));
      if (handled instanceof Promise) handled.catch((error: unknown) => failed(req, res, error));
    } catch (error) {
      failed(req, res, error);
    }
  };
}

function fail(service: Service, req: Request, res: Response, error: unknown): void {
  logFailure(service.logger, req, error);
  sendProblem(req, res, error);
}
