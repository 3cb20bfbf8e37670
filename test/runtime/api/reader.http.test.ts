import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../../src/load/load-project';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import { type Reconciliation, startController } from '../../../templates/runtime/controllers/controller';
import type { KindHooks, ValidationContext } from '../../../templates/runtime/model/kinds/kind';
import type { ResourceReader } from '../../../templates/runtime/model/kinds/reader';
import type { Resource } from '../../../templates/runtime/model/resource';
import { runTypeScript } from '../../support/run-typescript';
import { QUICK, until } from '../events/devices';
import { create, failures, type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { mountedKinds, startService, type TestService } from '../support/harness';

// What a check of the user's own reads of other resources: the example of docs/http.md, and the reader that it has.

const project = loadProject(
  '.',
  `
name: parts
events: true
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Supplier
        versions:
          v1: { spec: { name: string } }
          v1beta1: { spec: { title: string }, conversion: [rename: { hub: spec.name, spoke: spec.title }] }
      - name: Part
        versions:
          v1: { spec: { supplier: { type: string, rules: [required] } } }
          v1beta1: { spec: { supplier: { type: string, rules: [required] } } }
      - name: Depot
        versions:
          v1: { spec: { name: string } }
  - name: other.svc.dev
    storageVersion: v1
    versions: [v1]
    kinds:
      - name: Place
        versions:
          v1: { spec: { name: string } }
`,
).project;

let service: TestService;
/** The question that the checks of depots ask, and its last result. */
let ask: (reader: ResourceReader) => Promise<unknown> = () => Promise.resolve();
let response: unknown;

beforeAll(async () => {
  const asking = async (_: Resource, context: ValidationContext<Resource>): Promise<void> => {
    response = await ask(context);
  };
  service = await startService(project, {
    environment: { ...QUICK, MAX_PAGE_SIZE: '3' },
    hooks: {
      Part: exampleOfDocs(),
      Depot: { validate: asking },
      Supplier: { validate: asking },
    },
    middleware: (app) =>
      void app.use((req, _res, next) => {
        const { tenant } = req.headers;
        if (tenant !== undefined) setLabelScope(req, { tenant: String(tenant) });
        next();
      }),
  });
});
afterAll(() => service.close());
beforeEach(() => {
  ask = () => Promise.resolve();
});

/** The file of a kind that docs/http.md shows. */
function exampleOfDocs(): KindHooks {
  const page = readFileSync(join(__dirname, '../../../docs/http.md'), 'utf8');
  const [, source = ''] = /### Other resources.*?```ts\n(.*?)```/s.exec(page) ?? [];
  return runTypeScript<KindHooks>(source);
}

const post = (path: string, spec: object, headers: object = {}): Promise<HttpResponse> =>
  send(service.port, 'POST', path, { headers: { ...JSON_TYPE, ...headers }, body: { spec } });

async function supplier(tenant: string, labels = {}): Promise<string> {
  const { resource } = await create(
    service.port,
    '/suppliers',
    { name: `of ${tenant}` },
    { labels: { ...labels, tenant } },
  );
  return resource.metadata.uid;
}

/** Returns the result of a reader in a create of this path by this tenant. */
async function asked<T>(
  path: string,
  headers: object,
  question: (reader: ResourceReader) => Promise<T>,
): Promise<T> {
  ask = question;
  const { status, text } = await post(path, {}, headers);
  if (status !== 201) throw new Error(text);
  return response as T;
}

describe('the example of the page', () => {
  test.each(['/parts', '/apis/example.svc.dev/v1beta1/parts'])(
    '%s: a reference to what the caller has',
    async (path) => {
      const [mine, theirs, blocked] = [
        await supplier('acme'),
        await supplier('umbrella'),
        await supplier('acme', { blocked: '' }),
      ];
      const acme = { tenant: 'acme' };
      const { status, text } = await post(path, { supplier: mine }, acme);
      expect(status).toBe(201);
      for (const [wrong, detail] of [
        [theirs, 'there is no such supplier'],
        ['sup-0000000000000000', 'there is no such supplier'],
        ['x', 'there is no such supplier'],
        [blocked, 'this supplier is blocked'],
      ]) {
        const refused = await post(path, { supplier: wrong }, acme);
        expect([refused.status, failures(refused)]).toEqual([400, ['#/spec/supplier custom']]);
        expect(refused.text).toContain(detail);
        const { metadata } = JSON.parse(text) as Resource;
        const change = { headers: { ...MERGE, ...acme }, body: { spec: { supplier: wrong } } };
        expect((await send(service.port, 'PATCH', `${path}/${metadata.uid}`, change)).status).toBe(400);
      }
      expect((await post(path, { supplier: theirs })).status).toBe(201);
    },
  );
});

describe('get', () => {
  test('is bound to the scope', async () => {
    const uid = await supplier('acme');
    const get = (tenant: object): Promise<Resource | undefined> =>
      asked('/depots', tenant, (reader) => reader.get('Supplier', uid));
    expect((await get({ tenant: 'acme' }))?.metadata.uid).toBe(uid);
    expect((await get({}))?.metadata.uid).toBe(uid);
    expect(await get({ tenant: 'umbrella' })).toBeUndefined();
  });

  test.each<
    [path: string, accept: string | undefined, version: string | undefined, want: string, field: string]
  >([
    ['/suppliers', undefined, undefined, 'v1', 'name'],
    ['/suppliers', 'application/json;version=v1beta1', undefined, 'v1beta1', 'title'],
    ['/apis/example.svc.dev/v1beta1/suppliers', undefined, undefined, 'v1beta1', 'title'],
    ['/apis/example.svc.dev/v1beta1/suppliers', undefined, 'v1', 'v1', 'name'],
    ['/suppliers', undefined, 'v1beta1', 'v1beta1', 'title'],
    ['/suppliers', undefined, 'v9', 'v1', 'name'],
  ])('from %s with Accept %s, version %s: in %s', async (path, Accept, version, want, field) => {
    const uid = await supplier('acme');
    const read = await asked(path, Accept ? { Accept } : {}, (reader) =>
      reader.get('Supplier', uid, { version }),
    );
    expect([read?.apiVersion, read?.spec]).toEqual([`example.svc.dev/${want}`, { [field]: 'of acme' }]);
  });

  test('a kind without the version comes in the storage version, a kind of another group by its whole name', async () => {
    const depot = (await create(service.port, '/depots', { name: 'd' })).resource;
    const place = (await create(service.port, '/places', { name: 'p' })).resource;
    const path = '/apis/example.svc.dev/v1beta1/suppliers';
    expect(await asked(path, {}, (reader) => reader.get('Depot', depot.metadata.uid))).toEqual(depot);
    expect(await asked(path, {}, (reader) => reader.get('other.svc.dev/Place', place.metadata.uid))).toEqual(
      place,
    );
  });

  test.each(['Suplier', 'Place', 'no.group/Supplier', ''])('there is no kind %j: 500', async (kind) => {
    ask = (reader) => reader.get(kind, 'sup-0000000000000000');
    expect((await post('/depots', {})).status).toBe(500);
  });
});

describe('list', () => {
  test('is bound to the scope, in order, by labels, up to a limit', async () => {
    const tenant = 'listed';
    const uids: string[] = [];
    for (const env of ['prod', 'dev', 'prod', 'prod', 'prod']) {
      uids.push(await supplier(tenant, { env }));
      await supplier('umbrella', { env });
    }
    const list = async (query?: object): Promise<string[]> =>
      (await asked('/depots', { tenant }, (reader) => reader.list('Supplier', query))).map(
        ({ metadata }) => metadata.uid,
      );
    const [first, second, third, fourth, fifth] = uids;
    // MAX_PAGE_SIZE is 3.
    expect(await list()).toEqual([first, second, third]);
    expect(await list({ limit: 10 })).toEqual(uids);
    expect(await list({ limit: 1 })).toEqual([first]);
    expect(await list({ limit: 0 })).toEqual([]);
    expect(await list({ labelSelector: 'env=prod', limit: 10 })).toEqual([first, third, fourth, fifth]);
    expect(await list({ labelSelector: 'tenant=umbrella', limit: 10 })).toEqual([]);
  });

  test('comes in the version that is spoken', async () => {
    await supplier('titled');
    const path = '/apis/example.svc.dev/v1beta1/suppliers';
    const list = await asked(path, { tenant: 'titled' }, (reader) =>
      reader.list('Supplier', { labelSelector: 'tenant' }),
    );
    expect(list.map(({ spec }) => spec)).toEqual([{ title: 'of titled' }]);
  });
});

test('a controller reads all resources, in the storage version', async () => {
  const uid = await supplier('acme');
  const { kind } = mountedKinds(project).find(({ kind }) => kind.kind === 'Depot')!;
  const read: (Resource | undefined)[] = [];
  const controller = startController(service.service, kind, async (context: Reconciliation<Resource>) => {
    read.push(await context.get('Supplier', uid), (await context.list('Supplier', { limit: 1 }))[0]);
  });
  await post('/depots', {});
  await until(() => read.length >= 2);
  await controller.close();
  expect(read[0]?.spec).toEqual({ name: 'of acme' });
  expect(read[1]?.apiVersion).toBe('example.svc.dev/v1');
});
