import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Resource } from '../../../templates/runtime/model/resource';
import { onBothStores } from '../support/databases';
import { Shop } from './exchange';
import { shopProject } from './shop';

const ACME = { tenant: 'acme' };
const OTHER = { tenant: 'umbrella' };
const NEW = { 'If-None-Match': '*' };

onBothStores((url) => {
  let shop: Shop;
  beforeAll(async () => void (shop = await Shop.start(await url())));
  afterAll(() => shop?.close());

  test('a name that is taken is refused with 409, in every scope, and says nothing else', async () => {
    await shop.part('taken', {}, ACME);
    for (const headers of [{}, ACME, OTHER]) {
      const { status, failures, problem } = await shop.send(
        'POST',
        '/parts',
        { metadata: { name: 'taken' }, spec: { sku: 'else' } },
        headers,
      );
      expect([status, failures]).toEqual([409, ['#/metadata/name unique']]);
      expect(JSON.stringify(problem)).not.toMatch(/acme|par-/);
    }
  });

  test('without a name it is the uid', async () => {
    const { metadata } = await shop.create('/suppliers', undefined);
    expect(metadata.name).toBe(metadata.uid);
    const same = await shop.send('PATCH', `/suppliers/${metadata.uid}`, { metadata: { name: metadata.uid } });
    expect(same.status).toBe(200);
  });

  test('each endpoint finds a resource by its name', async () => {
    const { metadata } = await shop.part('by-name');
    const path = '/parts/by-name';
    expect((await shop.get(path)).resource.metadata.uid).toBe(metadata.uid);
    const put = await shop.send('PUT', path, { spec: { sku: 'by-name-2' } });
    expect([put.status, put.resource.metadata.name]).toEqual([200, 'by-name']);
    expect((await shop.send('PATCH', path, { spec: { price: 2 } })).status).toBe(200);
    expect((await shop.send('PUT', `${path}/status`, { status: { phase: 'Ready' } })).status).toBe(200);
    const patched = await shop.send('PATCH', `${path}/status`, { status: { phase: 'Done' } });
    expect(patched.resource.status?.['phase']).toBe('Done');
    const versions = (await shop.get(`${path}/versions`)).resource as unknown as { versionId: string }[];
    expect(versions).toHaveLength(3);
    const version = `${path}/versions/${versions[0].versionId}`;
    expect((await shop.get(version)).status).toBe(200);
    expect((await shop.delete(version)).status).toBe(200);
    expect((await shop.get(version)).status).toBe(404);
    expect((await shop.delete(path)).status).toBe(200);
    expect((await shop.get(path)).status).toBe(404);
    expect((await shop.get(`/parts/${metadata.uid}`)).status).toBe(404);
  });

  test('a name is found within the scope alone', async () => {
    await shop.part('hidden', {}, ACME);
    expect((await shop.get('/parts/hidden', OTHER)).status).toBe(404);
    expect((await shop.delete('/parts/hidden', OTHER)).status).toBe(404);
    expect((await shop.get('/parts/hidden', ACME)).status).toBe(200);
  });

  test.each([
    ['Upper'],
    ['under_score'],
    ['-dash'],
    ['dash-'],
    ['a..b'],
    ['.a'],
    [''],
    ['a/b'],
    ['x'.repeat(254)],
    ['par-0123456789abcdef'],
    ['ä'],
  ])('a name of another form: %s', async (name) => {
    const body = { metadata: { name }, spec: { sku: 'form' } };
    const { status, failures } = await shop.send('POST', '/parts', body);
    expect([status, failures]).toEqual([400, ['#/metadata/name name']]);
  });

  test.each([
    ['a'],
    ['0'],
    ['a.b-c.d'],
    ['x'.repeat(253)],
    ['sup-0123456789abcdef'],
    ['par-0123456789abcdeg'],
  ])('a name: %s', async (name) => {
    const { metadata } = await shop.part(name, { sku: `form-${name.slice(0, 99)}` });
    expect((await shop.get(`/parts/${name}`)).resource.metadata.uid).toBe(metadata.uid);
  });

  test('a rename frees the old name and takes the new one', async () => {
    await shop.part('before');
    await shop.part('occupied');
    expect((await shop.send('PATCH', '/parts/before', { metadata: { name: 'occupied' } })).failures).toEqual([
      '#/metadata/name unique',
    ]);
    expect((await shop.send('PATCH', '/parts/before', { metadata: { name: 'No' } })).failures).toEqual([
      '#/metadata/name name',
    ]);
    const { status } = await shop.send('PATCH', '/parts/before', { metadata: { name: 'after' } });
    expect([status, (await shop.get('/parts/before')).status]).toEqual([200, 404]);
    await shop.part('before', { sku: 'new-before' });
  });

  describe('generateName', () => {
    test('is the beginning of a name, and stored as it was sent', async () => {
      const body = { metadata: { generateName: 'lamp-' }, spec: { sku: 'lamp-1' } };
      const { status, resource } = await shop.send('POST', '/parts', body);
      const { name, generateName } = resource.metadata;
      expect([status, generateName]).toEqual([201, 'lamp-']);
      expect(name).toMatch(/^lamp-[a-z0-9]{5}$/);
      const patched = await shop.send('PATCH', `/parts/${name}`, { metadata: { generateName: 'no-' } });
      expect(patched.resource.metadata.generateName).toBe('lamp-');
    });

    test('does nothing beside a name', async () => {
      const { resource } = await shop.send('POST', '/parts', {
        metadata: { name: 'given', generateName: 'lamp-' },
        spec: { sku: 'given' },
      });
      expect(resource.metadata).toMatchObject({ name: 'given', generateName: 'lamp-' });
    });

    test.each([['Lamp-'], ['-'], ['a..'], ['x'.repeat(249)]])('is refused: %s', async (generateName) => {
      const { status, failures } = await shop.send('POST', '/parts', {
        metadata: { generateName },
        spec: { sku: 'x' },
      });
      expect([status, failures]).toEqual([400, ['#/metadata/generateName name']]);
    });

    test('a clash of something else is not tried again', async () => {
      await shop.part('has-sku', { sku: 'the-sku' });
      const { status, failures } = await shop.send('POST', '/parts', {
        metadata: { generateName: 'x-' },
        spec: { sku: 'the-sku' },
      });
      expect([status, failures]).toEqual([409, ['#/spec/sku unique']]);
    });
  });

  describe('PUT with If-None-Match: *', () => {
    const body = (sku: string, metadata?: object) => ({ ...(metadata && { metadata }), spec: { sku } });

    test('creates as POST does', async () => {
      const { status, resource, headers } = await shop.send('PUT', '/parts/put-new', body('put-new'), NEW);
      expect([status, resource.metadata.name, resource.metadata.generation]).toEqual([201, 'put-new', 1]);
      expect(headers.location).toBe(`/parts/${resource.metadata.uid}`);
      expect(headers.etag).toBe((await shop.get('/parts/put-new')).headers.etag);
      const again = await shop.send('PUT', '/parts/put-new', body('put-new'), NEW);
      expect(again.status).toBe(412);
    });

    test('needs no If-Match where other writes do', async () => {
      const strict = await Shop.start(await url(), { project: { ...shopProject(), requireIfMatch: true } });
      try {
        const put = async (path: string, headers: object): Promise<number> =>
          (await strict.send('PUT', path, { spec: { sku: 'strict' }, status: {} }, headers)).status;
        expect([await put('/parts/strict', NEW), await put('/parts/strict', NEW)]).toEqual([201, 412]);
        const patch = await strict.send('PATCH', '/parts/strict', { spec: {} }, NEW);
        expect([
          await put('/parts/strict', {}),
          await put('/parts/strict/status', NEW),
          patch.status,
        ]).toEqual([428, 428, 428]);
      } finally {
        await strict.close();
      }
    });

    test('without the header an unknown name is 404', async () => {
      expect((await shop.send('PUT', '/parts/put-unknown', body('put-unknown'))).status).toBe(404);
      const stale = { 'If-None-Match': '"x"' };
      expect((await shop.send('PUT', '/parts/put-unknown', body('put-unknown'), stale)).status).toBe(404);
    });

    test('is 409 where it exists outside the scope', async () => {
      await shop.part('put-hidden', {}, ACME);
      const { status, failures } = await shop.send('PUT', '/parts/put-hidden', body('p'), {
        ...NEW,
        ...OTHER,
      });
      expect([status, failures]).toEqual([409, ['#/metadata/name unique']]);
    });

    test('is 400 for another name in the body, and for no name in the path', async () => {
      const other = await shop.send('PUT', '/parts/put-a', body('put-a', { name: 'put-b' }), NEW);
      expect([other.status, other.failures]).toEqual([400, ['#/metadata/name name']]);
      for (const path of ['/parts/No', '/parts/par-0123456789abcdef']) {
        const { status, failures } = await shop.send('PUT', path, body('put-a'), NEW);
        expect([status, failures]).toEqual([400, ['#/metadata/name name']]);
      }
      expect((await shop.send('PUT', '/parts/put-a', body('put-a', { name: 'put-a' }), NEW)).status).toBe(
        201,
      );
    });

    test('of many at once one creates it, and the others find it', async () => {
      const requests = Array.from({ length: 20 }, (_, n) =>
        shop.send('PUT', '/parts/put-race', body(`race-${n}`), NEW),
      );
      const statuses = (await Promise.all(requests)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([201, ...Array<number>(19).fill(412)]);
    });

    test('names its place in the version of the path', async () => {
      const path = '/apis/example.svc.dev/v1beta1/parts/put-spoke';
      const { status, headers, resource } = await shop.send(
        'PUT',
        path,
        { spec: { code: 'put-spoke' } },
        NEW,
      );
      expect([status, resource.spec['code']]).toEqual([201, 'put-spoke']);
      expect(headers.location).toBe(`/apis/example.svc.dev/v1beta1/parts/${resource.metadata.uid}`);
    });
  });
});

describe.each(['warn', 'disabled'] as const)('validation: %s', (validation) => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await Shop.start('sqlite::memory:', { project: shopProject(validation) });
  });
  afterAll(() => shop?.close());

  test('names are checked all the same', async () => {
    const { status, failures } = await shop.send('POST', '/parts', { metadata: { name: 'No' }, spec: {} });
    expect([status, failures]).toEqual([400, ['#/metadata/name name']]);
  });
});

test('a stored name of another form stays until it is changed, and is no address', async () => {
  const url = `sqlite:${mkdtempSync(join(tmpdir(), 'svcgen-names-'))}/a.db`;
  const before = await Shop.start(url, { data: {} });
  const { metadata } = await before.create('/suppliers', 'The Old Name', { title: 'x' });
  await before.close();
  const shop = await Shop.start(url);
  try {
    const path = `/suppliers/${metadata.uid}`;
    expect((await shop.send('PATCH', path, { spec: { title: 'y' } })).resource.metadata.name).toBe(
      'The Old Name',
    );
    expect((await shop.send('PUT', path, { metadata: { name: 'The Old Name' }, spec: {} })).status).toBe(200);
    expect((await shop.get('/suppliers/The%20Old%20Name')).status).toBe(404);
    const { failures } = await shop.send('PATCH', path, { metadata: { name: 'Another Name' } });
    expect(failures).toEqual(['#/metadata/name name']);
  } finally {
    await shop.close();
  }
});

test('writes of two kinds with the same name do not wait for each other', async () => {
  /** Writes the supplier with the name of a part, as a check that calls the service does. */
  const supply = async ({ metadata }: Resource): Promise<void> => {
    const written = shop.send('PUT', `/suppliers/${metadata.name}`, { spec: { title: 'of part' } });
    expect(await Promise.race([written.then(({ status }) => status), setTimeout(2_000, 'waits')])).toBe(200);
  };
  const shop: Shop = await Shop.start('sqlite::memory:', {
    hooks: { Part: { validate: supply, validateOn: ['update'] } },
  });
  try {
    await shop.create('/suppliers', 'both');
    await shop.part('both');
    expect((await shop.send('PATCH', '/parts/both', { spec: { price: 1 } })).status).toBe(200);
  } finally {
    await shop.close();
  }
});
