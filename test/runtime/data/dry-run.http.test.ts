import { rowsOf } from '../store/database-rows';
import { onBothStores } from '../support/databases';
import { type Response, Shop } from './exchange';

// Names, unique fields and references in dry runs, and for creates with an Idempotency-Key.

onBothStores((makeUrl) => {
  let url: string;
  let shop: Shop;

  beforeAll(async () => {
    url = await makeUrl();
    shop = await Shop.start(url);
    await shop.create('/suppliers', 'acme');
    await shop.create('/suppliers', 'idle');
    await shop.part('root', { supplier: 'acme', serial: 'fixed' });
    await shop.part('child', { parent: 'root' });
    await shop.part('spare', { spare: 'child', related: ['child', 'root'] });
  });
  afterAll(() => shop?.close());

  const part = (name: string | undefined, spec: object = {}): object => ({
    metadata: { name },
    spec: { sku: `sku-of-${name}`, ...spec },
  });

  test.each<[string, string, string, number, unknown?, object?]>([
    ['a taken name', 'POST', '/parts', 409, part('root', { sku: 'x' })],
    ['a taken value', 'POST', '/parts', 409, part('x', { sku: 'sku-of-root' })],
    [
      'both, in another version',
      'POST',
      '/apis/example.svc.dev/v1beta1/parts',
      409,
      { metadata: { name: 'root' }, spec: { code: 'sku-of-child' } },
    ],
    ['a missing target', 'POST', '/parts', 400, part('x', { supplier: 'nobody' })],
    ['a reference to itself', 'POST', '/parts', 201, part('self', { parent: 'self' })],
    ['a new name', 'PUT', '/parts/new', 201, { spec: { sku: 'new' } }, { 'If-None-Match': '*' }],
    ['a known name', 'PUT', '/parts/root', 412, { spec: { sku: 'new' } }, { 'If-None-Match': '*' }],
    ['a change of an immutable field', 'PATCH', '/parts/root', 400, { spec: { serial: 'other' } }],
    ['a change to a taken value', 'PATCH', '/parts/root', 409, { spec: { sku: 'sku-of-child' } }],
    ['a new name of what is referred to', 'PATCH', '/parts/root', 409, { metadata: { name: 'other' } }],
    ['a missing target in a change', 'PATCH', '/parts/root', 400, { spec: { related: ['nobody'] } }],
    [
      'a change that may be made',
      'PATCH',
      '/parts/root',
      200,
      { spec: { supplier: 'idle', related: ['spare'] } },
    ],
    ['a deletion that is restricted', 'DELETE', '/suppliers/acme', 409],
    ['a deletion of what nobody refers to', 'DELETE', '/suppliers/idle', 200],
    ['a deletion that clears', 'DELETE', '/parts/child', 200],
    ['a deletion that cascades and clears', 'DELETE', '/parts/root', 200],
  ])(
    '%s: %s %s in a dry run returns %s, as the write does, and no row changes',
    async (...[, method, path, status, body, headers]) => {
      const before = await rowsOf(url);
      const dry = await shop.send(method, `${path}?dryRun=true`, body, headers);
      expect([dry.status, JSON.stringify(dry.problem)]).toEqual([status, expect.any(String)]);
      expect(await rowsOf(url)).toEqual(before);
      if (status < 400) return;
      const real = await shop.send(method, path, body, headers);
      expect(problemOf(dry)).toEqual(problemOf(real));
      expect(await rowsOf(url)).toEqual(before);
    },
  );

  const problemOf = ({ status, problem }: Response): unknown => ({ status, problem });

  test('a name that is generated in a dry run is free afterwards', async () => {
    const body = { metadata: { generateName: 'gen-' }, spec: { sku: 'gen' } };
    const before = await rowsOf(url);
    const { status, resource } = await shop.send('POST', '/parts?dryRun=All', body);
    expect([status, resource.metadata.name]).toEqual([201, expect.stringMatching(/^gen-.{5}$/)]);
    expect(await rowsOf(url)).toEqual(before);
  });

  test('a repeat gets the first response although the name is taken by then; with another key it is refused', async () => {
    const create = (key: string) => shop.send('POST', '/parts', part('keyed'), { 'Idempotency-Key': key });
    const all = await Promise.all(['k', 'k', 'k'].map(create));
    expect(all.map(({ status, resource }) => [status, resource.metadata.uid])).toEqual(
      all.map(() => [201, all[0].resource.metadata.uid]),
    );
    expect([(await create('l')).status, (await create('l')).status]).toEqual([409, 409]);
    await shop.delete('/parts/keyed');
    expect((await create('k')).resource).toEqual(all[0].resource);
    const anew = await create('l');
    expect([anew.status, anew.resource.metadata.uid === all[0].resource.metadata.uid]).toEqual([201, false]);
  });
});
