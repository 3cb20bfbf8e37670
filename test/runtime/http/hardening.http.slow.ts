import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import express from 'express';
import type { Resource } from '../../../templates/runtime/model/resource';
import {
  create,
  failures,
  type HttpResponse,
  JSON_TYPE,
  MERGE,
  send,
  sendRaw,
  statuses,
} from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

let service: TestService;
beforeAll(async () => {
  const middleware = (app: express.Express): void => {
    // A guard of one collection, as users attach it.
    app.use('/products', (req, res, next) => {
      if (req.headers.authorization === undefined) res.status(401).send('Unauthorized');
      else next();
    });
    app.use((req, _res, next) => {
      if (req.headers['x-fail'] !== undefined) throw new Error('at /etc/secret: SELECT password FROM users');
      next();
    });
  };
  service = await startService(testProject(), { middleware });
});
afterAll(() => service.close());

const SPEC = { title: 'a', author: 'b' };
const post = (body: unknown, headers = {}, path = '/things'): Promise<HttpResponse> =>
  send(service.port, 'POST', path, { headers: { ...JSON_TYPE, ...headers }, body });

describe('bodies', () => {
  const wrap = (any: string): string => `{"spec":{"any":${any}}}`;
  test.each<[name: string, want: number, body: string | Buffer, headers?: object]>([
    ['empty', 400, ''],
    ['white space', 400, ' \r\n\t'],
    ['null', 400, 'null'],
    ['a list', 400, '[]'],
    ['a text', 400, '"x"'],
    ['an empty object', 400, '{}'],
    ['a comment', 400, '{/**/}'],
    ['two values', 400, `${wrap('1')}${wrap('2')}`],
    ['NaN', 400, wrap('NaN')],
    ['a number beyond the range', 400, wrap('1e400')],
    ['a long number', 201, wrap(`1${'0'.repeat(299)}`)],
    ['an integer that a double rounds', 400, wrap('9'.repeat(300))],
    [
      'not UTF-8',
      400,
      Buffer.concat([Buffer.from('{"spec":{"any":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}}')]),
    ],
    ['UTF-16', 400, Buffer.from(wrap('1'), 'utf16le')],
    ['a byte order mark', 201, `\ufeff${wrap('1')}`],
    ['NUL, escaped', 201, wrap('"\\u0000"')],
    ['NUL, as it is', 400, wrap('"\u0000"')],
    ['a lone surrogate, escaped', 201, wrap('"\\ud800"')],
    ['64 levels', 201, wrap('['.repeat(62) + ']'.repeat(62))],
    ['65 levels', 400, wrap('['.repeat(63) + ']'.repeat(63))],
    ['200,000 levels', 400, wrap('['.repeat(200_000) + ']'.repeat(200_000))],
    ['__proto__', 400, wrap('{"__proto__":{"polluted":1}}')],
    ['__proto__, escaped', 400, wrap('{"\\u005f_proto__":{"polluted":1}}')],
    ['__proto__ at the top', 400, '{"spec":{},"__proto__":{"spec":{}}}'],
    ['__proto__ as a label', 400, '{"spec":{},"metadata":{"labels":{"__proto__":"x"}}}'],
    ['constructor and prototype', 201, wrap('{"constructor":{"prototype":{"polluted":1}}}')],
    ['names of Object.prototype as fields', 400, '{"spec":{"toString":1,"hasOwnProperty":2}}'],
    ['names of Object.prototype as members', 400, '{"spec":{},"constructor":{}}'],
    ['names of Object.prototype as map keys', 201, '{"spec":{"limits":{"constructor":1,"toString":2}}}'],
    ['1 MiB to the byte', 201, wrap(`"${'x'.repeat(1_048_576 - wrap('""').length)}"`)],
    ['one byte more', 413, wrap(`"${'x'.repeat(1_048_577 - wrap('""').length)}"`)],
    ['malformed and too large', 413, '{'.repeat(2_000_000)],
    ['no type', 201, wrap('1'), { 'Content-Type': undefined }],
    ['a type with parameters', 201, wrap('1'), { 'Content-Type': 'Application/JSON; charset="UTF-8"; x=y' }],
    ['another charset', 415, wrap('1'), { 'Content-Type': 'application/json; charset=utf-16' }],
    ['another type', 415, wrap('1'), { 'Content-Type': 'text/json' }],
    ['an empty type', 415, wrap('1'), { 'Content-Type': '' }],
    ['a form', 415, 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['a patch', 415, wrap('1'), { 'Content-Type': 'application/merge-patch+json' }],
    ['gzip', 415, wrap('1'), { 'Content-Encoding': 'gzip' }],
    ['identity', 201, wrap('1'), { 'Content-Encoding': 'identity' }],
  ])('%s: %i', async (_name, want, body, headers = {}) => {
    const sent = Object.fromEntries(
      Object.entries({ ...JSON_TYPE, ...headers }).filter(([, value]) => value !== undefined),
    );
    const response = await send(service.port, 'POST', '/things', { headers: sent, body });
    expect([response.status, response.text.slice(0, 300)]).toEqual([want, expect.anything()]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
    if (want !== 201) return expect(response.headers['content-type']).toBe('application/problem+json');
    const text = body.toString().replace('\ufeff', '');
    const { spec } = JSON.parse(response.text) as Resource;
    expect(spec).toEqual({ ...(JSON.parse(text) as Resource).spec, flag: true });
    const path = response.headers.location!;
    expect((await send(service.port, 'GET', path)).text).toBe(response.text);
  });

  test('in chunks: too large is told while it still comes', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const call = request(
        { port: service.port, method: 'POST', path: '/things', headers: JSON_TYPE },
        (res) => {
          res.resume().on('end', () => resolve(res.statusCode!));
        },
      );
      call.on('error', reject);
      for (let chunk = 0; chunk < 30; chunk++) call.write('x'.repeat(100_000));
      call.end();
    });
    expect(status).toBe(413);
  });

  test('cut short: nothing is written', async () => {
    const before = (await send(service.port, 'GET', '/things')).text;
    const head =
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n';
    await new Promise<void>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () =>
        socket.write(`${head}{"spec":{}}`, () => void setTimeout(50).then(() => socket.destroy())),
      );
      socket.on('close', () => resolve());
    });
    expect((await send(service.port, 'GET', '/things')).text).toBe(before);
  });

  test.each<[string, (app: express.Express) => void, unknown, number]>([
    ['express.json()', (app) => app.use(express.json()), { spec: { any: { a: 1 } } }, 201],
    ['express.json(), empty', (app) => app.use(express.json()), '', 400],
    ['express.json(), malformed', (app) => app.use(express.json()), '{', 400],
    [
      'express.json(), too deep',
      (app) => app.use(express.json()),
      `{"spec":{"any":${'['.repeat(99)}${']'.repeat(99)}}}`,
      400,
    ],
    [
      'express.json(), deep enough to overflow',
      (app) => app.use(express.json()),
      `{"spec":{"any":${'['.repeat(40_000)}${']'.repeat(40_000)}}}`,
      400,
    ],
    [
      'express.json(), __proto__',
      (app) => app.use(express.json()),
      '{"spec":{"any":{"__proto__":{"a":1}}}}',
      400,
    ],
    ['express.json(), infinite', (app) => app.use(express.json()), '{"spec":{"any":1e999}}', 400],
    ['express.raw()', (app) => app.use(express.raw({ type: '*/*' })), { spec: { any: { a: 1 } } }, 201],
    ['express.raw(), malformed', (app) => app.use(express.raw({ type: '*/*' })), '{', 400],
  ])('that %s has read', async (_name, middleware, body, want) => {
    const behind = await startService(testProject(), { middleware });
    try {
      const response = await send(behind.port, 'POST', '/things', { headers: JSON_TYPE, body });
      expect([response.status, response.text]).toEqual([want, expect.anything()]);
      if (want !== 201) return;
      const path = response.headers.location!;
      // express.json() does not read this type.
      const patch = await send(behind.port, 'PATCH', path, {
        headers: MERGE,
        body: { spec: { any: { b: 2 } } },
      });
      expect((JSON.parse(patch.text) as Resource).spec['any']).toEqual({ a: 1, b: 2 });
    } finally {
      await behind.close();
    }
  });
});

describe('methods and paths', () => {
  const ITEM = 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS';
  const PATCHES =
    'application/merge-patch+json, application/json-patch+json, application/shorthand-patch+json';
  const ROWS: [method: string, path: string, want: number, allow?: string, acceptPatch?: string][] = [
    ['OPTIONS', '/books', 204, 'GET, HEAD, POST, OPTIONS'],
    ['OPTIONS', '/books/nowhere', 204, ITEM, PATCHES],
    ['OPTIONS', '/books/nowhere/status', 204, 'PUT, PATCH, OPTIONS', PATCHES],
    ['OPTIONS', '/devices/nowhere/versions', 204, 'GET, HEAD, OPTIONS'],
    ['OPTIONS', '/devices/nowhere/versions/x', 204, 'GET, HEAD, DELETE, OPTIONS'],
    ['OPTIONS', '/healthz', 204, 'GET, HEAD, OPTIONS'],
    ['OPTIONS', '*', 204, 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
    ['GET', '*', 404],
    ['OPTIONS', '/nowhere', 404],
    ['PUT', '/books', 405, 'GET, HEAD, POST, OPTIONS'],
    ['PATCH', '/books', 405, 'GET, HEAD, POST, OPTIONS'],
    ['DELETE', '/books', 405, 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/books/nowhere', 405, ITEM],
    ['GET', '/books/nowhere/status', 405, 'PUT, PATCH, OPTIONS'],
    ['DELETE', '/books/nowhere/status', 405, 'PUT, PATCH, OPTIONS'],
    ['TRACE', '/books', 405, 'GET, HEAD, POST, OPTIONS'],
    ['PROPFIND', '/books', 405, 'GET, HEAD, POST, OPTIONS'],
    ['POST', '/healthz', 405, 'GET, HEAD, OPTIONS'],
    ['HEAD', '/books', 200],
    ['HEAD', '/books/nowhere', 404],
    ['GET', '/books/', 200],
    ['GET', '/books?', 200],
    ['GET', '//books', 404],
    ['GET', '/books//', 404],
    ['GET', '/Books', 404],
    ['GET', '/books/nowhere/x', 404],
    ['GET', '/books/nowhere/status/x', 404],
    ['GET', '/books/.', 404],
    ['GET', '/./books', 404],
    ['GET', '/nowhere/../books', 404],
    ['GET', '/apis/example.svc.dev/v1/books', 200],
    ['GET', '/apis/example.svc.dev/v2/books', 406],
    ['GET', '/apis/other.example/v1/books', 404],
    ['GET', '/apis/example.svc.dev/v1', 404],
    ['GET', '/apis/example.svc.dev/v1/', 404],
    // Written in another way it is another path: a guard in front would not know it
    ['GET', '/%62ooks', 404],
    ['GET', '/apis%2Fexample.svc.dev%2Fv1%2Fbooks', 404],
    ['GET', '/apis/example.svc.dev%2Fv1/books', 404],
    ['GET', '/%70roducts', 404],
    ['GET', '/products', 401],
    ['GET', '/products/', 401],
    ['PUT', '/books/nowhere/%73tatus', 404],
    ['GET', '/books/a%2Fb', 404],
    ['GET', '/books/%zz', 400],
    ['GET', '/books/%', 400],
    ['GET', '/books/%ff', 400],
    ['GET', '/books/%00', 404],
    ['GET', '/constructor', 404],
    ['GET', '/__proto__', 404],
    ['GET', '/toString/x/status', 404],
  ];
  // Not test.each: it would take the `%` of a path for its own.
  for (const [method, path, want, allow, acceptPatch] of ROWS) {
    test(`${method} ${path}: ${want}`, async () => {
      const { status, headers, text } = await send(service.port, method, path);
      expect([status, text.slice(0, 200)]).toEqual([want, expect.anything()]);
      expect([headers['allow'], headers['accept-patch']]).toEqual([allow, acceptPatch]);
      if (want === 401) return;
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers).not.toHaveProperty('x-powered-by');
      if (want === 204 || method === 'HEAD') expect(text).toBe('');
    });
  }

  test('a name that is percent-encoded is the same name', async () => {
    const { path, resource } = await create(service.port, '/books', SPEC);
    const encoded = path.replace('boo-', '%62oo%2D');
    expect((await send(service.port, 'GET', encoded)).text).toBe(JSON.stringify(resource));
  });

  test('HEAD has the headers of GET', async () => {
    const { path } = await create(service.port, '/devices', { name: 'a', location: 'b' });
    const [snapshot] = JSON.parse((await send(service.port, 'GET', `${path}/versions`)).text) as {
      versionId: string;
    }[];
    for (const address of [
      '/devices',
      path,
      `${path}/versions`,
      `${path}/versions/${snapshot.versionId}`,
      '/healthz',
    ]) {
      const [get, head] = await Promise.all(
        ['GET', 'HEAD'].map((method) => send(service.port, method, address)),
      );
      const { date: _, ...headers } = head.headers;
      expect([head.status, head.text, get.headers]).toEqual([200, '', expect.objectContaining(headers)]);
    }
  });
});

describe('on the wire', () => {
  const get = (target: string, headers = ''): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  const last = (target: string): string => get(target, 'Connection: close\r\n');

  test.each<[name: string, bytes: string, want: number[]]>([
    ['absolute-form', last('http://other.example/books'), [200]],
    ['absolute-form without a path', last('http://other.example'), [200]],
    ['absolute-form with a query alone', last('http://other.example?limit=0'), [200]],
    ['absolute-form with a bad query', last('http://other.example/books?limit=0'), [400]],
    ['asterisk-form', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', [204]],
    ['no Host', 'GET /books HTTP/1.1\r\n\r\n', [400]],
    ['no Host, for OPTIONS', 'OPTIONS * HTTP/1.1\r\n\r\n', [400]],
    ['two Hosts', get('/books', 'HOST: y\r\n'), [400]],
    ['the same Host twice', get('/books', 'host: x\r\n'), [400]],
    ['HTTP/1.0', 'GET /books HTTP/1.0\r\n\r\n', [200]],
    ['HTTP/1.0 with a Host', 'GET /books HTTP/1.0\r\nHost: x\r\n\r\n', [200]],
    ['CONNECT', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n', [501]],
    ['HTTP/3.0', 'GET /books HTTP/3.0\r\n\r\n', [400]],
    ['no HTTP', 'hello\r\n\r\n', [400]],
    ['TLS', '\u0016\u0003\u0001\u0002\u0000\u0001', [400]],
    ['a method that is none', 'FETCH /books HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['a space in the path', 'GET /books x HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
    ['a header without a colon', get('/books', 'x\r\n'), [400]],
    ['a folded header', get('/books', 'A: b\r\n c\r\n'), [400]],
    ['a header with NUL', get('/books', 'A: b\u0000\r\n'), [400]],
    ['an address of 20,000 characters', get(`/${'x'.repeat(20_000)}`), [431]],
    ['headers of 20,000 characters', get('/books', `A: ${'x'.repeat(20_000)}\r\n`), [431]],
    ['an address of 10,000 characters', last(`/books/${'x'.repeat(10_000)}`), [404]],
    [
      'two lengths',
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
      [400],
    ],
    ['a negative length', 'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n', [400]],
    [
      'length and chunks',
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      [400],
    ],
    [
      'a malformed chunk',
      'POST /things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      [400],
    ],
    [
      'pipelined',
      `${get('/books?limit=1')}${get('/nowhere')}${get('/books?limit=x')}${last('/healthz')}`,
      [200, 404, 400, 200],
    ],
    [
      'pipelined after a body that is not read',
      `GET /books HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello${last('/healthz')}`,
      [200, 200],
    ],
    [
      'pipelined after a refused body',
      `POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello${last('/healthz')}`,
      [415, 200],
    ],
    ['no HTTP after a request', `${get('/healthz')}no HTTP\r\n\r\n`, [200]],
    [
      'Expect: 100-continue',
      'POST /things HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n{"spec":{}}',
      [100, 201],
    ],
    ['another Expect', get('/books', 'Expect: x\r\nConnection: close\r\n'), [417]],
    [
      'duplicate headers',
      get(
        '/books',
        'Accept: a/b\r\nAccept: */*\r\nContent-Type: a\r\nContent-Type: b\r\nConnection: close\r\n',
      ),
      [200],
    ],
    ['an Upgrade', get('/books', 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n'), [200]],
  ])('%s', async (_name, bytes, want) => {
    const raw = await sendRaw(service.port, Buffer.from(bytes, 'latin1'));
    expect([statuses(raw), raw.slice(0, 500)]).toEqual([want, expect.anything()]);
    if (want.length === 1 && want[0] >= 400) {
      expect(raw).toMatch(/^content-type: application\/problem\+json\r$/im);
      expect(JSON.parse(raw.slice(raw.indexOf('\r\n\r\n') + 4))).toMatchObject({
        type: 'about:blank',
        status: want[0],
      });
    }
  });

  test.each([
    ['no HTTP', 'hello\r\n\r\n'],
    ['CONNECT', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n'],
    ['a long URL', get(`/${'x'.repeat(20_000)}`)],
  ])('%s: the refusal has a date and is not cached', async (_, bytes) => {
    const raw = await sendRaw(service.port, bytes);
    expect(raw).toMatch(/\r\nCache-Control: no-store\r\n/);
    expect(Date.parse(/\r\nDate: (.*? GMT)\r\n/.exec(raw)?.[1] ?? '')).toBeGreaterThan(0);
  });

  test.each<[string, string]>([
    ['CONNECT', 'CONNECT other.example:443 HTTP/1.1\r\nHost: other.example:443\r\n\r\n'],
    ['no HTTP', 'hello\r\n\r\n'],
    ['a malformed Host', 'GET /books HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ])('%s, and a client that has gone: the service goes on', async (_name, bytes) => {
    for (let round = 0; round < 50; round++) {
      const client = connect(service.port, '127.0.0.1').on('error', () => undefined);
      client.write(bytes, () => client.resetAndDestroy());
      await once(client, 'close');
    }
    expect((await send(service.port, 'GET', '/healthz')).status).toBe(200);
  });
});

describe('slow clients', () => {
  let impatient: TestService;
  beforeAll(async () => {
    const environment = { HEADERS_TIMEOUT_MS: '1000', REQUEST_TIMEOUT_MS: '2000' };
    impatient = await startService(testProject(), { environment });
  });
  afterAll(() => impatient.close());

  test.each<[string, string]>([
    ['no headers', 'GET /books HTTP/1.1\r\nHost: x\r\n'],
    ['nothing', ''],
    [
      'no body',
      'POST /things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
    ['half a chunk', 'POST /things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{'],
  ])('%s: 408, and the connection ends', async (_name, bytes) => {
    // It is the service that ends it: this client would wait for an hour.
    const raw = await sendRaw(impatient.port, bytes, 3_600_000);
    expect(statuses(raw)).toEqual([408]);
    expect(raw).toContain('application/problem+json');
  });

  test('a time for the request that is shorter than that for its headers: 408', async () => {
    const environment = { HEADERS_TIMEOUT_MS: '3600000', REQUEST_TIMEOUT_MS: '1000' };
    const other = await startService(testProject(), { environment });
    const raw = await sendRaw(other.port, 'GET /books HTTP/1.1\r\n', 3_600_000);
    expect(statuses(raw)).toEqual([408]);
    await other.close();
  });

  test('a drop at a time: 408', async () => {
    const raw = await new Promise<string>((resolve) => {
      let response = '';
      const socket = connect(impatient.port, '127.0.0.1', () => socket.write('GET /books HTTP/1.1\r\n'));
      const drops = setInterval(() => socket.write('A: b\r\n'), 100);
      socket.on('data', (data) => (response += data.toString())).on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drops);
        resolve(response);
      });
    });
    expect(statuses(raw)).toEqual([408]);
  });

  test('who does not read the response is not waited for', async () => {
    const stalled = await startService(testProject(), { environment: { STALL_TIMEOUT_MS: '3000' } });
    for (let index = 0; index < 20; index++) {
      await create(stalled.port, '/things', { any: 'x'.repeat(1_000_000) });
    }
    const before = await stalled.connections();
    const socket = connect(stalled.port, '127.0.0.1', () => {
      socket.pause();
      socket.write('GET /things HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3));
    });
    socket.on('error', () => undefined);
    do await setTimeout(100);
    while ((await stalled.connections()) <= before);
    do await setTimeout(100);
    while ((await stalled.connections()) > before);
    socket.destroy();
    await stalled.close();
  });
});

describe('what errors tell', () => {
  const LEAKS =
    /\/srv\/|node_modules|\.ts\b|\.js:|at [A-Z]\w+\.|SELECT|INSERT|SQLITE|sqlite|password|etc\/secret/;

  test('of a middleware or a check that fails: nothing', async () => {
    const hooks = {
      Book: {
        validate: () => {
          throw new TypeError('Cannot read /srv/app/secret.ts of SQLITE');
        },
      },
    };
    const failing = await startService(testProject(), { hooks });
    try {
      const responses = [
        await send(failing.port, 'POST', '/books', { headers: JSON_TYPE, body: { spec: SPEC } }),
        await send(service.port, 'GET', '/books', { headers: { 'X-Fail': 'yes' } }),
      ];
      for (const { status, headers, text } of responses) {
        expect([status, headers['content-type']]).toEqual([500, 'application/problem+json']);
        expect(JSON.parse(text)).toEqual({
          type: 'about:blank',
          title: 'Internal Server Error',
          status: 500,
          detail: 'The service failed to process this request.',
          instance: '/books',
        });
      }
    } finally {
      await failing.close();
    }
  });

  test('of a store that is gone: 503', async () => {
    const broken = await startService(testProject());
    const { path } = await create(broken.port, '/books', SPEC);
    await broken.service.store.close();
    for (const [method, address] of [
      ['GET', path],
      ['GET', '/books'],
      ['PUT', path],
      ['DELETE', path],
      ['POST', '/books'],
      ['GET', '/readyz'],
    ]) {
      const body = method === 'PUT' || method === 'POST' ? { spec: SPEC } : undefined;
      const response = await send(broken.port, method, address, { headers: JSON_TYPE, body });
      expect([method, response.status, response.headers['retry-after']]).toEqual([method, 503, '1']);
      expect(response.text).not.toMatch(LEAKS);
    }
    await broken.close();
  });

  test('of many failures: all at once, up to a hundred, in a response of bounded length', async () => {
    const wrong = {
      text: 'x',
      count: 11,
      ratio: 1,
      flag: 'yes',
      at: 'now',
      mail: 'x',
      color: 'blue',
      extra: 1,
      tree: {},
      words: ['', 1],
    };
    expect(
      failures(await post({ spec: wrong, extra: 1, metadata: { name: 1, uid: 2, labels: { a: 1 } } })).sort(),
    ).toEqual([
      '#/extra unknown',
      '#/metadata/labels/a type',
      '#/metadata/name type',
      '#/spec/at type',
      '#/spec/color oneof=red green',
      '#/spec/count max=10',
      '#/spec/extra unknown',
      '#/spec/flag type',
      '#/spec/mail email',
      '#/spec/ratio lt=1',
      '#/spec/text min=2',
      '#/spec/tree/label required',
      '#/spec/words/0 min=1',
      '#/spec/words/1 type',
    ]);
    const keys = (count: number, length: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${'k'.repeat(length)}${index}`, -1]));
    for (const [count, length] of [
      [50_000, 5],
      [900, 1_000],
      [1, 1_000_000],
      [9, 100_000],
    ]) {
      const response = await post({ spec: { limits: keys(count, length) } });
      const named = failures(response);
      expect([response.status, named.length > 0, named.length <= 100]).toEqual([400, true, true]);
      expect(response.text.length).toBeLessThan(200_000);
    }
  });

  test('of names that come back: quoted and cut', async () => {
    const responses = await Promise.all([
      send(service.port, 'GET', `/books/${encodeURIComponent('<script>"\r\n')}`),
      send(service.port, 'GET', `/books/${'x'.repeat(5_000)}`),
      post({ apiVersion: '<script>'.repeat(1_000), spec: {} }),
      send(service.port, 'GET', '/books', {
        headers: { Accept: `application/json;version=${'x'.repeat(5_000)}` },
      }),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 406, 406]);
    for (const { text, headers } of responses) {
      expect(headers).toMatchObject({
        'content-type': 'application/problem+json',
        'x-content-type-options': 'nosniff',
      });
      expect((JSON.parse(text) as { detail: string }).detail.length).toBeLessThan(600);
    }
  });
});

describe('limits that settings change', () => {
  const last = (headers: number): string =>
    `GET /books HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(headers - 2)}Connection: close\r\n\r\n`;
  const limited = (environment: { [name: string]: string }): Promise<TestService> =>
    startService(testProject(), { environment });

  test('MAX_HEADERS: 431', async () => {
    const few = await limited({ MAX_HEADERS: '5' });
    expect(statuses(await sendRaw(few.port, last(5)))).toEqual([200]);
    for (const headers of [6, 7, 500]) {
      const raw = await sendRaw(few.port, last(headers));
      expect([headers, statuses(raw)]).toEqual([headers, [431]]);
      expect(raw).toContain('application/problem+json');
    }
    await few.close();
  });

  test('MAX_HEADER_BYTES: 431', async () => {
    const small = await limited({ MAX_HEADER_BYTES: '1024' });
    expect(statuses(await sendRaw(small.port, last(100)))).toEqual([200]);
    const long = last(2).replace('Host: x', `Host: x\r\nA: ${'b'.repeat(1_024)}`);
    expect(statuses(await sendRaw(small.port, long))).toEqual([431]);
    await small.close();
  });

  test('MAX_CONNECTIONS: further ones are closed, until one of them has gone', async () => {
    const narrow = await limited({ MAX_CONNECTIONS: '1' });
    const first = connect(narrow.port, '127.0.0.1');
    while ((await narrow.connections()) === 0) await setTimeout(5);
    expect(await sendRaw(narrow.port, last(2))).toBe('');
    first.destroy();
    while ((await narrow.connections()) > 0) await setTimeout(5);
    expect(statuses(await sendRaw(narrow.port, last(2)))).toEqual([200]);
    await narrow.close();
  });

  test('MAX_CONNECTIONS: one without a request makes room for the next but one', async () => {
    const narrow = await limited({ MAX_CONNECTIONS: '1' });
    const agent = new Agent({ keepAlive: true });
    expect((await send(narrow.port, 'GET', '/things', { agent })).status).toBe(200);
    expect(await sendRaw(narrow.port, last(2))).toBe('');
    while ((await narrow.connections()) > 0) await setTimeout(5);
    expect(statuses(await sendRaw(narrow.port, last(2)))).toEqual([200]);
    agent.destroy();
    await narrow.close();
  });

  test('STORE_QUEUE_WRITES: 503 for writes beyond, which are not made; all others are', async () => {
    const full = await limited({ STORE_QUEUE_WRITES: '1' });
    const post = (): Promise<HttpResponse> =>
      send(full.port, 'POST', '/things', { headers: JSON_TYPE, body: { spec: {} } });
    let [made, refused] = [0, 0];
    while (refused === 0) {
      for (const { status, headers } of await Promise.all(Array.from({ length: 50 }, post))) {
        expect([status, headers['retry-after']]).toEqual(status === 201 ? [201, undefined] : [503, '1']);
        if (status === 201) made += 1;
        else refused += 1;
      }
    }
    expect(JSON.parse((await send(full.port, 'GET', '/things')).text)).toHaveLength(made);
    await full.close();
  });

  test('STORE_QUEUE_BYTES: 503 for writes beyond, which are not made', async () => {
    const full = await limited({ STORE_QUEUE_BYTES: '1' });
    const response = await send(full.port, 'POST', '/things', { headers: JSON_TYPE, body: { spec: {} } });
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
    expect((await send(full.port, 'GET', '/things')).text).toBe('[]');
    await full.close();
  });
});
