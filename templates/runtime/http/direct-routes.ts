import type { RequestListener } from 'node:http';
import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { sendProblem } from './responses/respond';
import type { Gate } from './security/gate';

/** An entry of an app's stack, as Express 5 stores it. */
interface Layer {
  handle: RequestHandler;
  /** True for an entry of every path. */
  slash: boolean;
  route?: unknown;
  /** Calls a handler; an error that it throws or rejects with goes to `next`. */
  handleRequest(req: Request, res: Response, next: NextFunction): void;
}

/** Sends the response to a request that an error ends. */
export type Fail = (req: Request, res: Response, error: unknown) => void;

/** The entries of the routes in an app. */
interface Mounted {
  /** The first entry of all. */
  goOn: RequestHandler;
  handler: RequestHandler;
  fail: Fail;
  /** Results of middleware that did not simply call `next()`; the app continues from there. */
  said: WeakMap<Request, unknown>;
}

const mountedIn = new WeakMap<object, Mounted>();

/**
 * Puts the handler of all routes behind everything that the app has already, and the gate in front of it. So an app
 * need not be served by a server of ours. `fail` responds to the requests that the gate refuses before they reach the app.
 */
export function useRoutes(app: Express, gate: Gate, handler: RequestHandler, fail: Fail): void {
  const said: Mounted['said'] = new WeakMap();
  const goOn: RequestHandler = (req, _res, next) => {
    gate(req);
    next(said.get(req));
  };
  app.use(goOn);
  const { stack } = app.router;
  stack.unshift(stack.pop()!);
  app.use(handler);
  mountedIn.set(app, { goOn, handler, fail, said });
}

/** Returns how the routes of an app respond to errors, for a request that does not reach the app. */
export function failOf(app: Express): Fail {
  return mountedIn.get(app)?.fail ?? sendProblem;
}

/**
 * Returns the listener that a server calls for each request: the app. Where only middleware for every path precedes the
 * routes, the listener calls it and then the routes itself: the way through the layers of Express costs a fifth of a
 * GET. All handlers see the same requests and responses; an error that middleware passes on gets to the app's error
 * handlers.
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
    if (inFront === undefined) return void app(req, res);
    const layers = inFront;
    let index = 0;
    const next = (error?: unknown): void => {
      if (error && error !== 'route') {
        mounted.said.set(req, error);
        app(req, res);
      } else if (index < layers.length) layers[index++].handleRequest(req, res, next);
      else void mounted.handler(req, res, next);
    };
    prepare(req, res, next);
    next();
  };
}

/** Returns the middleware in front of the routes; undefined where there is anything else. */
function middlewareOf(stack: Layer[], { goOn, handler }: Mounted): Layer[] | undefined {
  const routes = stack.findIndex(({ handle }) => handle === handler);
  // Tracers wrap the handlers of the app.
  if (stack[0]?.handle !== goOn || routes < 0) return undefined;
  const layers = stack.slice(1, routes);
  const isForAll = ({ handle, slash, route }: Layer): boolean =>
    slash && route === undefined && handle.length <= 3;
  return layers.every(isForAll) ? layers : undefined;
}

/** Sets what Express sets before it calls the first handler. */
function prepare(req: Request, res: Response, next: NextFunction): void {
  req.res = res;
  req.next = next;
  res.locals ??= Object.create(null) as Response['locals'];
  req.originalUrl = req.url;
  req.baseUrl = '';
  req.params = {};
}
