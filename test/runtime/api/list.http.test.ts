import { connect } from 'node:net';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

let service: TestService;
beforeEach(async () => void (service = await startService(testProject())));
afterEach(() => service.close());

const SPEC = { title: 'a', author: 'b' };

const names = ({ text }: HttpResponse): string[] =>
  (JSON.parse(text) as Resource[]).map(({ metadata }) => metadata.name);

/** Creates Books with these labels, named by their position. */
async function library(labels: object[]): Promise<void> {
  for (const [index, each] of labels.entries()) {
    await create(service.port, '/books', SPEC, { name: String(index), labels: each });
  }
}

/** Returns the path of the next page, from `Link`. */
function nextOf({ headers }: HttpResponse): string | undefined {
  return /^<([^>]*)>; rel="next"$/.exec((headers['link'] as string | undefined) ?? '')?.[1];
}

test('an empty collection, then all in order of creation', async () => {
  const empty = await send(service.port, 'GET', '/books');
  expect([empty.status, empty.text, empty.headers['content-type']]).toEqual([200, '[]', 'application/json']);
  await library([{}, {}, {}]);
  const all = await send(service.port, 'GET', '/books/');
  expect(names(all)).toEqual(['0', '1', '2']);
  expect(all.headers).toMatchObject({ vary: 'Accept', 'x-content-type-options': 'nosniff' });
  expect(all.headers).not.toHaveProperty('link');
  const items = await Promise.all(
    (JSON.parse(all.text) as Resource[]).map(({ metadata }) =>
      send(service.port, 'GET', `/apis/example.svc.dev/v1/books/${metadata.uid}`),
    ),
  );
  expect(all.text).toBe(`[${items.map(({ text }) => text).join(',')}]`);
  const head = await send(service.port, 'HEAD', '/books');
  expect([head.status, head.text, head.headers['content-length']]).toEqual([
    200,
    '',
    String(Buffer.byteLength(all.text)),
  ]);
});

describe('selectors', () => {
  beforeEach(() =>
    library([
      { env: 'prod', tier: 'db' },
      { env: 'prod', tier: 'web' },
      { env: 'dev', tier: 'db' },
      { env: 'dev' },
      { owner: 'a=b', empty: '', 'é/☃': '\ud83d\ude00' },
      {},
      { constructor: 'x' },
    ]),
  );

  const encode = (selector: string): string => encodeURIComponent(selector);
  test.each<[query: string, want: string]>([
    ['', '0123456'],
    ['labelSelector=', '0123456'],
    [`labelSelector=${encode('env=prod')}`, '01'],
    ['labelSelector=env=prod', '01'],
    [`labelSelector=${encode('env==prod')}`, '01'],
    [`labelSelector=${encode('env = prod , tier != db')}`, '1'],
    ['labelSelector=env+%3D+prod', '01'],
    [`labelSelector=${encode('env!=prod')}`, '23456'],
    [`labelSelector=${encode('env in (prod, dev)')}`, '0123'],
    [`labelSelector=${encode('env notin (prod)')}`, '23456'],
    [`labelSelector=${encode('env,tier')}`, '012'],
    [`labelSelector=${encode('!env')}`, '456'],
    [`labelSelector=${encode('env,!tier')}`, '3'],
    [`labelSelector=${encode('empty=')}`, '4'],
    [`labelSelector=${encode('é/☃=😀')}`, '4'],
    ['labelSelector=env=prod&labelSelector=tier=web', '1'],
    ['labelSelector=env=prod,env=dev', ''],
    ['label=env=prod', '01'],
    ['label=env=prod&label=tier=db', '0'],
    ['label=env', '0123'],
    ['label=owner=a=b', '4'],
    ['label=owner%3Da%3Db', '4'],
    ['label=empty=', '4'],
    ['label=env=prod&labelSelector=tier!=db', '1'],
    ['label=env=nowhere', ''],
    ['label=constructor', '6'],
    ['label=toString', ''],
    ['labelSelector=!constructor', '012345'],
  ])('?%s', async (query, want) => {
    const response = await send(service.port, 'GET', `/books?${query}`);
    expect([response.status, names(response).join('')]).toEqual([200, want]);
    expect(response.headers).not.toHaveProperty('warning');
  });

  test.each([
    'labelSelector=%3D%3D',
    'labelSelector=env%20in%20prod',
    'labelSelector=env%20in%20()',
    'labelSelector=a,,b',
    'labelSelector=a,',
    'labelSelector=env%20prod',
    'labelSelector=a%3Eb',
    'label=',
    'label==x',
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'limit=1&limit=2',
    'continue=x',
    'continue=',
    'continue=MSBvdGhlci9LaW5k',
    'label=%zz',
    '%ff=1',
    `labelSelector=${Array.from({ length: 101 }, (_, index) => `k${index}`).join(',')}`,
  ])('400: ?%s', async (query) => {
    const response = await send(service.port, 'GET', `/books?${query}`);
    expect([response.status, response.headers['content-type']]).toEqual([400, 'application/problem+json']);
  });

  test('a label follows its resource', async () => {
    const [{ metadata }] = JSON.parse(
      (await send(service.port, 'GET', '/books?label=tier=web')).text,
    ) as Resource[];
    const body = { metadata: { labels: { env: null, tier: 'cache' } } };
    await send(service.port, 'PATCH', `/books/${metadata.uid}`, { headers: MERGE, body });
    expect(names(await send(service.port, 'GET', '/books?label=env=prod'))).toEqual(['0']);
    expect(names(await send(service.port, 'GET', '/books?label=tier=cache'))).toEqual(['1']);
    await send(service.port, 'DELETE', `/books/${metadata.uid}`);
    expect(names(await send(service.port, 'GET', '/books?label=tier'))).toEqual(['0', '2']);
  });
});

describe('pages', () => {
  /** Returns the contents of all pages from a path on. */
  async function walk(path: string): Promise<string[][]> {
    const pages: string[][] = [];
    for (let next: string | undefined = path; next !== undefined;) {
      const response: HttpResponse = await send(service.port, 'GET', next);
      expect(response.status).toBe(200);
      pages.push(names(response));
      next = nextOf(response);
    }
    return pages;
  }

  test.each<[string, string[]]>([
    ['limit=1', ['0', '1', '2', '3', '4']],
    ['limit=2', ['01', '23', '4']],
    ['limit=4', ['0123', '4']],
    ['limit=5', ['01234']],
    ['limit=9', ['01234']],
    ['limit=00002', ['01', '23', '4']],
    ['limit=99999999999999999999', ['01234']],
    ['label=odd=no&limit=2', ['02', '4']],
    ['limit=1&labelSelector=odd+in+(yes)', ['1', '3']],
    ['limit=2&label=none', ['']],
    ['limit=3&continue=', []],
  ])('?%s', async (query, want) => {
    await library([0, 1, 2, 3, 4].map((index) => ({ odd: index % 2 === 0 ? 'no' : 'yes' })));
    if (want.length === 0)
      return expect((await send(service.port, 'GET', `/books?${query}`)).status).toBe(400);
    for (const path of ['/books', '/apis/example.svc.dev/v1/books']) {
      expect((await walk(`${path}?${query}`)).map((page) => page.join(''))).toEqual(want);
    }
  });

  test('the limit is capped', async () => {
    const small = await startService(testProject(), { environment: { MAX_PAGE_SIZE: '2' } });
    try {
      for (let index = 0; index < 3; index++) await create(small.port, '/books', SPEC);
      expect(names(await send(small.port, 'GET', '/books?limit=3'))).toHaveLength(2);
      expect(names(await send(small.port, 'GET', '/books'))).toHaveLength(3);
    } finally {
      await small.close();
    }
  });

  test('a cursor is good for its collection alone', async () => {
    await library([{}, {}]);
    const next = nextOf(await send(service.port, 'GET', '/books?limit=1'))!;
    expect((await send(service.port, 'GET', next)).status).toBe(200);
    expect((await send(service.port, 'GET', next.replace('/books', '/things'))).status).toBe(400);
    expect((await send(service.port, 'GET', `${next}x`)).status).toBe(400);
  });

  test('the link stays an address, whatever else the query holds', async () => {
    await library([{}, {}]);
    const response = await send(service.port, 'GET', '/books?limit=1&a>b=%22;rel="x"&colour=red');
    expect(nextOf(response)).toMatch(/^\/books\?limit=1&a%3Eb=%22;rel=%22x%22&colour=red&continue=[\w-]+$/);
    expect(await walk('/books?limit=1&a>b="')).toEqual([['0'], ['1']]);
  });

  test('the link has the next cursor in place of the last, in whatever way that was written', async () => {
    await library([{}, {}, {}]);
    const next = nextOf(await send(service.port, 'GET', '/books?limit=1'))!;
    expect(await walk(next.replace('continue=', '%63ontinue='))).toEqual([['1'], ['2']]);
  });

  test('a page of large resources ends early, and the next goes on', async () => {
    const any = 'x'.repeat(1_000_000);
    for (let index = 0; index < 20; index++) await create(service.port, '/things', { any });
    const pages = await walk('/things?limit=1000');
    expect(pages.map((page) => page.length)).toEqual([17, 3]);
    const all = await send(service.port, 'GET', '/things');
    expect(names(all)).toEqual(pages.flat());
  });

  test('while others create, change and delete: what exists throughout is seen exactly once', async () => {
    await library(Array.from({ length: 200 }, () => ({ stay: 'yes' })));
    const stay = names(await send(service.port, 'GET', '/books'));
    let walking = true;
    const disturb = async (): Promise<void> => {
      while (walking) {
        const { path } = await create(service.port, '/books', SPEC, { name: 'guest' });
        await send(service.port, 'PUT', path, { headers: JSON_TYPE, body: { spec: { ...SPEC, price: 1 } } });
        const [first] = JSON.parse((await send(service.port, 'GET', '/books?limit=1')).text) as Resource[];
        const item = `/books/${first.metadata.uid}`;
        await send(service.port, 'PATCH', item, {
          headers: MERGE,
          body: { metadata: { annotations: { a: 'b' } } },
        });
        await send(service.port, 'DELETE', path);
      }
    };
    const disturbance = Promise.all([disturb(), disturb(), disturb(), disturb()]);
    for (const query of ['limit=7', 'limit=13&label=stay=yes', '']) {
      const seen = (await walk(`/books?${query}`)).flat().filter((name) => name !== 'guest');
      expect(seen).toEqual(stay);
    }
    walking = false;
    await disturbance;
  });
});

test('unknown parameters are named in Warning headers, those of other endpoints too', async () => {
  await library([{}]);
  const [{ metadata }] = JSON.parse((await send(service.port, 'GET', '/books')).text) as Resource[];
  const rows: [string, string][] = [
    ['/books?colour=red&limit=1', 'colour'],
    ['/books?labelselector=a', 'labelselector'],
    [`/books/${metadata.uid}?version=x`, 'version'],
    ['/books?%22%0d%0a%C3%A9=1', '\\"%0D%0A%C3%A9'],
  ];
  for (const [path, want] of rows) {
    const response = await send(service.port, 'GET', path);
    expect([response.status, response.headers['warning']]).toEqual([
      200,
      `299 - "unknown query parameter ${want}"`,
    ]);
  }
  const many = Array.from({ length: 500 }, (_, index) => `p${index}`).join('&');
  expect((await send(service.port, 'GET', `/books?${many}`)).status).toBe(200);
});

test.each([
  ['1.1', 'end'],
  // There, the end of a connection is that of a body: proxies would take half a list for the whole.
  ['1.0', 'ECONNRESET'],
])('a list that fails halfway is cut off, in HTTP/%s: %s', async (version, want) => {
  const canGet = ({ resource }: { resource?: Resource }): { allowed: boolean } => {
    if (resource?.metadata.name === 'last') throw new Error('as it is tested');
    return { allowed: true };
  };
  const failing = await startService(testProject(), { hooks: { Thing: { policy: { canGet } } } });
  for (let count = 0; count < 8; count++) await create(failing.port, '/things', { any: 'x'.repeat(500_000) });
  await create(failing.port, '/things', {}, { name: 'last' });
  const socket = connect(failing.port, '127.0.0.1');
  let last = '';
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (last = code!)).on('end', () => (last = 'end'));
  socket.resume().write(`GET /things HTTP/${version}\r\nHost: a\r\n\r\n`);
  await new Promise((closed) => socket.on('close', closed));
  expect(last).toBe(want);
  await failing.close();
});
