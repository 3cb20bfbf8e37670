import type { RequestListener } from 'node:http';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';

/** What stands in an app, as Express 5 keeps it. */
interface Layer {
  handle: RequestHandler;
  /** Whether it is for every path. */
  slash: boolean;
  route?: unknown;
  /** Calls a handler; what it throws or rejects with goes to `next`. */
  handleRequest(req: Request, res: Response, next: NextFunction): void;
}

/** How the routes stand in an app. */
interface Mounted {
  /** The first of all. */
  goOn: RequestHandler;
  handler: RequestHandler;
  /** What middleware said in place of "go on"; the app goes on from there. */
  said: WeakMap<Request, unknown>;
}

const mountedIn = new WeakMap<object, Mounted>();

/** Puts the handler of all routes into the app, behind what stands in it already. */
export function useRoutes(app: Express, handler: RequestHandler): void {
  const said: Mounted['said'] = new WeakMap();
  const goOn: RequestHandler = (req, _res, next) => next(said.get(req));
  app.use(goOn);
  const { stack } = app.router;
  stack.unshift(stack.pop()!);
  app.use(handler);
  mountedIn.set(app, { goOn, handler, said });
}

/**
 * What a server calls for each request: the app. Where nothing stands in front of the routes but middleware for every path,
 * it is called, and then the routes, without asking Express, whose way through its layers costs a fifth of a GET. All of them
 * see the same requests and responses; an error that middleware hands on gets to the app's handlers of errors.
 */
export function listenerOf(app: Express): RequestListener {
  const mounted = mountedIn.get(app);
  if (mounted === undefined) return app;
  const stack = app.router.stack as unknown as Layer[];
  let inFront = middlewareOf(stack, mounted);
  let length = stack.length;
  return (request, response) => {
    const req = request as Request;
    const res = response as Response;
    if (stack.length !== length) {
      inFront = middlewareOf(stack, mounted);
      length = stack.length;
    }
    if (inFront === undefined) return app(req, res);
    const layers = inFront;
    let index = 0;
    const next = (error?: unknown): void => {
      if (error && error !== 'route') {
        mounted.said.set(req, error);
        app(req, res);
      } else if (index < layers.length) layers[index++]!.handleRequest(req, res, next);
      else void mounted.handler(req, res, next);
    };
    prepare(req, res, next);
    next();
  };
}

/** The middleware in front of the routes; undefined where there is something else. */
function middlewareOf(stack: Layer[], { goOn, handler }: Mounted): Layer[] | undefined {
  const routes = stack.findIndex(({ handle }) => handle === handler);
  // Tracers put handlers of their own around those of the app.
  if (stack[0]?.handle !== goOn || routes < 0) return undefined;
  const layers = stack.slice(1, routes);
  const isForAll = ({ handle, slash, route }: Layer): boolean =>
    slash && route === undefined && handle.length <= 3;
  return layers.every(isForAll) ? layers : undefined;
}

/** What Express sets before it calls the first handler. */
function prepare(req: Request, res: Response, next: NextFunction): void {
  req.res = res;
  req.next = next;
  res.locals ??= Object.create(null) as Response['locals'];
  req.originalUrl = req.url;
  req.baseUrl = '';
  req.params = {};
}
