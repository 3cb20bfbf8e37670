import { once } from 'node:events';
import {
  createServer,
  get,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import type { KindDefinition } from '../../../templates/runtime/model/kinds/kind';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { docsPages } from '../../../templates/runtime/pages/docs-pages';
import { landingPage } from '../../../templates/runtime/pages/landing';
import type { ServiceDefinition } from '../../../templates/runtime/service/definition';
import { serviceIndex } from '../../../templates/runtime/site/discovery';
import { documentPages } from '../../../templates/runtime/site/documents';
import { indexPages } from '../../../templates/runtime/site/site';
import { documentOf } from '../../openapi/document-of';
import { everything } from '../../openapi/openapi-projects';
import { serviceDefinition } from '../support/harness';

const definition: ServiceDefinition = { ...serviceDefinition(everything), name: 'a <b> & "c"' };
const kinds: KindDefinition[] = everything.groups[0].kinds.map(({ name, history, ...kind }) => ({
  ...kind,
  kind: name,
  history,
  storageVersion: 'v1',
  servedVersions: kind.versions.map(({ version }) => version),
  versions: {},
  hooks: {},
}));
const document = documentOf(everything);

const parts = [{ links: { docs: '/docs', metrics: '/metrics', events: '/events' } }];

let server: Server;

beforeAll(async () => {
  const pages = new Map(
    Object.entries({
      ...docsPages(definition),
      ...documentPages(definition, () => document),
      ...indexPages({ definition, parts }, kinds),
      '/': landingPage(serviceIndex({ definition, parts }, kinds), definition.groups),
    }),
  );
  const app = express().use((req, res) => {
    const page = pages.get(req.url);
    if (page === undefined) res.writeHead(404).end();
    else void page(req, res);
  });
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => promisify(server.close.bind(server))());

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('documents', () => {
  test('the whole one is the generated one', async () => {
    const { headers, body } = await request(url()).get('/openapi.json').expect(200);
    expect(headers['content-type']).toBe('application/json');
    expect(body).toEqual(document);
  });

  test.each(['v1', 'v2beta1'])('that of %s has its own paths and what they reach', async (version) => {
    const { body } = await request(url()).get(`/apis/example.svc.dev/${version}/openapi.json`).expect(200);
    const prefix = `/apis/example.svc.dev/${version}/`;
    const whole = Object.keys(document['paths'] as JsonObject);
    expect(Object.keys(body.paths)).toEqual(whole.filter((path) => path.startsWith(prefix)));
    const refs = new Set(
      Array.from(JSON.stringify(body).matchAll(/"\$ref":"#\/components\/([^"]+)"/g), ([, ref]) => ref),
    );
    const components = Object.entries(body.components).flatMap(([section, members]) =>
      Object.keys(members as JsonObject).map((name) => `${section}/${name}`),
    );
    expect(components.sort()).toEqual([...refs].sort());
    expect(body.info).toMatchObject({ title: `device-service: example.svc.dev/${version}`, version });
    expect(body.webhooks).toBeUndefined();
    for (const { name } of body.tags) expect(name).toMatch(new RegExp(`${version}$|service`));
  });
});

describe('static responses', () => {
  test('are compressed for clients that take it', async () => {
    const zipped = await raw('/openapi.json', { 'Accept-Encoding': 'br, gzip;q=0.5' });
    expect(zipped.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(zipped.headers['content-length']).toBe(String(zipped.body.length));
    expect(JSON.parse(gunzipSync(zipped.body).toString())).toEqual(document);
    for (const encoding of ['identity', 'gzip;q=0', 'br']) {
      const { headers } = await raw('/openapi.json', { 'Accept-Encoding': encoding });
      expect([encoding, headers['content-encoding']]).toEqual([encoding, undefined]);
    }
    expect(
      (await raw('/docs/favicon-32x32.png', { 'Accept-Encoding': 'gzip' })).headers['content-encoding'],
    ).toBeUndefined();
  });

  test('are 304 for a client that has them', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/swagger-ui.css', '/', '/apis']) {
      const { headers } = await raw(path, {});
      const again = await raw(path, { 'If-None-Match': `"x", ${headers['etag']}` });
      expect([path, again.status, again.body.length, again.headers['etag']]).toEqual([
        path,
        304,
        0,
        headers['etag'],
      ]);
    }
    expect((await raw('/docs', { 'If-None-Match': 'W/"x"' })).status).toBe(200);
  });

  test('have no body for HEAD', async () => {
    const { headers } = await request(url()).head('/docs/swagger-ui-bundle.js').expect(200);
    expect(Number(headers['content-length'])).toBeGreaterThan(100_000);
  });
});

describe('/docs', () => {
  test.each([
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/start.js', 'text/javascript; charset=utf-8'],
    ['/docs/page.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui-standalone-preset.js', 'text/javascript; charset=utf-8'],
  ])('%s is %s', async (path, type) => {
    const { headers } = await request(url()).get(path).expect(200);
    expect(headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-cache',
    });
  });

  test.each([
    '/docs/',
    '/docs/package.json',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/swagger-ui.css.map',
  ])('%s is nothing', async (path) => {
    expect((await raw(path, {})).status).toBe(404);
  });

  test('has no inline script or style, loads only what there is, and the policy forbids the rest', async () => {
    const { text, headers } = await request(url()).get('/docs');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|http/);
    expect(text).not.toMatch(/<style|style=|<script>| on\w+=/);
    const loaded = Array.from(text.matchAll(/(?:src|href)="([^"]+)"/g), ([, path]) => path);
    expect(loaded).toContain('./');
    for (const path of loaded)
      if (!path.startsWith('data:image/'))
        await request(url())
          .get(new URL(path, `${url()}/docs`).pathname)
          .expect(200);
  });

  test('offers every document', async () => {
    const { text } = await request(url()).get('/docs/start.js');
    const paths = Array.from(text.matchAll(/"url":"([^"]+)"/g), ([, path]) => path);
    expect(paths).toEqual([
      './apis/example.svc.dev/v1/openapi.json',
      './apis/example.svc.dev/v2beta1/openapi.json',
      './openapi.json',
    ]);
  });
});

describe('/', () => {
  const html =
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/json, text/html', 'application/json'],
    ['application/json;q=0.5, text/html', 'text/html; charset=utf-8'],
    ['text/html;q=0', 'application/json'],
    [html, 'text/html; charset=utf-8'],
  ])('Accept: %s is answered %s', async (accept, want) => {
    const { headers } = await raw('/', accept === undefined ? {} : { Accept: accept });
    expect(headers['content-type']).toBe(want);
    expect(headers['vary']).toMatch(/^Accept\b/);
  });

  test('the JSON is what the document says, and names kinds and addresses', async () => {
    const { body } = await request(url()).get('/').expect(200);
    expect(body).toMatchObject({ name: definition.name, links: { docs: '/docs', events: '/events' } });
    expect(body.kinds[0]).toEqual({
      group: 'example.svc.dev',
      kind: 'Device',
      plural: 'devices',
      url: '/devices',
      storageVersion: 'v1',
      history: true,
      versions: [
        { version: 'v1', url: '/apis/example.svc.dev/v1/devices' },
        { version: 'v2beta1', url: '/apis/example.svc.dev/v2beta1/devices' },
      ],
    });
  });

  test('/apis lists groups, versions and their kinds', async () => {
    const { body } = await request(url()).get('/apis').expect(200);
    expect(
      body.groups[0].versions.map(({ kinds: own, ...version }: { kinds: { kind: string }[] }) => [
        version,
        own.map(({ kind }) => kind),
      ]),
    ).toEqual([
      [
        {
          version: 'v1',
          apiVersion: 'example.svc.dev/v1',
          stability: 'stable',
          storage: true,
          openapi: '/apis/example.svc.dev/v1/openapi.json',
        },
        ['Device', 'Product', 'DeviceVersion'],
      ],
      [
        {
          version: 'v2beta1',
          apiVersion: 'example.svc.dev/v2beta1',
          stability: 'beta',
          storage: false,
          openapi: '/apis/example.svc.dev/v2beta1/openapi.json',
        },
        ['Device'],
      ],
    ]);
  });

  test('the page escapes names, runs nothing and links every kind and version', async () => {
    const { text, headers } = await request(url()).get('/').set('Accept', html).expect(200);
    expect(text).toContain('<h1>a &lt;b&gt; &amp; &quot;c&quot;</h1>');
    expect(text).not.toMatch(/<script|style=|<b>&? "c"/);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[^ ]+';/);
    for (const path of [
      '/docs',
      '/openapi.json',
      '/apis',
      '/healthz',
      '/devices',
      '/apis/example.svc.dev/v2beta1/devices',
    ]) {
      expect(text).toContain(`href=".${path}"`);
    }
  });
});

/** An answer as it is on the wire: not decompressed, the path not normalised. */
async function raw(path: string, headers: OutgoingHttpHeaders): Promise<RawAnswer> {
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(get({ host: '127.0.0.1', port, path, headers }), 'response')) as [
    IncomingMessage,
  ];
  return {
    status: response.statusCode!,
    headers: response.headers,
    body: Buffer.concat(await response.toArray()),
  };
}

interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
