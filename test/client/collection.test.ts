import { ApiError } from '../../templates/client/errors';
import { etagOf } from '../../templates/client/etag';
import { jsonPatch, mergePatch, type Patch, shorthand } from '../../templates/client/patches';
import { startService, type TestService } from '../runtime/support/harness';
import { testProject } from '../runtime/support/projects';
import { createClient, type Device, SPEC } from './devices';

// The client against a service, over HTTP.

let service: TestService;
let client: ReturnType<typeof createClient>;
const warnings: string[] = [];

beforeAll(async () => {
  service = await startService(testProject());
  client = createClient({ baseUrl: `${service.url}/`, onWarning: (text) => warnings.push(text) });
});
afterAll(() => service.close());

/** The ApiError that a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError', { cause: error });
  return error;
}

describe('every call', () => {
  test('create, get, replace, delete', async () => {
    const created = await client.devices.create({
      metadata: { name: 'a', labels: { env: 'test' } },
      spec: SPEC,
    });
    const { uid } = created.metadata;
    expect(created).toMatchObject({ apiVersion: 'example.svc.dev/v1', kind: 'Device', spec: SPEC });
    expect(await client.devices.get(uid)).toEqual(created);
    const replaced = await client.devices.replace(uid, { spec: { ...SPEC, model: 'x' } });
    expect(replaced).toMatchObject({ metadata: { name: 'a', generation: 2 }, spec: { model: 'x' } });
    expect(await client.devices.delete(uid)).toBeUndefined();
    expect((await refusal(client.devices.get(uid))).status).toBe(404);
  });

  test('a resource that was read can be written as it is', async () => {
    const created = await client.devices.create({ spec: SPEC });
    const again = await client.devices.replace(created.metadata.uid, created);
    expect(again.metadata.generation).toBe(1);
  });

  test('with a key, a create can be repeated', async () => {
    const input = { spec: { ...SPEC, name: 'keyed' } };
    for (const idempotencyKey of ['a-key', 'a"quoted\\key']) {
      const created = await client.devices.create(input, { idempotencyKey });
      await client.devices.delete(created.metadata.uid);
      expect(await client.devices.create(input, { idempotencyKey })).toEqual(created);
      expect(etagOf(await client.devices.create(input, { idempotencyKey }))).toBe(etagOf(created));
      const other = client.devices.create({ spec: SPEC }, { idempotencyKey });
      expect((await refusal(other)).status).toBe(422);
    }
    for (const idempotencyKey of ['', 'a key', 'k'.repeat(256)])
      expect((await refusal(client.devices.create(input, { idempotencyKey }))).status).toBe(400);
  });

  test('in a dry run nothing is written, and refusals are the same', async () => {
    const dry = { dryRun: true };
    const created = await client.devices.create({ spec: SPEC });
    const { uid } = created.metadata;
    const [{ versionId }] = await client.devices.versions.list(uid);
    const ready = { phase: 'Ready' } as const;
    const spec = { ...SPEC, model: 'dry' };
    expect((await client.devices.create({ spec }, dry)).spec).toEqual(spec);
    expect((await client.devices.replace(uid, { spec }, dry)).spec).toEqual(spec);
    expect((await client.devices.patch(uid, mergePatch({ spec: { model: 'dry' } }), dry)).spec).toEqual(spec);
    expect((await client.devices.update(uid, (draft) => (draft.spec = spec), dry)).spec).toEqual(spec);
    expect((await client.devices.replaceStatus(uid, ready, dry)).status?.phase).toBe('Ready');
    const patched = await client.devices.patchStatus(uid, mergePatch({ status: ready }), dry);
    expect(patched.status?.phase).toBe('Ready');
    const updated = await client.devices.updateStatus(uid, (status) => void (status.phase = 'Ready'), dry);
    expect(updated.status?.phase).toBe('Ready');
    await client.devices.versions.delete(uid, versionId, dry);
    await client.devices.delete(uid, dry);
    expect(await client.devices.get(uid)).toEqual(created);
    expect(await client.devices.versions.list(uid)).toHaveLength(1);
    const stale = { ...dry, ifMatch: '"stale"' };
    expect((await refusal(client.devices.delete(uid, stale))).status).toBe(412);
    expect((await refusal(client.devices.replace(uid, { spec }, stale))).status).toBe(412);
  });

  const patches: [string, Patch<unknown>][] = [
    ['merge patch', mergePatch({ spec: { location: 'attic', model: null } })],
    [
      'JSON patch',
      jsonPatch([
        { op: 'test', path: '/spec/name', value: 'lamp' },
        { op: 'replace', path: '/spec/location', value: 'attic' },
        { op: 'remove', path: '/spec/model' },
      ]),
    ],
    ['shorthand patch', shorthand({ 'spec.location': 'attic', 'spec.model': null })],
  ];
  test.each(patches)('%s', async (_, patch) => {
    const { metadata } = await client.devices.create({ spec: { ...SPEC, model: 'x' } });
    const patched = await client.devices.patch(metadata.uid, patch);
    expect(patched.spec).toEqual({ name: 'lamp', location: 'attic' });
  });

  test('the status', async () => {
    const { metadata } = await client.devices.create({ spec: SPEC });
    const ready = await client.devices.replaceStatus(metadata.uid, { phase: 'Ready' });
    expect(ready.status).toMatchObject({ phase: 'Ready', ready: false });
    const patched = await client.devices.patchStatus(metadata.uid, mergePatch({ status: { ready: true } }));
    expect(patched.status).toMatchObject({ phase: 'Ready', ready: true });
    const updated = await client.devices.updateStatus(metadata.uid, (status) => {
      status.phase = 'Offline';
    });
    expect(updated).toMatchObject({ spec: SPEC, status: { phase: 'Offline', ready: true } });
  });

  test('versions', async () => {
    const { metadata, status } = await client.devices.create({ spec: SPEC });
    await client.devices.replace(metadata.uid, { spec: { ...SPEC, model: 'x' } });
    const [first, second] = await client.devices.versions.list(metadata.uid);
    expect(first).toMatchObject({ versionId: status?.version, spec: SPEC });
    expect(await client.devices.versions.get(metadata.uid, second.versionId)).toEqual(second);
    const pages: object[] = [];
    for await (const page of client.devices.versions.pages(metadata.uid, { limit: 1, sort: '-createdAt' }))
      pages.push(page);
    expect(pages).toEqual([[second], [first]]);
    await client.devices.versions.delete(metadata.uid, first.versionId);
    expect(await client.devices.versions.list(metadata.uid)).toEqual([second]);
  });
});

describe('lists', () => {
  const names = (books: { metadata: { name: string } }[]): string[] =>
    books.map(({ metadata }) => metadata.name);
  const spec = { title: 'T', author: 'A' };

  test('all, by labels, by a selector', async () => {
    const labels = { shelf: 'a&b=c', lang: 'en' };
    await client.books.create({ metadata: { name: 'one', labels }, spec });
    await client.books.create({ metadata: { name: 'two', labels: { shelf: 'x' } }, spec });
    await client.books.create({ metadata: { name: 'three' }, spec });
    expect(names(await client.books.list())).toEqual(['one', 'two', 'three']);
    expect(names(await client.books.list({ labels: { shelf: 'x' } }))).toEqual(['two']);
    expect(names(await client.books.list({ labelSelector: 'shelf,lang!=en' }))).toEqual(['two']);
  });

  test('what exists throughout is in the pages exactly once, whatever is written in between', async () => {
    const labels = { set: 'pages' };
    for (let index = 0; index < 20; index++)
      await client.devices.create({ metadata: { name: `p${index}`, labels }, spec: SPEC });
    const seen: string[] = [];
    const sizes: number[] = [];
    for await (const page of client.devices.pages({ labels, limit: 3 })) {
      sizes.push(page.length);
      seen.push(...names(page));
      const [first] = page;
      await client.devices.update(first.metadata.uid, (draft) => (draft.spec.model = 'seen'));
      if (first.metadata.name !== 'p0') await client.devices.delete(first.metadata.uid);
      if (sizes.length === 1) await client.devices.create({ metadata: { name: 'late', labels }, spec: SPEC });
    }
    expect(seen).toEqual([...Array.from({ length: 20 }, (_, index) => `p${index}`), 'late']);
    expect(sizes).toEqual([3, 3, 3, 3, 3, 3, 3]);
  });

  test('one by one, as far as they are wanted', async () => {
    const requests: string[] = [];
    const counting = createClient({
      baseUrl: service.url,
      fetch: (url, init) => (requests.push(String(url)), fetch(url, init)),
    });
    for await (const { metadata } of counting.books.items({ limit: 2 })) if (metadata.name === 'two') break;
    expect(requests).toEqual([`${service.url}/apis/example.svc.dev/v1/books?limit=2`]);
  });
});

describe('conditions', () => {
  test('a write on the condition that the resource is as it was read', async () => {
    const first = await client.devices.create({ spec: SPEC });
    const { uid } = first.metadata;
    expect(etagOf(first)).toMatch(/^"[0-9a-f]{64}"$/);
    const second = await client.devices.patch(uid, shorthand({ 'spec.model': 'x' }), { ifMatch: first });
    const late = [
      client.devices.replace(uid, { spec: SPEC }, { ifMatch: first }),
      client.devices.patch(uid, shorthand({ 'spec.model': 'y' }), { ifMatch: etagOf(first) }),
      client.devices.replaceStatus(uid, {}, { ifMatch: first }),
      client.devices.delete(uid, { ifMatch: first }),
    ];
    for (const call of late) expect((await refusal(call)).status).toBe(412);
    expect(await client.devices.get(uid)).toEqual(second);
    await client.devices.delete(uid, { ifMatch: second });
  });

  test('a copy is no condition, nor is an item of a list', async () => {
    const created = await client.devices.create({ spec: SPEC });
    const copy = { ...created };
    const write = client.devices.replace(created.metadata.uid, created, { ifMatch: copy });
    await expect(write).rejects.toThrow(TypeError);
    const [item] = await client.devices.list();
    expect(etagOf(item)).toBeUndefined();
  });

  test('a proxy that makes tags weak, as it compresses responses, leaves conditions as they are', async () => {
    const weakening: typeof fetch = async (...request) => {
      const { status, body, headers } = await fetch(...request);
      const tag = headers.get('ETag');
      return new Response(body, { status, headers: { ...(tag && { ETag: `W/${tag}` }) } });
    };
    const behind = createClient({ baseUrl: service.url, fetch: weakening });
    const first = await behind.devices.create({ spec: SPEC });
    const { uid } = first.metadata;
    const second = await behind.devices.patch(uid, shorthand({ 'spec.model': 'x' }), { ifMatch: first });
    await behind.devices.update(uid, ({ spec }) => (spec.model = 'y'), { attempts: 1 });
    expect((await refusal(behind.devices.delete(uid, { ifMatch: second }))).status).toBe(412);
    await behind.devices.delete(uid);
  });

  test('what has not changed is not sent again', async () => {
    const created = await client.devices.create({ spec: SPEC });
    const { uid } = created.metadata;
    expect(await client.devices.get(uid, { cached: created })).toBe(created);
    await client.devices.update(uid, (draft) => (draft.spec.model = 'x'));
    expect(await client.devices.get(uid, { cached: created })).toMatchObject({ spec: { model: 'x' } });
  });
});

describe('update', () => {
  test('no change is lost when many change the same resource', async () => {
    const { metadata } = await client.devices.create({ spec: { ...SPEC, config: { count: '0' } } });
    const increment = ({ spec }: Device): void => {
      spec.config = { count: String(Number(spec.config?.['count']) + 1) };
    };
    const writers = Array.from({ length: 12 }, () =>
      client.devices.update(metadata.uid, increment, { attempts: 100 }),
    );
    await Promise.all(writers);
    const { spec, metadata: after } = await client.devices.get(metadata.uid);
    expect(spec.config).toEqual({ count: '12' });
    expect(after.generation).toBe(13);
  });

  test('it gives up after the attempts that it has', async () => {
    const { metadata } = await client.devices.create({ spec: SPEC });
    let calls = 0;
    const late = client.devices.update(
      metadata.uid,
      async (draft) => {
        calls += 1;
        await client.devices.patch(metadata.uid, shorthand({ 'spec.model': String(calls) }));
        draft.spec.location = 'attic';
      },
      { attempts: 3 },
    );
    expect((await refusal(late)).status).toBe(412);
    expect(calls).toBe(3);
  });

  test('what changes nothing writes nothing', async () => {
    const created = await client.devices.create({ spec: SPEC });
    const same = await client.devices.update(created.metadata.uid, () => undefined);
    expect(same).toEqual(created);
    expect(await client.devices.versions.list(created.metadata.uid)).toHaveLength(1);
  });

  test('labels are removed by removing them', async () => {
    const { metadata } = await client.devices.create({ metadata: { labels: { env: 'test' } }, spec: SPEC });
    const updated = await client.devices.update(metadata.uid, (draft) => delete draft.metadata.labels);
    expect(updated.metadata.labels).toBeUndefined();
  });

  test('what the change throws is thrown, and nothing is written', async () => {
    const { metadata } = await client.devices.create({ spec: SPEC });
    const change = (draft: Device): void => {
      draft.spec.model = 'x';
      throw new Error('no');
    };
    await expect(client.devices.update(metadata.uid, change)).rejects.toThrow('no');
    expect((await client.devices.get(metadata.uid)).spec).toEqual(SPEC);
  });
});

describe('refusals', () => {
  test('every field that broke a rule', async () => {
    const { status, problem, message } = await refusal(
      client.devices.create({ spec: { location: 1 } as unknown as typeof SPEC }),
    );
    expect(status).toBe(400);
    expect(message).toMatch(/^400 Bad Request: /);
    expect(problem.errors?.map(({ pointer, rule }) => `${pointer} ${rule}`).sort()).toEqual([
      '#/spec/location type',
      '#/spec/name required',
    ]);
  });

  test.each(['', '.', '..'])('%j is no uid: it would be the address of something else', async (uid) => {
    await expect(client.devices.patch(uid, shorthand({}))).rejects.toThrow(TypeError);
    await expect(client.devices.versions.delete(uid, 'x')).rejects.toThrow(TypeError);
  });

  test('a uid may hold anything else', async () => {
    expect((await refusal(client.devices.get('a/b?c#d%'))).status).toBe(404);
  });

  test('warnings are passed on', async () => {
    const lenient = await startService(testProject({ validation: 'warn' }));
    const passed: string[] = [];
    const { devices } = createClient({ baseUrl: lenient.url, onWarning: (text) => passed.push(text) });
    await devices.create({ spec: { name: 'é', place: '"' } as unknown as typeof SPEC });
    await lenient.close();
    expect(passed.join('\n')).toMatch(/location[^]*place/);
    expect(warnings).toEqual([]);
  });
});
