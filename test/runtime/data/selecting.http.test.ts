import type { Express } from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import type { KindHooks } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';
import { SHOP, shopProject } from './shop';

// Lists of the shop that are selected and sorted by fields, over HTTP on a database in memory.

type Response = Awaited<ReturnType<typeof send>>;

const V1 = '/apis/example.svc.dev/v1/parts';
const BETA = '/apis/example.svc.dev/v1beta1/parts';

/** Confines a request to a tenant. */
const middleware = (app: Express): void => {
  app.use((req, _res, next) => {
    const { tenant } = req.headers;
    if (typeof tenant === 'string') setLabelScope(req, { tenant });
    next();
  });
};

/** Secret parts are shown to nobody. */
const hooks: { [kind: string]: KindHooks } = {
  Part: { policy: { canGet: ({ resource }) => ({ allowed: resource?.spec['serial'] !== 'secret' }) } },
};

let service: TestService;
/** Set while several tests share the service. */
let isShared = false;
afterEach(async () => {
  if (!isShared) await service.close();
});

const start = async (options = {}): Promise<void> =>
  void (service = await startService(shopProject(), { ...SHOP, middleware, ...options }));

const names = ({ text }: Response): string =>
  (JSON.parse(text) as Resource[]).map(({ metadata }) => metadata.name).join('');

const get = (
  path: string,
  query: { [name: string]: string | undefined } = {},
  headers = {},
): Promise<Response> => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.append(name, value);
  return send(service.port, 'GET', `${path}?${parameters.toString()}`, { headers });
};

const nextOf = ({ headers }: Response): string | undefined =>
  /^<([^>]*)>; rel="next"$/.exec((headers['link'] as string | undefined) ?? '')?.[1];

/** The names on all pages from a URL on. */
async function walk(path: string, headers = {}): Promise<string[]> {
  const pages: string[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const response: Response = await send(service.port, 'GET', next, { headers });
    expect(response.status).toBe(200);
    pages.push(names(response));
    next = nextOf(response);
  }
  return pages;
}

/** Creates parts that are named by letters. */
async function stock(specs: object[], labels: object = {}): Promise<void> {
  for (const [index, spec] of specs.entries()) {
    const name = String.fromCharCode(97 + index);
    await create(service.port, '/parts', { sku: `s-${name}`, ...spec }, { name, labels });
  }
}

const STOCK = [
  { price: 1, tags: ['x', 'y'] },
  { price: 2.5, tags: ['y', 'y'] },
  { tags: [] },
  { price: 0, serial: 'a,b (c)' },
  { price: 2.5, sku: 'Ünï\u{1f600}' },
];

describe('selectors', () => {
  beforeAll(async () => {
    await start();
    await stock(STOCK);
    isShared = true;
  });
  afterAll(async () => {
    isShared = false;
    await service.close();
  });

  test.each<[path: string, selector: string, want: string]>([
    [V1, '', 'abcde'],
    [V1, 'spec.price', 'abde'],
    [V1, '!spec.price', 'c'],
    [V1, 'spec.price>=1', 'abe'],
    [V1, 'spec.price>1, spec.price<=2.5', 'be'],
    [V1, 'spec.price=2.50', 'be'],
    [V1, 'spec.price!=2.5', 'acd'],
    [V1, 'spec.price notin (0,1)', 'bce'],
    [V1, 'spec.tags=y', 'ab'],
    [V1, 'spec.tags!=x', 'bcde'],
    [V1, 'spec.tags', 'abc'],
    [V1, '!spec.tags', 'de'],
    [V1, 'spec.tags in (x,z)', 'a'],
    [V1, 'spec.sku=Ünï\u{1f600}', 'e'],
    [V1, 'spec.sku>s-b', 'cde'],
    [V1, 'metadata.name in (a,c,none)', 'ac'],
    [V1, 'metadata.createdAt>2020-01-01T00:00:00Z', 'abcde'],
    [V1, 'metadata.updatedAt<2020-01-01T00:00:00Z', ''],
    [BETA, 'spec.cents=250', 'be'],
    [BETA, 'spec.cents>=100,spec.code!=s-a', 'be'],
    [BETA, '!spec.cents', 'c'],
  ])('%s?fieldSelector=%s', async (path, fieldSelector, want) => {
    const response = await get(path, { fieldSelector });
    expect([response.status, names(response)]).toEqual([200, want]);
    expect(response.headers).not.toHaveProperty('warning');
  });

  test('several apply, with labels and limits; + is a space', async () => {
    const response = await send(
      service.port,
      'GET',
      '/parts?fieldSelector=spec.price+%3E+0&fieldSelector=spec.tags&limit=1',
    );
    expect(names(response)).toBe('a');
    expect(await walk(nextOf(response)!)).toEqual(['b']);
    expect(names(await get('/parts', { fieldSelector: 'spec.price', labelSelector: 'env' }))).toBe('');
  });

  test.each<[path: string, query: object, detail: RegExp]>([
    [
      V1,
      { fieldSelector: 'spec.cents=1' },
      /"spec\.cents" is not a selectable field of Part in v1; there are: metadata\.name, /,
    ],
    [BETA, { fieldSelector: 'spec.price=1' }, /there are: .*, spec\.cents, /],
    [V1, { fieldSelector: 'spec.serial=a' }, /spec\.serial/],
    [V1, { fieldSelector: 'spec.price=cheap' }, /spec\.price is a number, not "cheap"/],
    [V1, { fieldSelector: 'spec.price==1==2' }, /position/],
    [V1, { sort: 'spec.tags' }, /"spec\.tags" is not a sortable field/],
    [V1, { sort: 'spec.price,spec.sku' }, /one field/],
    [V1, { sort: '' }, /sort/],
  ])('400: %s %j', async (path, query, detail) => {
    const response = await get(path, query as { [name: string]: string });
    expect([response.status, JSON.parse(response.text)]).toEqual([
      400,
      expect.objectContaining({ detail: expect.stringMatching(detail) as string }),
    ]);
  });

  test.each<[query: string, want: string]>([
    ['sort=spec.price', 'dabec'],
    ['sort=-spec.price', 'cbead'],
    ['sort=spec.price,-metadata.createdAt', 'daebc'],
    ['sort=-spec.price,-metadata.createdAt', 'cebad'],
    ['sort=metadata.createdAt', 'abcde'],
    ['sort=-metadata.createdAt', 'edcba'],
    ['sort=-metadata.name', 'edcba'],
    ['sort=-metadata.createdAt&fieldSelector=spec.price', 'edba'],
    ['sort=-spec.sku&fieldSelector=spec.price%3E=1', 'eba'],
    ['sort=spec.price&fieldSelector=spec.price%3E0,spec.tags', 'ab'],
  ])('%s', async (query, want) => {
    expect(names(await send(service.port, 'GET', `/parts?${query}`))).toBe(want);
    expect((await walk(`/parts?${query}&limit=1`)).join('')).toBe(want);
    expect((await walk(`/parts?limit=2&${query}`)).join('')).toBe(want);
  });

  test('a spoke sorts by what it shows', async () => {
    expect(names(await get(BETA, { sort: '-spec.cents' }))).toBe('cbead');
    expect((await get(BETA, { sort: '-spec.price' })).status).toBe(400);
  });

  test('a cursor is valid for the same selectors, order and version alone', async () => {
    const query = { fieldSelector: 'spec.price', sort: 'spec.sku', labelSelector: '!none', limit: '1' };
    const next = new URLSearchParams(nextOf(await get(V1, query))!.split('?')[1]).get('continue')!;
    const status = async (path: string, changes: { [name: string]: string | undefined }): Promise<number> =>
      (await get(path, { ...query, continue: next, ...changes })).status;
    expect(await status(V1, {})).toBe(200);
    expect(await status('/parts', { limit: '3' })).toBe(200);
    expect(await status(V1, { fieldSelector: '  spec.price ' })).toBe(200);
    for (const changes of [
      { fieldSelector: 'spec.price>0' },
      { fieldSelector: undefined },
      { sort: '-spec.sku' },
      { sort: 'spec.price' },
      { sort: undefined },
      { labelSelector: undefined },
      { labelSelector: '!other' },
      { continue: `${next}x` },
      { continue: Buffer.from('1').toString('base64url') },
      { continue: '' },
    ])
      expect([changes, await status(V1, changes)]).toEqual([changes, 400]);
    const beta = { fieldSelector: 'metadata.name', sort: 'metadata.name', limit: '1' };
    const cursor = new URLSearchParams(nextOf(await get(V1, beta))!.split('?')[1]).get('continue')!;
    expect((await get(V1, { ...beta, continue: cursor })).status).toBe(200);
    expect((await get(BETA, { ...beta, continue: cursor })).status).toBe(400);
    expect((await get('/suppliers', { ...beta, continue: cursor })).status).toBe(400);
  });

  test('unknown parameters still produce a warning', async () => {
    const response = await get('/parts', { fieldselector: 'x', sort: 'spec.price' });
    expect(response.headers['warning']).toBe('299 - "unknown query parameter fieldselector"');
  });

  test('HEAD has the headers of GET', async () => {
    const path = '/parts?sort=spec.price&limit=2';
    const [head, whole] = [await send(service.port, 'HEAD', path), await send(service.port, 'GET', path)];
    expect([head.status, head.text, head.headers['content-length'], head.headers.link]).toEqual([
      200,
      '',
      whole.headers['content-length'],
      whole.headers.link,
    ]);
  });
});

describe('a kind without selectable fields', () => {
  test.each(['fieldSelector=spec.title%3Da', 'fieldSelector=', 'sort=metadata.name', 'expand=spec.title'])(
    '400: %s',
    async (query) => {
      service = await startService(testProject());
      expect((await send(service.port, 'GET', `/books?${query}`)).status).toBe(400);
    },
  );

  test('is not changed by one that others refer to', async () => {
    await start({ data: { ...SHOP.data, Supplier: { isReferable: true } } });
    expect((await get('/suppliers', { sort: 'metadata.name' })).status).toBe(400);
    await create(service.port, '/suppliers', {});
    await create(service.port, '/suppliers', {});
    expect(await walk('/suppliers?limit=1')).toHaveLength(2);
  });
});

describe('entries follow their resources', () => {
  test('through every version, status and deletion', async () => {
    await start();
    await stock([{ price: 1 }, { price: 2 }]);
    const found = async (path: string, fieldSelector: string): Promise<string> =>
      names(await get(path, { fieldSelector }));
    const [{ metadata }] = JSON.parse((await get('/parts')).text) as Resource[];
    const item = `${BETA}/${metadata.uid}`;
    await send(service.port, 'PATCH', item, { headers: MERGE, body: { spec: { cents: 333 } } });
    expect([await found(V1, 'spec.price=3.33'), await found(BETA, 'spec.cents=333')]).toEqual(['a', 'a']);
    expect([await found(V1, 'spec.price=1'), await found(BETA, 'spec.cents=100')]).toEqual(['', '']);
    const body = { status: { phase: 'Ready' } };
    await send(service.port, 'PUT', `${item}/status`, { headers: JSON_TYPE, body });
    expect(await found(V1, 'status.phase=Ready')).toBe('a');
    await send(service.port, 'DELETE', item);
    expect(await found(V1, 'spec.sku')).toBe('b');
  });
});

describe('pages', () => {
  test('of texts that are longer than a chunk, in both directions of ties', async () => {
    await start();
    const tags = ['x'.repeat(400)];
    const related = Array.from({ length: 3_000 }, (_, index) => `${index}`.padStart(20, '0'));
    for (let index = 0; index < 12; index++) {
      const name = String.fromCharCode(97 + index);
      const large = index % 5 === 0 ? { serial: related.join('') } : {};
      await create(service.port, '/parts', { sku: `s${index}`, price: index % 3, tags, ...large }, { name });
    }
    const order = (newest: boolean, descending: boolean): string =>
      [...'abcdefghijkl']
        .map((name, index) => ({ name, index, price: index % 3 }))
        .sort(
          (a, b) =>
            (descending ? b.price - a.price : a.price - b.price) ||
            (newest ? b.index - a.index : a.index - b.index),
        )
        .map(({ name }) => name)
        .join('');
    for (const descending of [false, true])
      for (const newest of [false, true]) {
        const sort = `sort=${descending ? '-' : ''}spec.price${newest ? ',-metadata.createdAt' : ''}`;
        for (const limit of [1, 5, 11, 12, 100])
          expect((await walk(`/parts?${sort}&limit=${limit}`)).join('')).toBe(order(newest, descending));
        expect(names(await send(service.port, 'GET', `/parts?${sort}`))).toBe(order(newest, descending));
      }
  });

  test('while others create, change and delete: whose key does not change is seen exactly once', async () => {
    await start();
    for (let index = 0; index < 120; index++)
      await create(
        service.port,
        '/parts',
        { sku: `s${index}`, price: index % 7 },
        { labels: { stay: 'yes' } },
      );
    let walking = true;
    const disturb = async (): Promise<void> => {
      for (let round = 0; walking; round++) {
        const { path } = await create(service.port, '/parts', { sku: `g${Math.random()}`, price: round % 7 });
        await send(service.port, 'PATCH', path, {
          headers: MERGE,
          body: { spec: { price: (round * 3) % 7 } },
        });
        await send(service.port, 'DELETE', path);
      }
    };
    const disturbance = Promise.all([disturb(), disturb(), disturb()]);
    for (const sort of ['spec.price', '-spec.price,-metadata.createdAt', '-metadata.createdAt']) {
      const uids: string[] = [];
      for (let next: string | undefined = `/parts?sort=${sort}&limit=7`; next !== undefined;) {
        const response: Response = await send(service.port, 'GET', next);
        for (const { metadata } of JSON.parse(response.text) as Resource[])
          if (metadata.labels?.['stay'] === 'yes') uids.push(metadata.uid);
        next = nextOf(response);
      }
      expect([uids.length, new Set(uids).size]).toEqual([120, 120]);
    }
    walking = false;
    await disturbance;
  });
});

describe('who may see it', () => {
  test('a scope confines selectors and orders', async () => {
    await start();
    await stock(STOCK.slice(0, 2), { tenant: 'acme' });
    await create(
      service.port,
      '/parts',
      { sku: 'other', price: 2.5 },
      { name: 'z', labels: { tenant: 'umbrella' } },
    );
    const acme = { tenant: 'acme' };
    expect(names(await get('/parts', { fieldSelector: 'spec.price=2.5' }, acme))).toBe('b');
    expect(await walk('/parts?sort=-spec.price&limit=1', acme)).toEqual(['b', 'a']);
  });

  test('no cursor names the value of a resource that the policy refuses', async () => {
    await start({ hooks });
    const secret = { serial: 'secret', price: 99 };
    await stock([{ price: 1 }, secret, secret, { price: 98 }, secret, secret, { price: 100 }, secret]);
    const pages: string[] = [];
    for (let next: string | undefined = '/parts?sort=spec.price&limit=2'; next !== undefined;) {
      const response: Response = await send(service.port, 'GET', next);
      pages.push(names(response));
      next = nextOf(response);
      const cursor = next && new URLSearchParams(next.split('?')[1]).get('continue');
      const key = cursor && Buffer.from(cursor, 'base64url').toString().split(' ')[1];
      if (key) expect(Buffer.from(key, 'base64url').readDoubleBE() * -1).not.toBe(99);
    }
    expect(pages.join('')).toBe('adg');
    expect(names(await get('/parts', { sort: '-spec.price' }))).toBe('gda');
  });
});
