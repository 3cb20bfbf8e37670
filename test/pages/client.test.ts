import { join } from 'node:path';
import type { Express } from 'express';
import type { Browser } from 'playwright-core';
import ts from 'typescript';
import { loadProject } from '../../src/load/load-project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';
import { setActor } from '../../templates/runtime/http/security/actor';
import { create, MERGE, send } from '../runtime/support/client';
import { startService, type TestService } from '../runtime/support/harness';
import { open, startBrowser } from './browser';
import { startProject } from './service';

// The generated client in Chromium, as the modules that a compiler makes of it: from the service's own page, and from
// the page of another host.

const DEMO = 'examples/device-service';

let browser: Browser;
let service: TestService;
let elsewhere: TestService;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startProject(DEMO, { middleware: (app) => (serveModules(app), letOthersIn(app)) });
  elsewhere = await startProject('fixtures/empty', { middleware: serveModules });
});
afterAll(async () => {
  await browser.close();
  await service.close();
  await elsewhere.close();
});

/** The client as modules below `/client`, and a page that may run them. */
function serveModules(app: Express): void {
  const { project } = loadProject(join(__dirname, '../..', DEMO));
  const folder = 'src/generated/client/';
  const modules = new Map(
    render(plannedProject(project))
      .filter(({ path }) => path.startsWith(folder))
      .map(({ path, text }) => [path.slice(folder.length, -'.ts'.length), asModule(text)]),
  );
  app.get('/client/:name', (req, res) => void res.type('js').send(modules.get(req.params.name)));
  app.get(
    '/blank',
    (_req, res) => void res.type('html').send('<!doctype html><link rel="icon" href="data:,">'),
  );
}

function asModule(text: string): string {
  const { ES2022 } = ts.ModuleKind;
  return ts.transpileModule(text, { compilerOptions: { module: ES2022, target: ts.ScriptTarget.ES2022 } })
    .outputText;
}

/** Sends the headers that docs/client.md demands for pages of other hosts. */
function letOthersIn(app: Express): void {
  app.use((req, res, next) => {
    res.set({
      'Access-Control-Allow-Origin': req.headers.origin ?? '*',
      'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID',
      'Access-Control-Expose-Headers': 'ETag, Link, Retry-After, Warning, X-Request-Id',
    });
    if (req.method === 'OPTIONS' && req.headers['access-control-request-method']) res.status(204).end();
    else next();
  });
}

/** Program of the page; it returns its observations. */
const PROGRAM = `async (baseUrl) => {
  const { createClient, mergePatch, jsonPatch, shorthand, ApiError } = await import('/client/index');
  const client = createClient({ baseUrl });
  const events = client.events({ lastEventId: '0', version: 'v2beta1' })[Symbol.asyncIterator]();
  const device = await client.devices.create({ spec: { name: 'lamp', location: 'hall' } });
  const { uid } = device.metadata;
  const isCached = (await client.devices.get(uid, { cached: device })) === device;
  let calls = 0;
  const updated = await client.devices.update(uid, async ({ spec }) => {
    calls += 1;
    if (calls === 1) await client.devices.patch(uid, mergePatch({ spec: { model: 'x' } }));
    spec.location = 'attic';
  });
  await client.devices.patch(uid, jsonPatch([{ op: 'test', path: '/spec/model', value: 'x' }]), { ifMatch: updated });
  const newer = await client.apis['example.svc.dev'].v2beta1.devices.patch(uid, shorthand({ 'spec.timeoutSeconds': 2 }));
  const refused = await client.devices.replace(uid, device, { ifMatch: device }).catch((error) => error);
  const invalid = await client.devices.create({ spec: { name: 'lamp' } }).catch((error) => error);
  await client.devices.create({ spec: { name: 'second', location: 'hall' } }, { idempotencyKey: uid });
  const names = [];
  for await (const { spec } of client.devices.items({ limit: 1 })) names.push(spec.name);
  const { value } = await events.next();
  await events.return();
  return {
    isCached, calls, names,
    spec: updated.spec, newer: newer.spec,
    refused: [refused instanceof ApiError, refused.status],
    invalid: invalid.problem.errors.map(({ pointer }) => pointer),
    event: value.data.resource.spec,
  };
}`;

test.each([
  ['of the service itself', () => [service.url, '']],
  ['of another host', () => [elsewhere.url, service.url]],
])('in a page %s', async (_title, places) => {
  const [origin = '', baseUrl] = places();
  const { page } = await open(browser, `${origin}/blank`);
  expect(await page.evaluate(`(${PROGRAM})(${JSON.stringify(baseUrl)})`)).toEqual({
    isCached: true,
    calls: 2,
    names: expect.arrayContaining(['lamp', 'second']) as string[],
    spec: { name: 'lamp', location: 'attic', model: 'x' },
    newer: { name: 'lamp', site: 'attic', model: 'x', timeoutSeconds: 2 },
    refused: [true, 412],
    invalid: ['#/spec/location'],
    event: { name: 'lamp', site: 'hall' },
  });
});

/** Program of the page: without a token, then with one that the client asks for. */
const SIGNED_IN = `async (baseUrl) => {
  const { createClient } = await import('/client/index');
  const refused = await createClient({ baseUrl }).devices.list().catch(({ status }) => status);
  let asked = 0;
  const headers = async () => ({ Authorization: \`Bearer secret-\${++asked}\` });
  const client = createClient({ baseUrl, headers });
  const events = client.events({ lastEventId: '0' })[Symbol.asyncIterator]();
  const next = events.next();
  const { metadata } = await client.devices.create({ spec: { name: 'lamp', location: 'hall' } });
  const { value } = await next;
  await events.return();
  const listed = await client.devices.list();
  return { refused, asked, event: value.data.resource.metadata.uid === metadata.uid, listed: listed.length };
}`;

test.each([['of the service itself'], ['of another host']])(
  'a token for each request lets in a page %s',
  async (title) => {
    const { project } = loadProject(join(__dirname, '../..', DEMO));
    const tokens: string[] = [];
    const secured = await startService(
      { ...project, security: [{ type: 'bearer' }] },
      {
        middleware: (app) => {
          serveModules(app);
          letOthersIn(app);
          app.use((req, _res, next) => {
            const [, token] = /^Bearer (secret-\d)$/.exec(req.headers.authorization ?? '') ?? [];
            if (token !== undefined && tokens.push(token) > 0) setActor(req, 'ann');
            next();
          });
        },
      },
    );
    const { page } = await open(
      browser,
      `${title === 'of another host' ? elsewhere.url : secured.url}/blank`,
    );
    const seen = await page.evaluate(`(${SIGNED_IN})(${JSON.stringify(secured.url)})`);
    // The first two requests are under way at once.
    expect({ seen, tokens: tokens.sort() }).toEqual({
      seen: { refused: 401, asked: 3, event: true, listed: 1 },
      tokens: ['secret-1', 'secret-2', 'secret-3'],
    });
    await secured.close();
  },
);

/** Program of the page: it reads a resource and its list. */
const READ = `async (uid) => {
  const { createClient } = await import('/client/index');
  const { devices } = createClient({ baseUrl: '' });
  return [(await devices.get(uid)).spec.location, (await devices.list())[0].spec.location];
}`;

/** Updates the resource. */
const UPDATE = `async (uid) => {
  const { createClient } = await import('/client/index');
  let tries = 0;
  const { spec } = await createClient({ baseUrl: '' }).devices.update(uid, ({ spec }) => {
    tries += 1;
    spec.model = 'x';
  });
  return { tries, location: spec.location };
}`;

test('the cache of the browser never gives the client a stale resource, however long it may keep one', async () => {
  const { project } = loadProject(join(__dirname, '../..', DEMO));
  const cached = await startService(
    { ...project, cacheControl: 'private, max-age=3600' },
    { middleware: serveModules },
  );
  const { path, resource } = await create(cached.port, '/devices', { name: 'lamp', location: 'hall' });
  const { page } = await open(browser, `${cached.url}/blank`);
  const run = (program: string): Promise<unknown> =>
    page.evaluate(`(${program})('${resource.metadata.uid}')`);
  expect(await run(READ)).toEqual(['hall', 'hall']);
  await send(cached.port, 'PATCH', path, { headers: MERGE, body: { spec: { location: 'cellar' } } });
  expect(await run(READ)).toEqual(['cellar', 'cellar']);
  await send(cached.port, 'PATCH', path, { headers: MERGE, body: { spec: { location: 'attic' } } });
  expect(await run(UPDATE)).toEqual({ tries: 1, location: 'attic' });
  await cached.close();
});
