import type { Policy } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { OLDEST } from '../../../templates/runtime/store/events/event-log';
import { onBothStores } from '../support/databases';
import { Shop } from './exchange';

const ACME = { tenant: 'acme' };
const OTHER = { tenant: 'umbrella' };
const SPOKE = '/apis/example.svc.dev/v1beta1/parts';

onBothStores((url) => {
  let shop: Shop;
  beforeAll(async () => void (shop = await Shop.start(await url(), { environment: { CASCADE_MAX: '20' } })));
  afterAll(() => shop?.close());

  const gone = async (path: string): Promise<boolean> => (await shop.get(path)).status === 404;

  describe('a target', () => {
    test.each([
      ['/parts', { sku: 'm', supplier: 'nobody' }, ['#/spec/supplier ref=Supplier']],
      ['/parts', { sku: 'm', supplier: 'sup-0123456789abcdef' }, ['#/spec/supplier ref=Supplier']],
      [
        '/parts',
        { sku: 'm', related: ['x', 'y', 'x'] },
        ['#/spec/related/0 ref=Part', '#/spec/related/1 ref=Part', '#/spec/related/2 ref=Part'],
      ],
      [SPOKE, { code: 'm', others: ['x'] }, ['#/spec/others/0 ref=Part']],
    ])('must exist: %s %j', async (path, spec, wanted) => {
      const { status, failures } = await shop.send('POST', path, { spec });
      expect([status, failures]).toEqual([400, wanted]);
    });

    test('is named by its uid or its name, and stored as it was written', async () => {
      const { metadata } = await shop.create('/suppliers', 'named');
      for (const supplier of ['named', metadata.uid]) {
        const { spec } = await shop.part(`names-${supplier}`, { supplier });
        expect(spec['supplier']).toBe(supplier);
      }
    });

    test('may be the resource itself, by its name', async () => {
      await shop.part('itself', { parent: 'itself', related: ['itself'] });
      expect((await shop.delete('/parts/itself')).status).toBe(200);
    });

    test('of another scope does not exist, but a reference that was there before stays', async () => {
      await shop.create('/suppliers', 'of-acme', {}, ACME);
      const spec = { sku: 'scoped', supplier: 'of-acme' };
      const { status, failures } = await shop.send('POST', '/parts', { spec }, OTHER);
      expect([status, failures]).toEqual([400, ['#/spec/supplier ref=Supplier']]);
      await shop.part('scoped', spec, ACME);
      await shop.create('/suppliers', 'of-nobody');
      await shop.part('crossing', { supplier: 'of-nobody' });
      expect(
        (await shop.send('PATCH', '/parts/crossing', { metadata: { labels: { tenant: 'acme' } } })).status,
      ).toBe(200);
      expect((await shop.send('PATCH', '/parts/crossing', { spec: { price: 1 } }, ACME)).status).toBe(200);
      expect(
        (await shop.send('PATCH', '/parts/scoped', { spec: { supplier: 'of-nobody' } }, ACME)).status,
      ).toBe(400);
    });

    test('400 for a missing one comes before 409', async () => {
      await shop.part('order', { sku: 'order' });
      const body = { metadata: { name: 'order' }, spec: { sku: 'order', supplier: 'nobody' } };
      expect((await shop.send('POST', '/parts', body)).status).toBe(400);
    });
  });

  describe('restrict', () => {
    test('a deletion is refused with up to ten referrers, and pointers in the version', async () => {
      const { metadata } = await shop.create('/suppliers', 'busy');
      const parts = [];
      for (let n = 0; n < 12; n++)
        parts.push(await shop.part(`busy-${n}`, { supplier: n % 2 ? 'busy' : metadata.uid }));
      const { status, problem } = await shop.delete('/suppliers/busy');
      expect(status).toBe(409);
      expect(problem.referrers).toEqual(
        parts
          .slice(0, 10)
          .map(({ metadata: { uid, name } }) => ({ kind: 'Part', uid, name, pointer: '#/spec/supplier' })),
      );
      for (let n = 0; n < 12; n++) expect((await shop.delete(`/parts/busy-${n}`)).status).toBe(200);
      expect((await shop.delete('/suppliers/busy')).status).toBe(200);
    });

    test('404 and 412 come before 409', async () => {
      await shop.create('/suppliers', 'conditional');
      await shop.part('on-condition', { supplier: 'conditional' });
      expect((await shop.delete('/suppliers/conditional', { 'If-Match': '"x"' })).status).toBe(412);
      expect((await shop.delete('/suppliers/conditional', OTHER)).status).toBe(404);
      expect((await shop.delete('/suppliers/conditional')).status).toBe(409);
      expect((await shop.send('DELETE', '/suppliers/conditional?dryRun=true')).status).toBe(409);
    });

    test('a referrer outside the scope is not named', async () => {
      await shop.create('/suppliers', 'watched', {}, ACME);
      await shop.part('watcher', { supplier: 'watched' });
      const { status, problem } = await shop.delete('/suppliers/watched', ACME);
      expect([status, problem.referrers]).toEqual([409, []]);
      expect(JSON.stringify(problem)).not.toContain('watcher');
      expect((await shop.delete('/suppliers/watched')).problem.referrers).toHaveLength(1);
    });

    test('a referrer that the same deletion deletes does not restrict it', async () => {
      const { metadata } = await shop.part('root');
      await shop.part('leaf', { parent: 'root' });
      await shop.send('PATCH', '/parts/root', { spec: { parent: metadata.uid } });
      expect((await shop.delete('/parts/root')).status).toBe(200);
      expect(await gone('/parts/leaf')).toBe(true);
    });
  });

  describe('cascade', () => {
    test('deletes along chains and cycles, each resource once', async () => {
      await shop.part('ring-a');
      await shop.part('ring-b', { parent: 'ring-a' });
      await shop.part('ring-c', { parent: 'ring-b' });
      await shop.part('ring-d', { parent: 'ring-b' });
      expect((await shop.send('PATCH', '/parts/ring-a', { spec: { parent: 'ring-c' } })).status).toBe(200);
      const dry = await shop.send('DELETE', '/parts/ring-b?dryRun=true');
      expect([dry.status, await gone('/parts/ring-d')]).toEqual([200, false]);
      expect((await shop.delete('/parts/ring-b')).status).toBe(200);
      for (const name of ['a', 'b', 'c', 'd']) expect(await gone(`/parts/ring-${name}`)).toBe(true);
    });

    test('happens completely or not at all', async () => {
      await shop.part('whole');
      await shop.part('whole-leaf', { parent: 'whole' });
      await shop.part('whole-far', { parent: 'whole-leaf' });
      await shop.send('PATCH', '/parts/whole', { metadata: { labels: { tenant: 'umbrella' } } });
      const outside = await shop.delete('/parts/whole', OTHER);
      expect([outside.status, JSON.stringify(outside.problem)]).toEqual([
        409,
        expect.not.stringContaining('whole-'),
      ]);
      for (const name of ['whole', 'whole-leaf', 'whole-far'])
        expect(await gone(`/parts/${name}`)).toBe(false);
    });

    test('of more than CASCADE_MAX is refused, and says so', async () => {
      await shop.part('many');
      for (let n = 0; n < 21; n++) await shop.part(`many-${n}`, { parent: 'many' });
      const { status, problem } = await shop.delete('/parts/many');
      expect([status, problem.detail]).toEqual([409, expect.stringContaining('20 resources')]);
      expect((await shop.delete('/parts/many-0')).status).toBe(200);
      expect((await shop.delete('/parts/many')).status).toBe(200);
      expect(await gone('/parts/many-20')).toBe(true);
    });

    test('of nothing names the referrers, however many there are', async () => {
      await shop.create('/suppliers', 'large');
      for (let n = 0; n < 121; n++) await shop.part(`large-${n}`, { supplier: 'large' });
      const { status, problem } = await shop.delete('/suppliers/large');
      expect([status, problem.detail]).toEqual([409, 'Conflict: other resources refer to it']);
      expect(problem.referrers).toHaveLength(10);
    });
  });

  describe('clear', () => {
    test('is an ordinary write of each resource, once', async () => {
      await shop.part('old');
      await shop.part('old-too', { parent: 'old' });
      await shop.part('stays', { spare: 'old', related: ['old', 'stays', 'old-too', 'old'] });
      const before = (await shop.get('/parts/stays')).resource;
      expect((await shop.delete('/parts/old')).status).toBe(200);
      const { resource } = await shop.get('/parts/stays');
      expect(resource.spec).toEqual({ sku: 'sku-of-stays', related: ['stays'] });
      expect(resource.metadata.generation).toBe(2);
      expect(resource.status?.['version']).not.toBe(before.status?.['version']);
      const versions = (await shop.get('/parts/stays/versions')).resource as unknown as unknown[];
      expect(versions).toHaveLength(2);
      const events = await shop.running.service.store.events!.read(OLDEST, { events: 1_000, bytes: 1e9 });
      const texts = events.map(
        ({ text }) =>
          JSON.parse(text) as { type: string; data: { resource: { metadata: { name: string } } } },
      );
      const of = (name: string) =>
        texts
          .filter(({ data }) => data.resource.metadata.name === name)
          .map(({ type }) => type.split('.').at(-1));
      expect([of('old'), of('old-too'), of('stays')]).toEqual([
        ['created', 'deleted'],
        ['created', 'deleted'],
        ['created', 'updated'],
      ]);
    });

    test('removes an element that names the target by uid, and leaves the others', async () => {
      const { metadata } = await shop.part('element');
      await shop.part('list', { related: [metadata.uid, 'list', 'element'] });
      expect((await shop.delete('/parts/element')).status).toBe(200);
      expect((await shop.get('/parts/list')).resource.spec['related']).toEqual(['list']);
    });
  });

  describe('clear in an object', () => {
    test.each([
      [{ fit: { arm: { part: 'screw' } } }, { fit: { arm: {} } }],
      [{ spare: 'screw' }, {}],
      [{ spare: 'screw', fit: {} }, { fit: {} }],
      [{ spare: 'screw', fit: { arm: {} } }, { fit: { arm: {} } }],
    ])('%j', async (spec, cleared) => {
      await shop.part('screw');
      await shop.part('screwed', spec);
      expect((await shop.delete('/parts/screw')).status).toBe(200);
      expect((await shop.get('/parts/screwed')).resource.spec).toEqual({
        sku: 'sku-of-screwed',
        ...cleared,
      });
      expect((await shop.delete('/parts/screwed')).status).toBe(200);
    });
  });

  describe('a rename', () => {
    test('of a resource that is referred to by name is refused', async () => {
      const { metadata } = await shop.create('/suppliers', 'renamed');
      await shop.part('by-uid', { supplier: metadata.uid });
      expect(
        (await shop.send('PATCH', '/suppliers/renamed', { metadata: { name: 'renamed-2' } })).status,
      ).toBe(200);
      const part = await shop.part('by-its-name', { supplier: 'renamed-2' });
      const { uid, name } = part.metadata;
      const { status, problem } = await shop.send('PATCH', '/suppliers/renamed-2', {
        metadata: { name: 'renamed-3' },
      });
      expect([status, problem.referrers]).toEqual([
        409,
        [{ kind: 'Part', uid, name, pointer: '#/spec/supplier' }],
      ]);
      expect((await shop.send('PATCH', '/suppliers/renamed-2', { spec: { title: 'x' } })).status).toBe(200);
    });

    test('may take its own references along', async () => {
      await shop.part('self', { parent: 'self' });
      const moved = await shop.send('PATCH', '/parts/self', {
        metadata: { name: 'self-2' },
        spec: { parent: 'self-2' },
      });
      expect(moved.status).toBe(200);
      expect((await shop.send('PATCH', '/parts/self-2', { metadata: { name: 'self-3' } })).failures).toEqual([
        '#/spec/parent ref=Part',
      ]);
    });
  });
});

test('a referrer that the policy does not let the caller get is not named', async () => {
  const policy: Policy<Resource> = {
    canGet: ({ request, resource }) => ({
      allowed: request.headers['x-admin'] !== undefined || resource?.metadata.name !== 'hidden',
    }),
  };
  const shop = await Shop.start('sqlite::memory:', { hooks: { Part: { policy } } });
  await shop.create('/suppliers', 'acme');
  for (const name of ['hidden', 'shown']) await shop.part(name, { supplier: 'acme' });
  const named = async (headers: object): Promise<string[] | undefined> =>
    (await shop.delete('/suppliers/acme', headers)).problem.referrers?.map(({ name }) => name);
  expect(await named({})).toEqual(['shown']);
  expect(await named({ 'x-admin': 'yes' })).toEqual(['hidden', 'shown']);
  const renamed = await shop.send('PATCH', '/suppliers/acme', { metadata: { name: 'other' } });
  expect(renamed.problem.referrers?.map(({ name }) => name)).toEqual(['shown']);
  await shop.close();
});

test('a deletion that needs more memory than its share gets it once no other request has any', async () => {
  const environment = { MEMORY_BUDGET_BYTES: '4000000', MEMORY_WAIT_MS: '60000' };
  const shop = await Shop.start('sqlite::memory:', { environment });
  const large = async (name: string, spec: object = {}): Promise<void> => {
    const metadata = { name, annotations: { text: 'x'.repeat(300_000) } };
    const { status } = await shop.send('POST', '/parts', { metadata, spec: { sku: name, ...spec } });
    expect(status).toBe(201);
  };
  for (const root of ['a', 'b']) {
    await large(root);
    for (const leaf of ['1', '2', '3']) await large(`${root}-${leaf}`, { parent: root });
  }
  const deletions = await Promise.all(['a', 'b'].map((root) => shop.delete(`/parts/${root}`)));
  expect(deletions.map(({ status }) => status)).toEqual([200, 200]);
  expect(shop.running.service.memory.used('stored')).toBe(0);
  await shop.close();
});

test('a deletion may write more at once than may wait for the store in all', async () => {
  const environment = { MAX_BODY_BYTES: '50000', MAX_PATCHED_BYTES: '50000', STORE_QUEUE_BYTES: '200000' };
  const shop = await Shop.start('sqlite::memory:', { environment });
  await shop.part('target');
  for (let n = 0; n < 20; n++) {
    const metadata = { name: `referrer-${n}`, annotations: { text: 'x'.repeat(10_000) } };
    await shop.send('POST', '/parts', { metadata, spec: { sku: `sku-${n}`, spare: 'target' } });
  }
  for (const query of ['?dryRun=true', ''])
    expect((await shop.delete(`/parts/target${query}`)).status).toBe(200);
  expect((await shop.get('/parts/referrer-19')).resource.spec).toEqual({ sku: 'sku-19' });
  await shop.close();
});

test('a deletion reads what it reaches only when it has the memory for it', async () => {
  const environment = { MEMORY_BUDGET_BYTES: '4000000', MEMORY_WAIT_MS: '0', CACHE_CHARACTERS: '0' };
  const shop = await Shop.start('sqlite::memory:', { environment });
  await shop.part('root');
  const annotations = { text: 'x'.repeat(300_000) };
  for (const leaf of ['1', '2', '3', '4', '5']) {
    const metadata = { name: `leaf-${leaf}`, annotations };
    await shop.send('POST', '/parts', { metadata, spec: { sku: leaf, parent: 'root' } });
  }
  const { memory, store } = shop.running.service;
  const others = memory.take('stored', 300_000);
  const reads = jest.spyOn(store, 'get');
  expect((await shop.delete('/parts/root')).status).toBe(503);
  expect(reads).not.toHaveBeenCalled();
  others.release();
  expect((await shop.delete('/parts/root')).status).toBe(200);
  expect(reads).toHaveBeenCalledTimes(5);
  await shop.close();
});
