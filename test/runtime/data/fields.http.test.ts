import { onBothStores } from '../support/databases';
import { Shop } from './exchange';
import { shopProject } from './shop';

const ACME = { tenant: 'acme' };
const SPOKE = '/apis/example.svc.dev/v1beta1/parts';
const LONG = 'x'.repeat(501);

onBothStores((url) => {
  let shop: Shop;
  beforeAll(async () => void (shop = await Shop.start(await url())));
  afterAll(() => shop?.close());

  describe('unique', () => {
    test('all clashes are in one response, in the words of the version', async () => {
      await shop.part('clash', { sku: 'clash' }, ACME);
      const hub = await shop.send('POST', '/parts', { metadata: { name: 'clash' }, spec: { sku: 'clash' } });
      expect([hub.status, hub.failures]).toEqual([409, ['#/metadata/name unique', '#/spec/sku unique']]);
      const spoke = await shop.send('POST', SPOKE, { metadata: { name: 'clash' }, spec: { code: 'clash' } });
      expect([spoke.status, spoke.failures]).toEqual([409, ['#/metadata/name unique', '#/spec/code unique']]);
    });

    test('holds for PUT and PATCH, and a resource keeps what it has', async () => {
      await shop.part('first', { sku: 'first' });
      await shop.part('second', { sku: 'second' });
      expect((await shop.send('PATCH', '/parts/second', { spec: { sku: 'first' } })).failures).toEqual([
        '#/spec/sku unique',
      ]);
      expect((await shop.send('PUT', '/parts/second', { spec: { sku: 'first' } })).status).toBe(409);
      expect((await shop.send('PUT', '/parts/first', { spec: { sku: 'first', price: 1 } })).status).toBe(200);
      expect((await shop.send('PATCH', '/parts/first', { spec: { sku: 'third' } })).status).toBe(200);
      expect((await shop.send('PATCH', '/parts/second', { spec: { sku: 'first' } })).status).toBe(200);
    });

    test('400 comes before 409', async () => {
      const body = { metadata: { name: 'first' }, spec: { sku: 'third', price: -1 } };
      const { status, failures } = await shop.send('POST', '/parts', body);
      expect([status, failures]).toEqual([400, ['#/spec/price min=0']]);
    });

    test('a deletion frees the value; NUL and lone surrogates are ordinary ones', async () => {
      for (const [index, sku] of [
        'a\0b',
        'a\0',
        '\ud800',
        '\udfff',
        '\ud83d\ude00',
        'ä',
        'a\u0308',
      ].entries()) {
        await shop.part(`odd-${index}`, { sku });
        const { failures } = await shop.send('POST', '/parts', { spec: { sku } });
        expect(failures).toEqual(['#/spec/sku unique']);
      }
      expect((await shop.delete('/parts/odd-0')).status).toBe(200);
      await shop.part('odd-again', { sku: 'a\0b' });
    });
  });

  describe('immutable', () => {
    test('may be set later, and then not change nor go', async () => {
      const failed = [400, ['#/spec/serial immutable']];
      const path = '/parts/serial';
      await shop.part('serial');
      expect((await shop.send('PATCH', path, { spec: { serial: 'a' } })).status).toBe(200);
      for (const serial of ['b', null]) {
        const { status, failures } = await shop.send('PATCH', path, { spec: { serial } });
        expect([status, failures]).toEqual(failed);
      }
      const put = await shop.send('PUT', path, { spec: { sku: 'sku-of-serial' } });
      expect([put.status, put.failures]).toEqual(failed);
      const spoke = await shop.send('PATCH', `${SPOKE}/serial`, { spec: { serial: 'b' } });
      expect([spoke.status, spoke.failures]).toEqual(failed);
    });

    test.each(['/parts', SPOKE])('the status changes in %s', async (collection) => {
      const path = `${collection}/status${collection.length}`;
      await shop.part(`status${collection.length}`, { serial: 'a' });
      const { status, resource } = await shop.send('PUT', `${path}/status`, { status: { phase: 'b' } });
      expect([status, resource.status!['phase'], resource.spec['serial']]).toEqual([200, 'b', 'a']);
    });

    test.each(['/parts', SPOKE])('what %s shows can be sent back', async (collection) => {
      await shop.part(`back${collection.length}`, { serial: 'a', price: 1.234 });
      const path = `${collection}/back${collection.length}`;
      const { spec } = (await shop.get(path)).resource;
      expect((await shop.send('PUT', path, { spec })).status).toBe(200);
    });
  });

  describe('strings of more than 500 characters', () => {
    test.each([
      ['/parts', { sku: LONG }, '#/spec/sku max=500'],
      ['/parts', { sku: 'long', tags: ['a', LONG] }, '#/spec/tags/1 max=500'],
      ['/parts', { sku: 'long', supplier: LONG }, '#/spec/supplier max=500'],
      [SPOKE, { code: LONG }, '#/spec/code max=500'],
      [SPOKE, { code: 'long', others: [LONG] }, '#/spec/others/0 max=500'],
    ])('%s %j', async (path, spec, failure) => {
      const { status, failures } = await shop.send('POST', path, { spec });
      expect([status, failures]).toEqual([400, [failure]]);
    });

    test('in the status', async () => {
      await shop.part('long-status');
      const { status, failures } = await shop.send('PUT', '/parts/long-status/status', {
        status: { phase: LONG },
      });
      expect([status, failures]).toEqual([400, ['#/status/phase max=500']]);
    });

    test('500 are accepted, whatever their bytes', async () => {
      await shop.part('wide', { sku: '😀'.repeat(500) });
    });
  });
});

describe.each(['warn', 'disabled'] as const)('validation: %s', (validation) => {
  let shop: Shop;
  beforeAll(
    async () => void (shop = await Shop.start('sqlite::memory:', { project: shopProject(validation) })),
  );
  afterAll(() => shop?.close());

  test('promises of the store hold, and values of another type count as absent', async () => {
    await shop.part('one', { sku: 'one' });
    expect((await shop.send('POST', '/parts', { spec: { sku: 'one' } })).failures).toEqual([
      '#/spec/sku unique',
    ]);
    expect((await shop.send('POST', '/parts', { spec: { sku: LONG } })).failures).toEqual([
      '#/spec/sku max=500',
    ]);
    for (let count = 0; count < 2; count++)
      expect(
        (await shop.send('POST', '/parts', { spec: { sku: 7, supplier: 7, related: 'x' } })).status,
      ).toBe(201);
  });

  test('immutable follows the mode', async () => {
    await shop.part('loose', { serial: 'a' });
    const { status, headers } = await shop.send('PATCH', '/parts/loose', { spec: { serial: 'b' } });
    expect([status, headers['warning'] !== undefined]).toEqual([200, validation === 'warn']);
    expect(headers['warning'] ?? '/spec/serial').toContain('/spec/serial');
  });
});
