import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import { listenerOf, useRoutes } from '../../templates/runtime/direct-routes';
import { createTypedServer } from '../../templates/runtime/server';
import { readSettings } from '../../templates/runtime/settings';

const settings = readSettings({});
const closing: (() => void)[] = [];

afterEach(() => closing.splice(0).forEach((close) => close()));

async function answerOf(app: Express): Promise<unknown> {
  const server = createTypedServer(app, settings).listen(0, '127.0.0.1');
  closing.push(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/devices/1?limit=2`, {
    headers: { connection: 'close' },
  });
  return response.json();
}

/** What a handler can see of Express. */
const tell = (req: Request, res: Response): void => {
  const { url, originalUrl, baseUrl, params, path, query, protocol, ip } = req;
  const own = { locals: { ...res.locals }, prototype: Object.getPrototypeOf(res.locals) as unknown };
  const same = [req.res === res, res.req === req, req.app === res.app, typeof req.app];
  const host = req.get('host')?.replace(/\d+$/, '');
  res.json({ url, originalUrl, baseUrl, params, path, query, protocol, ip, host, own, same });
};

test('the routes alone see what they see behind Express', async () => {
  const direct = express();
  useRoutes(direct, tell);
  expect(await answerOf(direct)).toEqual(await answerOf(express().use(tell)));
});

test('the app is asked where something stands in front, and only there', async () => {
  const mark: RequestHandler = (_req, res, next) => {
    res.locals['marked'] = true;
    next();
  };
  const isMarked: RequestHandler = (_req, res) => void res.json(res.locals['marked'] === true);
  const app = express();
  const asked = jest.spyOn(app.router, 'handle' as never);
  useRoutes(app, isMarked);
  expect(await answerOf(app)).toBe(false);
  expect(asked).not.toHaveBeenCalled();
  app.use(mark);
  app.router.stack.unshift(app.router.stack.pop()!);
  expect(await answerOf(app)).toBe(true);
  const inFront = express().use(mark);
  useRoutes(inFront, isMarked);
  expect(await answerOf(inFront)).toBe(true);
});

test('an app without routes of ours is its own listener', () => {
  const app = express();
  expect(listenerOf(app)).toBe(app);
});
