import type { Project } from '../../../src/model/project';
import { create, JSON_PATCH, JSON_TYPE, MERGE, send, SHORTHAND_PATCH } from '../support/client';
import { onBothStores } from '../support/databases';
import { startService, type TestService } from '../support/harness';
import { deviceProject } from './device-project';

// `kubernetes: true` comes and goes over stored resources.

const WITH = deviceProject();

/** The same project without Kubernetes clients; `uniqueNames` are those of the plain API. */
function without(uniqueNames: boolean): Project {
  const groups = WITH.groups.map((group) => ({
    ...group,
    kinds: group.kinds.map((kind) => ({ ...kind, ownedFields: false, uniqueNames })),
  }));
  return { ...WITH, kubernetes: false, groups };
}

onBothStores((makeUrl) => {
  let url: string;
  let service: TestService;
  const start = async (project: Project): Promise<void> =>
    void (service = await startService(project, { environment: { DATABASE_URL: url } }));
  beforeEach(async () => void (url = await makeUrl()));
  afterEach(() => service.close());

  test.each([true, false])(
    'it does not start with names of another form (unique before: %s)',
    async (unique) => {
      await start(without(false));
      const { resource } = await create(service.port, '/devices', { location: 'eu' }, { name: 'Not_A_Name' });
      const { uid } = resource.metadata;
      await create(service.port, '/devices', { location: 'eu' });
      await service.close();
      await start(without(unique));
      const refused = 'must have lowercase letters, digits, - and . (RFC 1123), and not the form of a uid';
      await expect(startService(WITH, { environment: { DATABASE_URL: url } })).rejects.toThrow(
        `Device ${uid}: metadata.name ${refused}`,
      );
      const body = { metadata: { name: 'a-name' } };
      await send(service.port, 'PATCH', `/devices/${uid}`, { headers: MERGE, body });
      await service.close();
      await start(WITH);
      expect((await send(service.port, 'GET', '/devices/a-name')).status).toBe(200);
    },
  );

  test('without it, resources with finalizers and owners can be written, and keep them', async () => {
    await start(WITH);
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Site', name: 'eu', uid: 'site-1' }];
    const finalizers = ['example.dev/cleanup'];
    const owned = { name: 'owned', finalizers, ownerReferences };
    const { path } = await create(service.port, '/devices', { location: 'eu' }, owned);
    expect((await send(service.port, 'DELETE', path)).status).toBe(202);
    await service.close();
    await start(without(true));
    const read = async (): Promise<{ metadata: object; spec: object }> =>
      JSON.parse((await send(service.port, 'GET', path)).text) as { metadata: object; spec: object };
    const whole = await read();
    const writes: [method: string, headers: { [name: string]: string }, body: unknown][] = [
      ['PATCH', MERGE, { spec: { model: 'a' } }],
      ['PATCH', JSON_PATCH, [{ op: 'replace', path: '/spec/model', value: 'b' }]],
      ['PATCH', SHORTHAND_PATCH, { 'spec.model': 'c' }],
      ['PUT', JSON_TYPE, { ...whole, spec: { ...whole.spec, model: 'd' } }],
      ['PUT', JSON_TYPE, { spec: { ...whole.spec, model: 'e' } }],
    ];
    for (const [method, headers, body] of writes)
      for (const base of ['', '/apis/example.svc.dev/v1']) {
        const { status } = await send(service.port, method, base + path, {
          headers,
          body: JSON.stringify(body),
        });
        expect([method, body, status]).toEqual([method, body, 200]);
      }
    const deletionTimestamp: unknown = expect.any(String);
    const { metadata, spec } = await read();
    expect([metadata, spec]).toMatchObject([
      { finalizers, ownerReferences, deletionTimestamp },
      { model: 'e' },
    ]);
    // It cannot be given what the service no longer has.
    const other = await create(service.port, '/devices', { location: 'eu' }, { name: 'other' });
    const sent = { headers: MERGE, body: { metadata: { finalizers } } };
    expect((await send(service.port, 'PATCH', other.path, sent)).status).toBe(400);
    expect((await send(service.port, 'DELETE', path)).status).toBe(200);
  });
});
