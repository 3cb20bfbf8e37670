import type { RequestListener } from 'node:http';
import type { Express, Request, RequestHandler, Response } from 'express';

const handlers = new WeakMap<object, RequestHandler>();

/** Puts the handler of all routes into the app, behind what stands in it already. */
export function useRoutes(app: Express, handler: RequestHandler): void {
  handlers.set(app, handler);
  app.use(handler);
}

/**
 * What a server calls for each request: the app. Where the routes are the first that stands in it, they are called without
 * asking Express, whose way to the only handler there is costs a tenth of a GET. They see the same requests and responses.
 */
export function listenerOf(app: Express): RequestListener {
  const handler = handlers.get(app);
  const stack = (app as Partial<Express>).router?.stack;
  if (handler === undefined || stack === undefined) return app;
  return (req, res) => {
    if (stack[0]?.handle !== handler) return app(req, res);
    prepare(req as Request, res as Response);
    void handler(req as Request, res as Response, () => undefined);
  };
}

/** What Express sets before it calls the first handler. */
function prepare(req: Request, res: Response): void {
  req.res = res;
  res.locals ??= Object.create(null) as Response['locals'];
  req.originalUrl = req.url;
  req.baseUrl = '';
  req.params = {};
}
