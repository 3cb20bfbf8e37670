import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { listenerOf, useRoutes } from '../../../templates/runtime/http/direct-routes';
import { sendProblem } from '../../../templates/runtime/http/responses/respond';
import { gateOf } from '../../../templates/runtime/http/security/gate';
import { createTypedServer } from '../../../templates/runtime/http/server';
import { readSettings } from '../../../templates/runtime/settings/settings';

const settings = readSettings({});
const gate = gateOf(settings);
const closing: (() => void)[] = [];

afterEach(() => closing.splice(0).forEach((close) => close()));

async function responseOf(app: Express): Promise<unknown> {
  return (await fetched(app)).json();
}

async function statusOf(app: Express): Promise<number> {
  const response = await fetched(app);
  await response.arrayBuffer();
  return response.status;
}

async function fetched(app: Express): Promise<globalThis.Response> {
  const server = createTypedServer(app, settings).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}/devices/1?limit=2`, { headers: { connection: 'close' } });
}

/** Sends the members of Express that a handler can see. */
const tell = (req: Request, res: Response): void => {
  const { url, originalUrl, baseUrl, params, path, query, protocol, ip } = req;
  const own = { locals: { ...res.locals }, prototype: Object.getPrototypeOf(res.locals) as unknown };
  const same = [req.res === res, res.req === req, req.app === res.app, typeof req.app];
  const host = req.get('host')?.replace(/\d+$/, '');
  res.json({ url, originalUrl, baseUrl, params, path, query, protocol, ip, host, own, same });
};

test.each([0, 1])(
  'the routes see what they see behind Express, with %s middlewares in front',
  async (number) => {
    const inFront = Array<RequestHandler>(number).fill(mark);
    const direct = express();
    for (const middleware of inFront) direct.use(middleware);
    useRoutes(direct, gate, tell, sendProblem);
    expect(await responseOf(direct)).toEqual(await responseOf(express().use([...inFront, tell])));
  },
);

const mark: RequestHandler = (_req, res, next) => {
  res.locals['marked'] = true;
  next();
};
const isMarked: RequestHandler = (_req, res) => void res.json(res.locals['marked'] === true);

/** An app with the routes behind what `putInFront` puts in front, and whether requests ask it. */
function appWith(putInFront: (app: Express) => void, routes = isMarked) {
  const app = express();
  putInFront(app);
  useRoutes(app, gate, routes, sendProblem);
  return { app, asked: jest.spyOn(app.router, 'handle' as never) };
}

test.each<[string, (app: Express) => void, boolean]>([
  ['nothing', () => undefined, false],
  ['middleware', (app) => app.use(mark), true],
  [
    'middleware that takes its time',
    (app) => app.use(async (_req, _res, next) => setImmediate(next), mark),
    true,
  ],
  ['a router for every path', (app) => app.use(express.Router().use(mark)), true],
])('the app is not asked where %s stands in front', async (_what, putInFront, marked) => {
  const { app, asked } = appWith(putInFront);
  expect(await responseOf(app)).toBe(marked);
  expect(asked).not.toHaveBeenCalled();
});

test.each<[string, (app: Express) => void, boolean]>([
  ['middleware of a path', (app) => app.use('/devices', mark), true],
  ['middleware of another path', (app) => app.use('/other', mark), false],
  ['a route', (app) => app.get('/devices/:uid', mark), true],
  [
    'a handler of errors',
    (app) => app.use(mark, ((error, _req, _res, next) => next(error)) as ErrorRequestHandler),
    true,
  ],
])('the app is asked where %s stands in front', async (_what, putInFront, marked) => {
  const { app, asked } = appWith(putInFront);
  expect(await responseOf(app)).toBe(marked);
  expect(asked).toHaveBeenCalled();
});

test('handlers that a tracer has put others around are called through the app', async () => {
  const { app, asked } = appWith((app) => app.use(mark));
  for (const layer of app.router.stack) {
    const { handle } = layer;
    layer.handle = (req, res, next) => {
      res.locals['traced'] = true;
      handle(req, res, next);
    };
  }
  expect(await responseOf(app)).toBe(true);
  expect(asked).toHaveBeenCalled();
});

test('what is put in front later stands there', async () => {
  const { app } = appWith(() => undefined);
  expect(await responseOf(app)).toBe(false);
  app.use(mark);
  app.router.stack.unshift(app.router.stack.pop()!);
  expect(await responseOf(app)).toBe(true);
});

test.each<[string, RequestHandler, unknown]>([
  ['hands on', (_req, _res, next) => next(new Error('no')), { seen: 1, error: 'no' }],
  [
    'throws',
    () => {
      throw new Error('no');
    },
    { seen: 1, error: 'no' },
  ],
  ['rejects with', () => Promise.reject(new Error('no')), { seen: 1, error: 'no' }],
  ['does not hand on', (_req, _res, next) => next('route'), true],
])(
  'an error that middleware %s gets to the handlers behind the routes, once',
  async (_how, failing, answer) => {
    let seen = 0;
    const count: RequestHandler = (_req, _res, next) => {
      seen++;
      next();
    };
    const { app } = appWith((app) => app.use(mark, count, failing));
    app.use(
      ((error, _req, res, _next) => void res.json({ seen, error: error.message })) as ErrorRequestHandler,
    );
    expect(await responseOf(app)).toEqual(answer);
  },
);

test('middleware that leaves the router is answered 404, as by Express', async () => {
  const { app } = appWith((app) => app.use((_req, _res, next) => next('router')));
  expect(await statusOf(app)).toBe(404);
});

test('an app without routes of ours is its own listener', () => {
  const app = express();
  expect(listenerOf(app)).toBe(app);
});
