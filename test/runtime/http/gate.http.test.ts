import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express, RequestHandler } from 'express';
import { openService } from '../../../templates/runtime/open-service';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { create, type HttpResponse, JSON_TYPE, send, sendRaw, statuses } from '../support/client';
import { createApp, serviceDefinition, startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

const BOOK = { title: 'a', author: 'b' };

describe('request targets: whatever reaches a route has been seen by the middleware of its path', () => {
  /** Counts requests by how middleware of the collection's paths, or of a page's, has seen them. */
  interface Guarded {
    name: string;
    service: TestService;
    seen: () => number;
    /** Returns the number of requests that a guarded route has served. */
    reached: () => number;
  }

  /** The path of a kind or page is one of these, or continues one of these after a slash. */
  const GUARDED = ['/books', '/apis/example.svc.dev/v1/books', '/metrics', '/openapi.json'];
  const services: Guarded[] = [];

  async function guarded(name: string, attach: (app: Express, see: RequestHandler) => void): Promise<void> {
    let seen = 0;
    const see: RequestHandler = (_req, _res, next) => {
      seen++;
      next();
    };
    const service = await startService(testProject(), { middleware: (app) => attach(app, see) });
    let reached = 0;
    const counting = service.service.parts.find(({ responded }) => responded !== undefined)!;
    counting.responded = (route) => {
      if (GUARDED.some((path) => route === path || route.startsWith(`${path}/`))) reached++;
    };
    services.push({ name, service, seen: () => seen, reached: () => reached });
  }

  beforeAll(async () => {
    await guarded('app.use(path, …)', (app, see) => app.use(GUARDED, see));
    await guarded('req.path, called without Express', (app, see) =>
      app.use((req, res, next) => {
        const isGuarded = GUARDED.some((path) => req.path === path || req.path.startsWith(`${path}/`));
        return isGuarded ? see(req, res, next) : next();
      }),
    );
    await guarded('app.all(pattern, …)', (app, see) =>
      app.all(
        GUARDED.map((path) => `${path}{/*rest}`),
        see,
      ),
    );
  });
  afterAll(() => Promise.all(services.map(({ service }) => service.close())));

  /** Sends a target as it is, and returns the status. */
  async function sent({ service }: Guarded, target: string): Promise<number> {
    const request = `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    const [status = 0] = statuses(await sendRaw(service.port, Buffer.from(request, 'latin1')));
    return status;
  }

  const PATHS = [...GUARDED, '/books/boo-0123456789abcdef', '/books/boo-0123456789abcdef/status'];
  const START = [
    ...['http://h', 'https://h:8080', 'HTTP://H.example:', 'http://[::1]:80', 'http://127.0.0.1'],
    ...[
      'http://h;',
      'http://h%',
      'http://h:x',
      'http://;',
      'http://h%00',
      'http://h%2f',
      'x://h;',
      'ws://h;',
    ],
    ...[
      'http://',
      'http:///',
      'http:/',
      'http:',
      'h:80',
      'http://[',
      'http://[::1',
      'http://h:999999',
      'x://h',
    ],
    ...[
      'http://u@h',
      'http://u:p@h',
      'http://h?',
      'http://h?x',
      'http://h#',
      'http://h\\',
      'http://h\\x',
      '//h',
      '///',
    ],
    ...['\\', '\\\\h', '/http://h', '*', '.', '..', '?', '#', '@h', ':', '%2f', '\xa0', '\x85'],
  ];
  const WITHIN = [
    ...[
      '/',
      '//',
      '/./',
      '/../',
      '/x/..',
      '\\',
      '%2f',
      '%5c',
      '%2e',
      '%2e%2e',
      '.',
      '..',
      '%',
      '%zz',
      '%00',
      '%20',
    ],
    ...[
      '?',
      '??',
      '#',
      '?#',
      '#?',
      ';',
      ';x=/',
      '@',
      ':',
      '&',
      '*',
      '|',
      '^',
      '[',
      '{',
      '"',
      '<',
      '`',
      "'",
      '+',
    ],
    ...['\xa0', '\x85', '\xff', '\xc3\xa9', '\ufeff'],
  ];
  const inserted = (path: string): string[] => {
    const places = [...path].flatMap((letter, index) =>
      letter === '/' ? [index, index + 1, index + 3] : [],
    );
    return [...places, path.length].flatMap((place) =>
      WITHIN.map((text) => path.slice(0, place) + text + path.slice(place)),
    );
  };
  const TARGETS = PATHS.flatMap((path) => [
    path,
    path.toUpperCase(),
    ...START.map((start) => start + path),
    ...inserted(path),
  ]);

  test('of every form', async () => {
    const unseen: string[] = [];
    for (const each of services) {
      let answered = 0;
      for (const target of TARGETS) {
        const [before, seen] = [each.reached(), each.seen()];
        const status = await sent(each, target);
        if (status < 500 && status !== 0) answered++;
        if (each.reached() > before && each.seen() === seen) unseen.push(`${each.name}: ${target}`);
      }
      expect(answered).toBe(TARGETS.length);
      expect(each.reached()).toBeGreaterThan(PATHS.length * 5);
    }
    expect(unseen).toEqual([]);
  });

  test.each<[target: string, status: number]>([
    ['http://h/books', 200],
    ['https://h:8080/books?limit=1', 200],
    ['http://h', 200],
    ['http://h?x=1', 200],
    ['*', 404],
    ['/books?a=%7B', 200],
    ['/books?a={}|^`\\', 200],
    ['//books', 404],
    ['http://h;/books', 400],
    ['http://h%/books', 400],
    ['http://h:x/books', 400],
    ['http://;/books', 400],
    ['http://h%00/books', 400],
    ['http://h%2f/books', 400],
    ['x://h;/books', 400],
    ['ws://h;/books', 400],
    ['x://h/books', 400],
    ['http:///books', 400],
    ['http://u:p@h/books', 400],
    ['http://[/books', 400],
    ['http://h#/books', 400],
    ['books', 400],
    ['/books#x', 400],
    ['/books?x#y', 400],
    ['/books\\x', 400],
    ['/books\xa0', 400],
    ['/books?label=env=\xc3\xa9', 400],
  ])('%s: %i', async (target, want) => {
    for (const each of services) expect([each.name, await sent(each, target)]).toEqual([each.name, want]);
  });

  test('a refusal repeats nothing of a target that is no path', async () => {
    const [{ service }] = services as [Guarded];
    const raw = await sendRaw(
      service.port,
      'GET http://user:password@h/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(raw).toMatch(/^HTTP\/1\.1 400 .*application\/problem\+json.*"instance":""/s);
    expect(raw).not.toContain('password');
  });

  test('Location and Link name paths of this service, whatever the target', async () => {
    const [{ service }] = services as [Guarded];
    const raw = (request: string): Promise<string> => sendRaw(service.port, request);
    const body = JSON.stringify({ spec: BOOK });
    for (let index = 0; index < 2; index++) {
      expect(
        await raw(
          `POST http://evil.example/books HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        ),
      ).toMatch(/\r\nLocation: \/books\/boo-/);
    }
    expect(
      await raw(
        'GET http://evil.example/books?limit=1&x={a} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      ),
    ).toMatch(/\r\nLink: <\/books\?limit=1&x=%7Ba%7D&continue=/);
  });

  test.each([
    ['/books/%zz', '/books/%25zz'],
    ['/books/{uid}', '/books/%7Buid%7D'],
    ['/a|b^c`d"<[e]>', '/a%7Cb%5Ec%60d%22%3C%5Be%5D%3E'],
    ["/books/a%2fb!$&'()*+,;=:@~", "/books/a%2fb!$&'()*+,;=:@~"],
  ])('the instance of a problem is a URI reference: %s', async (target, instance) => {
    for (const { service } of services) {
      const raw = await sendRaw(
        service.port,
        `GET ${target}?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      expect(raw).toContain(`"instance":"${instance}"`);
    }
  });

  test('the host of an absolute target replaces Host', async () => {
    const middleware = (app: Express): void => {
      app.get('/host', (req, res) => void res.json([req.hostname, req.originalUrl]));
    };
    const service = await startService(testProject(), { middleware });
    const raw = await sendRaw(
      service.port,
      'GET http://h.example:80/host?a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    );
    expect(raw).toMatch(/\["h\.example","\/host\?a"\]$/);
    await service.close();
  });
});

test('an app that another server serves has the same gate', async () => {
  const project = testProject();
  const settings = readSettings({ DATABASE_URL: 'sqlite::memory:', LOG_LEVEL: 'silent' });
  const service = await openService(serviceDefinition(project), settings);
  const middleware = (app: Express): void => {
    app.use('/books', (_req, res) => void res.status(401).end());
  };
  const server: Server = createServer(createApp(service, project, { middleware })).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const status = async (target: string, headers = ''): Promise<number[]> =>
    statuses(
      await sendRaw(port, `POST ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`),
    );
  expect(await status('http://h/books')).toEqual([401]);
  expect(await status('http://h;/books')).toEqual([400]);
  expect(await status('/things', 'Sec-Fetch-Site: cross-site\r\n')).toEqual([403]);
  server.close();
  await service.close();
});

test('a body that a proxy and Node would end or read in different ways ends the connection', async () => {
  const service = await startService(testProject());
  const text = JSON.stringify({ spec: BOOK });
  const chunks = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const status = async (version: string, coding: string): Promise<number[]> =>
    statuses(
      await sendRaw(
        service.port,
        `POST /books HTTP/${version}\r\nHost: x\r\nConnection: keep-alive\r\nTransfer-Encoding: ${coding}\r\n\r\n${chunks}${next}`,
      ),
    );
  expect(await status('1.1', 'Chunked')).toEqual([201, 200]);
  expect(await status('1.1', 'gzip, chunked')).toEqual([501]);
  expect(await status('1.0', 'chunked')).toEqual([400]);
  expect(JSON.parse((await send(service.port, 'GET', '/books')).text)).toHaveLength(1);
  await service.close();
});

describe('Host', () => {
  const get = (port: number, host: string): Promise<HttpResponse> =>
    send(port, 'GET', '/books', { headers: { Host: host } });

  test('a malformed one is 400', async () => {
    const service = await startService(testProject());
    for (const host of ['h;', 'h%', 'h/x', 'h x', 'http://h', 'a,b', 'u@h', '[::1', 'h:x'])
      expect([host, (await get(service.port, host)).status]).toEqual([host, 400]);
    for (const host of ['h', 'H_1.example.', 'h:80', '[::1]:80', '127.0.0.1'])
      expect([host, (await get(service.port, host)).status]).toEqual([host, 200]);
    await service.close();
  });

  test('one that ALLOWED_HOSTS does not list is 421, in front of all else', async () => {
    let seen = 0;
    const service = await startService(testProject(), {
      environment: { ALLOWED_HOSTS: 'api.example.com, .internal.example' },
      middleware: (app) => app.use((_req, _res, next) => next(void seen++)),
    });
    const allowed = ['api.example.com', 'API.example.com.', 'api.example.com:8080', 'a.internal.example'];
    const always = ['localhost:8080', '127.0.0.1', '10.1.2.3:8080', '[::1]', '[fd00::1]:8080'];
    for (const host of [...allowed, ...always])
      expect([host, (await get(service.port, host)).status]).toEqual([host, 200]);
    expect(seen).toBe(allowed.length + always.length);
    const refused = [
      'evil.example',
      'example.com',
      'x.api.example.com',
      'internal.example',
      '1.2.3.4.evil.example',
    ];
    for (const host of refused) {
      const response = await get(service.port, host);
      expect([host, response.status, response.headers['content-type']]).toEqual([
        host,
        421,
        'application/problem+json',
      ]);
    }
    const target =
      'GET http://evil.example/books HTTP/1.1\r\nHost: api.example.com\r\nConnection: close\r\n\r\n';
    expect(statuses(await sendRaw(service.port, target))).toEqual([421]);
    expect(seen).toBe(allowed.length + always.length);
    // The health checks of HAProxy have no Host.
    expect(statuses(await sendRaw(service.port, 'GET /readyz HTTP/1.0\r\n\r\n'))).toEqual([200]);
    await service.close();
  });
});

describe('writes from pages of other origins', () => {
  const CROSS = { 'Sec-Fetch-Site': 'cross-site' };
  let service: TestService;
  let trusting: TestService;
  let seen = 0;
  beforeAll(async () => {
    service = await startService(testProject(), {
      middleware: (app) => app.use((_req, _res, next) => next(void seen++)),
    });
    trusting = await startService(testProject(), {
      environment: { TRUSTED_ORIGINS: 'https://app.example, http://localhost:5173' },
    });
  });
  afterAll(() => Promise.all([service.close(), trusting.close()]));

  const post = (port: number, headers: object, path = '/books'): Promise<HttpResponse> =>
    send(port, 'POST', path, { headers: { ...headers }, body: { spec: BOOK } });

  test.each<[headers: { [name: string]: string }, want: number]>([
    [{}, 201],
    [{ 'Sec-Fetch-Site': 'same-origin' }, 201],
    [{ 'Sec-Fetch-Site': 'none' }, 201],
    // What a page of the same site has asked for with OPTIONS is for middleware to allow.
    [{ 'Sec-Fetch-Site': 'same-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site', 'Content-Type': 'text/plain; a=application/json' }, 403],
    [{ 'Sec-Fetch-Site': 'same-site', ...JSON_TYPE }, 201],
    [{ 'Sec-Fetch-Site': 'cross-site', ...JSON_TYPE }, 403],
    [{ 'Sec-Fetch-Site': 'cross-site' }, 403],
    [{ 'Sec-Fetch-Site': 'same-origin, cross-site' }, 403],
    [{ 'Sec-Fetch-Site': '' }, 403],
    // A proxy may have changed Host; the browser knows better.
    [{ 'Sec-Fetch-Site': 'same-origin', Origin: 'https://public.example' }, 201],
    [{ 'Sec-Fetch-Site': 'cross-site', Origin: 'http://svc.example' }, 403],
    // Without TLS browsers send Origin alone.
    [{ Origin: 'http://svc.example' }, 201],
    [{ Origin: 'http://SVC.example' }, 201],
    [{ Origin: 'http://svc.example:81' }, 403],
    [{ Origin: 'http://evil.example' }, 403],
    [{ Origin: 'http://evil.example', 'Content-Type': 'Text/Plain' }, 403],
    [{ Origin: 'http://evil.example', ...JSON_TYPE }, 201],
    [{ Origin: 'null' }, 403],
    [{ Origin: '' }, 403],
  ])('%j: %i', async (headers, want) => {
    const before = seen;
    const response = await post(service.port, { Host: 'svc.example', ...headers });
    expect(response.status).toBe(want);
    if (want !== 403) return;
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(seen).toBe(before);
  });

  test('every method that writes, at every path; none that reads', async () => {
    const { path } = await create(service.port, '/books', BOOK);
    const headers = { ...JSON_TYPE, ...CROSS };
    for (const [method, target] of [
      ['PUT', path],
      ['PATCH', path],
      ['DELETE', path],
      ['PUT', `${path}/status`],
      ['POST', '/apis/example.svc.dev/v1/books'],
      ['POST', '/events/dead-letters/resend'],
      ['POST', '/nowhere'],
    ] as const)
      expect([method, target, (await send(service.port, method, target, { headers })).status]).toEqual([
        method,
        target,
        403,
      ]);
    for (const method of ['GET', 'HEAD'])
      expect((await send(service.port, method, path, { headers })).status).toBe(200);
    expect((await send(service.port, 'OPTIONS', path, { headers })).status).toBe(204);
  });

  test.each<[headers: object, want: number]>([
    [{ ...CROSS, Origin: 'https://app.example' }, 201],
    [{ ...CROSS, Origin: 'HTTP://localhost:5173' }, 201],
    [{ Origin: 'https://app.example' }, 201],
    [{ ...CROSS, Origin: 'http://app.example' }, 403],
    [{ ...CROSS, Origin: 'https://app.example.evil' }, 403],
    [CROSS, 403],
    [{ ...CROSS, Origin: '*' }, 403],
  ])('with TRUSTED_ORIGINS, %j: %i', async (headers, want) => {
    expect((await post(trusting.port, headers)).status).toBe(want);
  });

  test('TRUSTED_ORIGINS=* allows all', async () => {
    const open = await startService(testProject(), { environment: { TRUSTED_ORIGINS: '*' } });
    expect((await post(open.port, CROSS)).status).toBe(201);
    await open.close();
  });
});
