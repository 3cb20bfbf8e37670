import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Express } from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import type { KindHooks } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, JSON_TYPE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { startService, type TestService } from '../support/harness';
import { Shop } from './exchange';
import { DATA, SHOP, shopProject } from './shop';

// The targets of references besides the resources that refer to them.

type Response = Awaited<ReturnType<typeof send>>;

interface Expanded extends Resource {
  expanded: { [field: string]: Resource | Resource[] };
}

const middleware = (app: Express): void => {
  app.use((req, _res, next) => {
    const { tenant } = req.headers;
    if (typeof tenant === 'string') setLabelScope(req, { tenant });
    next();
  });
};

const hooks: { [kind: string]: KindHooks } = {
  Supplier: { policy: { canGet: ({ resource }) => ({ allowed: resource?.spec['region'] !== 'secret' }) } },
};

onBothStores((url) => {
  let service: TestService;
  beforeEach(
    async () =>
      void (service = await startService(shopProject(), {
        ...SHOP,
        middleware,
        hooks,
        environment: { DATABASE_URL: await url() },
      })),
  );
  afterEach(() => service.close());

  const supplier = async (name: string, spec: object = {}, labels: object = {}): Promise<Resource> =>
    (await create(service.port, '/suppliers', spec, { name, labels })).resource;
  const part = async (name: string, spec: object, labels: object = {}): Promise<Resource> =>
    (await create(service.port, '/parts', { sku: name, ...spec }, { name, labels })).resource;
  const get = (path: string, headers = {}): Promise<Response> => send(service.port, 'GET', path, { headers });
  const read = async (path: string, headers = {}): Promise<Expanded> => {
    const response = await get(path, headers);
    expect([response.status, response.text]).toEqual([200, expect.any(String)]);
    return JSON.parse(response.text) as Expanded;
  };
  const items = async (path: string, headers = {}): Promise<Expanded[]> =>
    (await read(path, headers)) as unknown as Expanded[];

  test('a resource with its targets, by name and by uid, in the requested version', async () => {
    const acme = await supplier('acme', { title: 'Acme' });
    const a = await part('a', { supplier: 'acme' });
    const b = await part('b', { supplier: acme.metadata.uid, related: [a.metadata.uid, 'a'], parent: 'a' });
    const path = `/parts/${b.metadata.uid}`;
    expect(await read(`${path}?expand=spec.supplier,spec.related&expand=spec.parent,spec.spare`)).toEqual({
      ...b,
      expanded: { 'spec.supplier': acme, 'spec.related': [a, a], 'spec.parent': a },
    });
    expect(await read(`${path}?expand=spec.supplier&expand=`)).toEqual({
      ...b,
      expanded: { 'spec.supplier': acme },
    });
    expect(await read(`/parts/${a.metadata.uid}?expand=spec.related,spec.parent`)).toEqual({
      ...a,
      expanded: {},
    });
    const beta = `/apis/example.svc.dev/v1beta1/parts/${b.metadata.uid}`;
    const { expanded, ...shown } = await read(`${beta}?expand=spec.others,spec.supplier`);
    expect(shown).toEqual(await read(beta));
    const shownA = await read(`/apis/example.svc.dev/v1beta1/parts/${a.metadata.uid}`);
    const shownAcme = await read(`/apis/example.svc.dev/v1beta1/suppliers/${acme.metadata.uid}`);
    expect(expanded).toEqual({ 'spec.others': [shownA, shownA], 'spec.supplier': shownAcme });
    expect(shownAcme.apiVersion).toBe('example.svc.dev/v1beta1');
  });

  test('lists, pages and sorted lists', async () => {
    const [acme, umbrella] = [await supplier('acme'), await supplier('umbrella')];
    for (const [index, name] of ['a', 'b', 'c', 'd'].entries())
      await part(name, { supplier: index % 2 === 0 ? 'acme' : 'umbrella', price: -index + 9, related: [] });
    const shown = (parts: Expanded[]) =>
      parts.map(
        ({ metadata, expanded }) =>
          `${metadata.name} ${(expanded['spec.supplier'] as Resource).metadata.name}`,
      );
    const all = await items('/parts?expand=spec.supplier,spec.related');
    expect(shown(all)).toEqual(['a acme', 'b umbrella', 'c acme', 'd umbrella']);
    expect(all[0]['expanded']).toEqual({ 'spec.supplier': acme, 'spec.related': [] });
    expect(all[1]['expanded']['spec.supplier']).toEqual(umbrella);
    const page = await get('/parts?expand=spec.supplier&sort=spec.price&limit=3');
    expect(shown(JSON.parse(page.text) as Expanded[])).toEqual(['d umbrella', 'c acme', 'b umbrella']);
    const next = /^<([^>]*)>/.exec(page.headers.link as string)![1];
    expect(shown(await items(next))).toEqual(['a acme']);
    expect(await items('/parts?expand=spec.supplier&limit=2&fieldSelector=spec.price%3C0')).toEqual([]);
  });

  test('targets that the caller may not get are left out', async () => {
    await supplier('open', {}, { tenant: 'acme' });
    await supplier('hidden', { region: 'secret' }, { tenant: 'acme' });
    await supplier('foreign', {}, { tenant: 'umbrella' });
    for (const name of ['open', 'hidden', 'foreign'])
      await part(`of-${name}`, { supplier: name }, { tenant: 'acme' });
    const found = async (headers = {}): Promise<(string | undefined)[]> =>
      (await items('/parts?expand=spec.supplier', headers)).map(
        ({ expanded }) => (expanded['spec.supplier'] as Resource | undefined)?.metadata.name,
      );
    expect(await found()).toEqual(['open', undefined, 'foreign']);
    expect(await found({ tenant: 'acme' })).toEqual(['open', undefined, undefined]);
    const response = await get('/parts?expand=spec.supplier');
    expect(response.headers['cache-control']).toMatch(/^private/);
    expect((await get('/parts')).headers['cache-control']).not.toMatch(/private/);
  });

  test('an expanded response has no tag and is never 304', async () => {
    await supplier('acme');
    const { metadata } = await part('a', { supplier: 'acme' });
    const path = `/parts/${metadata.uid}`;
    const { etag } = (await get(path)).headers;
    expect((await get(path, { 'If-None-Match': etag })).status).toBe(304);
    const expanded = `${path}?expand=spec.supplier`;
    for (const headers of [
      {},
      { 'If-None-Match': etag },
      { 'If-None-Match': '*' },
      { 'If-Modified-Since': new Date().toUTCString() },
    ]) {
      const response = await get(expanded, headers);
      expect([response.status, response.headers.etag, response.headers['last-modified']]).toEqual([
        200,
        undefined,
        undefined,
      ]);
    }
    expect((await get(expanded, { 'If-Match': '"other"' })).status).toBe(412);
    const [head, whole] = [await send(service.port, 'HEAD', expanded), await get(expanded)];
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      whole.headers['content-length'],
    ]);
  });

  test.each([
    ['/parts', 'spec.sku', 400],
    ['/parts', 'spec.suplier', 400],
    ['/parts', 'spec.supplier,spec.price', 400],
    ['/parts', 'spec', 400],
    ['/apis/example.svc.dev/v1beta1/parts', 'spec.related', 400],
    ['/apis/example.svc.dev/v1beta1/parts', 'spec.others', 200],
    ['/suppliers', 'spec.title', 400],
  ])('%s?expand=%s: %d', async (path, names, want) => {
    await supplier('acme');
    await part('a', {});
    expect((await get(`${path}?expand=${names}`)).status).toBe(want);
    const [{ metadata }] = await items(path);
    expect((await get(`${path}/${metadata.uid}?expand=${names}`)).status).toBe(want);
  });

  test('what is sent back is accepted: expanded is ignored', async () => {
    await supplier('acme');
    const { metadata } = await part('a', { supplier: 'acme' });
    const path = `/parts/${metadata.uid}`;
    const body = await read(`${path}?expand=spec.supplier`);
    const put = await send(service.port, 'PUT', path, { headers: JSON_TYPE, body });
    expect([put.status, put.text]).toEqual([200, expect.not.stringContaining('expanded')]);
    const { name: _, ...rest } = body.metadata;
    const post = await send(service.port, 'POST', '/parts', {
      headers: JSON_TYPE,
      body: { ...body, metadata: rest, spec: { ...body.spec, sku: 'new' } },
    });
    expect([post.status, post.text]).toEqual([201, expect.not.stringContaining('expanded')]);
    const status = await send(service.port, 'PUT', `${path}/status`, {
      headers: JSON_TYPE,
      body: { ...body, status: {} },
    });
    expect(status.status).toBe(200);
  });

  test('the targets of a page come in one query for each kind', async () => {
    const indexes = service.service.store.indexes!;
    for (let index = 0; index < 3; index++) await supplier(`s${index}`);
    for (let index = 0; index < 30; index++)
      await part(`p${index}`, {
        supplier: `s${index % 3}`,
        ...(index > 1 && { related: ['p0', `p${index - 1}`] }),
      });
    await items('/parts');
    const asked: [string, number][] = [];
    const findAll = indexes.findAll.bind(indexes);
    indexes.findAll = (kind, entries, maxText) => {
      asked.push([kind, entries.length]);
      return findAll(kind, entries, maxText);
    };
    const found = await items('/parts?expand=spec.supplier,spec.related&limit=30');
    expect(
      found.map(({ expanded }) => Object.keys(expanded).length).filter((count) => count === 2),
    ).toHaveLength(28);
    expect(asked).toEqual([
      ['example.svc.dev/Supplier', 3],
      ['example.svc.dev/Part', 29],
    ]);
  });

  test('many large targets are sent one after the other, within the memory of the service', async () => {
    await service.close();
    service = await startService(shopProject(), {
      data: DATA,
      environment: {
        DATABASE_URL: await url(),
        MEMORY_BUDGET_BYTES: '16000000',
        MAX_BODY_BYTES: '4000000',
      },
    });
    const title = 'x'.repeat(500_000);
    for (let index = 0; index < 3; index++) await supplier(`s${index}`, { title });
    await part('p', { serial: title });
    const related = Array.from({ length: 40 }, () => 'p');
    for (let index = 0; index < 4; index++) await part(`p${index}`, { supplier: `s${index % 3}`, related });
    let most = 0;
    const { memory } = service.service;
    const reserve = memory.reserve.bind(memory);
    memory.reserve = (use, bytes, client) => {
      most = Math.max(most, bytes);
      return reserve(use, bytes, client);
    };
    const found = await items('/parts?expand=spec.related,spec.supplier');
    expect(found.map(({ expanded }) => (expanded['spec.related'] as Resource[] | undefined)?.length)).toEqual(
      [undefined, 40, 40, 40, 40],
    );
    expect(most).toBeLessThan(4_000_000);
    expect([memory.used('response'), memory.used('stored')]).toEqual([0, 0]);
  });
});

test('memory is reserved for many references while a client does not read', async () => {
  const shop = await Shop.start('sqlite::memory:');
  const { port, service } = shop.running;
  await shop.part('a');
  const related = Array.from({ length: 100_000 }, () => 'a');
  await shop.part('many', { related });
  const socket = connect(port, '127.0.0.1').pause();
  socket.write('GET /parts/many?expand=spec.related HTTP/1.1\r\nHost: test\r\n\r\n');
  while (service.memory.used('response') < 32 * related.length) await setImmediate();
  socket.destroy();
  await shop.close();
});
