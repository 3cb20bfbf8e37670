import type { KindHooks } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { create, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

// `validate` and policies get copies: their changes are neither stored nor compared.

const LABELS = { env: 'prod' };
const SPEC = { name: 'a', location: 'b', config: { z: '1' } };

function spoil(resource: Resource | undefined): void {
  if (resource === undefined) return;
  resource.spec['name'] = 'spoilt';
  (resource.spec['config'] as { [key: string]: string })['z'] = 'spoilt';
  resource.metadata.name = resource.metadata.uid = 'spoilt';
  resource.metadata.labels = { env: 'spoilt' };
  resource.status = { message: 'spoilt' };
}

const HOOKS: { [name: string]: KindHooks } = {
  validate: {
    validate: (resource, { current }) => [resource, current].forEach(spoil),
    validateOn: ['create', 'update'],
  },
  policies: {
    policy: Object.fromEntries(
      ['canGet', 'canCreate', 'canUpdate', 'canUpdateStatus', 'canDelete'].map((name) => [
        name,
        ({ resource }: { resource?: Resource }) => {
          spoil(resource);
          return { allowed: true };
        },
      ]),
    ),
  },
};

describe.each(Object.entries(HOOKS))('%s', (_name, hooks) => {
  let service: TestService;
  let path: string;
  beforeAll(async () => {
    service = await startService(testProject(), { hooks: { Device: hooks } });
    ({ path } = await create(service.port, '/devices', SPEC, { name: 'n', labels: LABELS }));
  });
  afterAll(() => service.close());

  const stored = async (): Promise<Resource> =>
    JSON.parse((await send(service.port, 'GET', path)).text) as Resource;
  const write = (method: string, suffix: string, body: object): Promise<{ status: number }> =>
    send(service.port, method, path + suffix, { headers: method === 'PATCH' ? MERGE : JSON_TYPE, body });

  test('a create', async () => {
    expect(await stored()).toMatchObject({ metadata: { name: 'n', labels: LABELS }, spec: SPEC });
  });

  test.each<[method: string, suffix: string, body: object, after: object]>([
    ['PUT', '', { spec: { ...SPEC, model: 'x' } }, { spec: { ...SPEC, model: 'x' } }],
    ['PATCH', '', { spec: { model: 'y' } }, { spec: { ...SPEC, model: 'y' } }],
    ['PUT', '/status', { status: { phase: 'Ready' } }, { status: { phase: 'Ready' } }],
    ['PATCH', '/status', { status: { message: 'm' } }, { status: { phase: 'Ready', message: 'm' } }],
  ])('%s %s', async (method, suffix, body, after) => {
    const before = await stored();
    expect((await write(method, suffix, body)).status).toBe(200);
    const { metadata, spec, status } = await stored();
    expect({ metadata, spec, status }).toMatchObject(after);
    expect(metadata).toMatchObject({
      ...before.metadata,
      updatedAt: metadata.updatedAt,
      generation: metadata.generation,
    });
    const selected = await send(service.port, 'GET', '/devices?label=env=prod');
    expect(JSON.parse(selected.text)).toHaveLength(1);
  });

  test('a delete', async () => {
    expect((await send(service.port, 'DELETE', path)).status).toBe(200);
    expect((await send(service.port, 'GET', path)).status).toBe(404);
  });
});
