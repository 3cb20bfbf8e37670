import { createHmac, generateKeyPairSync } from 'node:crypto';
import type { RequestHandler } from 'express';
import { sign, type SignOptions } from 'jsonwebtoken';
import type { Resource, Snapshot } from '../../../templates/runtime/model/resource';
import { type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { type ExampleApp, SECRET, startExampleApp } from '../support/example-app';
import { testProject } from '../support/projects';

// The examples as they land in a project: what a token has to be, what tenants and roles may do.

let app: ExampleApp;
let port: number;
let bearerToken: (secret?: string, options?: { allowWithoutExpiry?: boolean }) => RequestHandler;

beforeAll(async () => {
  app = await startExampleApp('middleware', testProject());
  ({ port } = app);
  ({ bearerToken } = app.load<{ bearerToken: typeof bearerToken }>('middleware/bearer-token'));
});

afterAll(() => app.close());

const HOUR = Math.floor(Date.now() / 1000) + 3_600;
const token = (claims: object, options: SignOptions = {}, secret = SECRET): string =>
  sign({ exp: HOUR, ...claims }, secret, { algorithm: 'HS256', ...options });
const bearer = (claims: object): { Authorization: string } => ({ Authorization: `Bearer ${token(claims)}` });
const ADMIN = { tenant_id: 'acme', roles: ['admin'], exp: HOUR };
const DEVICE = { spec: { name: 'a', location: 'b' } };

const get = (path: string, headers: object = {}): Promise<HttpResponse> =>
  send(port, 'GET', path, { headers: { ...headers } });
const write = (method: string, path: string, claims: object, body: unknown): Promise<HttpResponse> =>
  send(port, method, path, {
    headers: { ...(method === 'PATCH' ? MERGE : JSON_TYPE), ...bearer(claims) },
    body,
  });

async function created(claims: object, body: object = DEVICE): Promise<Resource> {
  const response = await write('POST', '/devices', claims, body);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return JSON.parse(response.text) as Resource;
}

describe('bearer token', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const now = Math.floor(Date.now() / 1000);
  const [head, payload, signature] = token(ADMIN).split('.') as [string, string, string];
  const encoded = (part: unknown): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = (header: object): string => {
    const content = `${encoded(header)}.${payload}`;
    return `${content}.${createHmac('sha256', SECRET).update(content).digest('base64url')}`;
  };

  test.each<[name: string, authorization: string | undefined, status: number, text: string]>([
    ['no header', undefined, 401, 'Unauthorized'],
    ['an empty header', '', 401, 'Unauthorized'],
    ['another scheme', 'Basic dTpw', 401, 'Invalid token'],
    ['no token', 'Bearer', 401, 'Invalid token'],
    ['no JWT', 'Bearer abc', 401, 'Invalid token'],
    ['two tokens', `Bearer ${token(ADMIN)} ${token(ADMIN)}`, 401, 'Invalid token'],
    ['another secret', `Bearer ${token(ADMIN, {}, `${SECRET}!`)}`, 401, 'Invalid token'],
    ['no signature', `Bearer ${head}.${payload}.`, 401, 'Invalid token'],
    [
      'the signature of other claims',
      `Bearer ${head}.${encoded({ ...ADMIN, x: 1 })}.${signature}`,
      401,
      'Invalid token',
    ],
    ['alg none', `Bearer ${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`, 401, 'Invalid token'],
    ['alg none with a signature', `Bearer ${signed({ alg: 'none' })}`, 401, 'Invalid token'],
    ['alg HS512', `Bearer ${sign(ADMIN, SECRET, { algorithm: 'HS512' })}`, 401, 'Invalid token'],
    ['alg RS256', `Bearer ${sign(ADMIN, privateKey, { algorithm: 'RS256' })}`, 401, 'Invalid token'],
    ['alg RS256 with a signature by HMAC', `Bearer ${signed({ alg: 'RS256' })}`, 401, 'Invalid token'],
    ['expired', `Bearer ${token({ ...ADMIN, exp: now - 1 })}`, 401, 'Invalid token'],
    ['not yet valid', `Bearer ${token({ ...ADMIN, nbf: now + 60 })}`, 401, 'Invalid token'],
    [
      'without an expiry',
      `Bearer ${sign({ tenant_id: 'acme', roles: ['admin'] }, SECRET)}`,
      401,
      'Invalid token',
    ],
    ['crit', `Bearer ${signed({ alg: 'HS256', crit: ['exp'] })}`, 401, 'Invalid token'],
    ['an empty crit', `Bearer ${signed({ alg: 'HS256', crit: [] })}`, 401, 'Invalid token'],
    ['another header', `Bearer ${signed({ alg: 'HS256', kid: 'a' })}`, 200, '[]'],
    ['claims that are a text', `Bearer ${sign('text', SECRET)}`, 401, 'Invalid token'],
    ['valid', `Bearer ${token(ADMIN)}`, 200, '[]'],
    ['valid for a while', `Bearer ${token({ ...ADMIN, nbf: now - 60, exp: now + 60 })}`, 200, '[]'],
    ['the scheme in lowercase', `bearer ${token(ADMIN)}`, 200, '[]'],
  ])('%s', async (_name, authorization, status, text) => {
    const response = await get('/books', authorization === undefined ? {} : { authorization });
    expect([response.status, response.text]).toEqual([status, text]);
    if (status === 401) {
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
      expect(response.headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test.each([
    ['/healthz', 200],
    ['/healthz?a=b', 200],
    ['http://x/healthz', 200],
    ['/readyz', 200],
    ['/', 200],
    ['/docs', 200],
    ['/openapi.json', 200],
    ['/apis', 200],
    ['/apis/example.svc.dev/v1/openapi.json', 200],
    ['/docs/swagger-ui.css', 200],
    ['/apis/example.svc.dev/v1/devices', 401],
    ['/apis/example.svc.dev/v1/devices/openapi.json', 401],
    ['/docs/../devices', 404],
    ['/metrics', 401],
    ['/nothing', 401],
    ['/healthz/', 401],
    ['/healthz/../devices', 401],
    ['/healthz%2f..%2fdevices', 401],
    ['//healthz', 401],
    ['/devices?/healthz', 401],
    ['/devices#/healthz', 400],
    ['http://x/devices#/healthz', 400],
    ['http:///healthz/devices', 400],
  ])('%s without a token: %i', async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  test('the claim sub is the actor; a token without it is good, too', async () => {
    for (const [sub, want] of [
      ['alice', 'alice'],
      [undefined, undefined],
      ['', undefined],
    ]) {
      const { metadata, status } = await created({ ...ADMIN, ...(sub !== undefined && { sub }) });
      const path = `/devices/${metadata.uid}/versions/${String(status!['version'])}`;
      const { text } = await get(path, bearer(ADMIN));
      expect((JSON.parse(text) as Snapshot).actor).toBe(want);
    }
  });

  test('allowWithoutExpiry accepts tokens that never expire', () => {
    const req = {
      headers: { authorization: `Bearer ${sign({ sub: 'a' }, SECRET)}` },
      baseUrl: '',
      path: '/books',
      url: '/books',
    };
    const res = { locals: {} as { claims?: unknown } };
    const next = jest.fn();
    bearerToken(SECRET, { allowWithoutExpiry: true })(req as never, res as never, next);
    expect(next).toHaveBeenCalledWith();
    expect(res.locals.claims).toMatchObject({ sub: 'a' });
  });

  test.each([undefined, '', 'short', 'x'.repeat(31)])(
    'the secret %j: the service does not start',
    (secret) => {
      delete process.env['JWT_SECRET'];
      expect(() => bearerToken(secret)).toThrow(/JWT_SECRET/);
      process.env['JWT_SECRET'] = SECRET;
    },
  );
});

describe('tenant', () => {
  const other = { ...ADMIN, tenant_id: 'umbrella' };

  test.each([{}, { tenant_id: '' }, { tenant_id: 7 }, { tenant_id: null }, { tenant_id: ['acme'] }])(
    'the claims %j: 400',
    async (claims) => {
      const response = await get('/devices', bearer(claims));
      expect([response.status, response.text]).toEqual([400, 'Missing tenant information']);
      expect(response.headers['content-type']).toBe('text/plain; charset=utf-8');
    },
  );

  test('what is created gets the label, and only its tenant lists it', async () => {
    const mine = await created(ADMIN, { ...DEVICE, metadata: { labels: { env: 'prod' } } });
    expect(mine.metadata.labels).toEqual({ env: 'prod', tenant: 'acme' });
    const listed = async (claims: object, query = ''): Promise<string[]> =>
      (JSON.parse((await get(`/devices${query}`, bearer(claims))).text) as Resource[]).map(
        ({ metadata }) => metadata.uid,
      );
    expect(await listed(ADMIN)).toContain(mine.metadata.uid);
    expect(await listed(ADMIN, '?limit=1000&label=env=prod')).toContain(mine.metadata.uid);
    for (const query of [
      '',
      '?labelSelector=tenant=acme',
      '?label=env',
      '?limit=1000',
      '?labelSelector=!tenant',
    ])
      expect(await listed(other, query)).toEqual([]);
  });

  test.each<[method: string, suffix: string, body: unknown]>([
    ['GET', '', undefined],
    ['HEAD', '', undefined],
    ['PUT', '', DEVICE],
    ['PATCH', '', { spec: { model: 'x' } }],
    ['DELETE', '', undefined],
    ['PUT', '/status', { status: { phase: 'Ready' } }],
    ['PATCH', '/status', { status: { phase: 'Ready' } }],
    ['GET', '/versions', undefined],
    ['GET', '/versions/{versionId}', undefined],
    ['DELETE', '/versions/{versionId}', undefined],
  ])('%s /devices/{uid}%s of another tenant: 404', async (method, suffix, body) => {
    const mine = await created(ADMIN);
    const versionId = String(mine.status!['version']);
    for (const start of ['/devices', '/apis/example.svc.dev/v1/devices']) {
      const path = `${start}/${mine.metadata.uid}${suffix.replace('{versionId}', versionId)}`;
      expect((await write(method, path, other, body)).status).toBe(404);
    }
    const unchanged = await get(`/devices/${mine.metadata.uid}`, bearer(ADMIN));
    expect(JSON.parse(unchanged.text)).toEqual(mine);
    expect((await get(`/devices/${mine.metadata.uid}/versions/${versionId}`, bearer(ADMIN))).status).toBe(
      200,
    );
  });

  test('a label of another tenant: 403; without labels, or when the label is removed, it stays', async () => {
    const foreign = { metadata: { labels: { tenant: 'umbrella' } } };
    expect((await write('POST', '/devices', ADMIN, { ...DEVICE, ...foreign })).status).toBe(403);
    const { metadata } = await created(ADMIN);
    const path = `/devices/${metadata.uid}`;
    expect((await write('PUT', path, ADMIN, { ...DEVICE, ...foreign })).status).toBe(403);
    expect((await write('PATCH', path, ADMIN, foreign)).status).toBe(403);
    const bodies: [string, object][] = [
      ['PUT', { ...DEVICE, metadata: { labels: {} } }],
      ['PATCH', { metadata: { labels: { tenant: null } } }],
      ['PATCH', { metadata: { labels: null } }],
    ];
    for (const [method, body] of bodies) {
      const response = await write(method, path, ADMIN, body);
      expect([response.status, (JSON.parse(response.text) as Resource).metadata.labels]).toEqual([
        200,
        { tenant: 'acme' },
      ]);
    }
  });
});

describe('policy', () => {
  test.each<[roles: unknown, spec: number, status: number]>([
    [['user'], 200, 403],
    [['controller'], 403, 200],
    [['admin'], 200, 200],
    [['user', 'controller'], 200, 200],
    [[], 403, 403],
    [undefined, 403, 403],
    ['admin', 403, 403],
    [['toString', '__proto__', 7], 403, 403],
  ])('the roles %j: spec %i, status %i', async (roles, spec, status) => {
    const { metadata } = await created(ADMIN);
    const claims = { tenant_id: 'acme', roles };
    const path = `/devices/${metadata.uid}`;
    expect((await write('PUT', path, claims, DEVICE)).status).toBe(spec);
    expect((await write('PATCH', path, claims, { spec: { model: 'x' } })).status).toBe(spec);
    for (const method of ['PUT', 'PATCH']) {
      const response = await write(method, `${path}/status`, claims, { status: { phase: 'Ready' } });
      expect(response.status).toBe(status);
      if (status === 403)
        expect((JSON.parse(response.text) as { detail: string }).detail).toBe(
          'Forbidden - requires update_status permission: devices:update_status is not among your permissions',
        );
    }
  });
});
