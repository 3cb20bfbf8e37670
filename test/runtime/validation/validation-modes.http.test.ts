import { loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { create, failures, type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

const MODES = ['strict', 'warn', 'disabled'] as const;
const services: { [mode: string]: TestService } = {};
beforeAll(async () => {
  for (const validation of MODES) services[validation] = await startService(testProject({ validation }));
});
afterAll(() => Promise.all(Object.values(services).map((service) => service.close())));

type Method = 'POST' | 'PUT' | 'PATCH' | 'PUT status' | 'PATCH status';

/** A Thing written in one of the ways; its response. */
async function write(mode: string, method: Method, body: unknown): Promise<HttpResponse> {
  const { port } = services[mode];
  const { path } = await create(port, '/things', {});
  const [verb, status] = method.split(' ');
  const headers = verb === 'PATCH' ? MERGE : JSON_TYPE;
  const target = method === 'POST' ? '/things' : path + (status === undefined ? '' : '/status');
  const response = await send(port, verb, target, { headers, body });
  if (response.status < 300) {
    const item = response.headers.location ?? path;
    expect((await send(port, 'GET', item)).text).toBe(response.text);
  }
  return response;
}

const warnings = ({ headers }: HttpResponse): string[] =>
  (headers['warning'] ?? '').split(/, (?=299 )/).filter((text) => text !== '');

/** Specs that break rules: refused in strict, stored in the other modes, reported by `warn`. */
const BROKEN: [name: string, spec: JsonObject, rules: string[]][] = [
  ['several rules', { text: 'x', count: 11 }, ['#/spec/text min=2', '#/spec/count max=10']],
  ['a wrong type', { flag: 'yes' }, ['#/spec/flag type']],
  ['an unknown field', { txt: 'x', flag: false }, ['#/spec/txt unknown']],
  ['an unknown field, deep', { box: { width: 1, height: 2 } }, ['#/spec/box/height unknown']],
  ['a missing field', { box: {} }, ['#/spec/box/width required']],
  ['a repeated key', { conditions: [{ type: 'a' }, { type: 'a' }] }, ['#/spec/conditions/1/type key']],
  ['a name of Object.prototype', { constructor: 1 }, ['#/spec/constructor unknown']],
];

describe.each<Method>(['POST', 'PUT', 'PATCH'])('%s', (method) => {
  test.each(BROKEN)('%s', async (_name, spec, rules) => {
    const strict = await write('strict', method, { spec });
    expect([strict.status, failures(strict).sort()]).toEqual([400, [...rules].sort()]);
    expect(JSON.parse(strict.text)).toMatchObject({ detail: expect.stringContaining('Validation failed: ') });

    const ok = method === 'POST' ? 201 : 200;
    const warned = await write('warn', method, { spec });
    expect([warned.status, warnings(warned).length]).toEqual([ok, rules.length]);
    for (const rule of rules) expect(warned.headers['warning']).toContain(rule.slice(1).split(' ')[0]);
    const disabled = await write('disabled', method, { spec });
    expect([disabled.status, warnings(disabled)]).toEqual([ok, []]);
    for (const { text } of [warned, disabled]) {
      expect((JSON.parse(text) as Resource).spec).toEqual({ flag: true, ...spec });
    }
  });

  test.each<[name: string, body: JsonObject, pointer: string]>([
    ['a member beside spec', { spec: {}, specs: {} }, '#/specs unknown'],
    ['an unknown member of metadata', { spec: {}, metadata: { lables: {} } }, '#/metadata/lables unknown'],
    ['labels that are no object', { spec: {}, metadata: { labels: [] } }, '#/metadata/labels type'],
    ['a label that is no text', { spec: {}, metadata: { labels: { a: 1 } } }, '#/metadata/labels/a type'],
    ['a name that is no text', { spec: {}, metadata: { name: 1 } }, '#/metadata/name type'],
    ['metadata that is no object', { spec: {}, metadata: 'x' }, '#/metadata type'],
  ])('%s: refused, or dropped', async (_name, body, want) => {
    expect(failures(await write('strict', method, body))).toEqual([want]);
    for (const mode of ['warn', 'disabled']) {
      const response = await write(mode, method, body);
      expect([response.status < 300, warnings(response).length]).toEqual([true, mode === 'warn' ? 1 : 0]);
      const { metadata, ...rest } = JSON.parse(response.text) as Resource;
      expect(Object.keys(rest)).toEqual(['apiVersion', 'kind', 'spec']);
      expect(Object.keys(metadata)).toEqual(['name', 'uid', 'createdAt', 'updatedAt', 'generation']);
    }
  });
});

describe.each(MODES)('in every mode: %s', (mode) => {
  test.each<[Method, unknown, number]>([
    ['POST', {}, 400],
    ['POST', { spec: null }, 400],
    ['POST', { spec: [] }, 400],
    ['POST', { spec: 'x' }, 400],
    ['PUT', { metadata: {} }, 400],
    ['PUT', { spec: 1 }, 400],
    ['PATCH', { spec: null }, 500],
    ['PUT status', {}, 400],
    ['PUT status', { status: null }, 400],
    ['PUT status', { status: [] }, 400],
    ['PATCH status', { status: null }, 400],
    ['POST', { kind: 'Other', spec: {} }, 400],
    ['POST', { apiVersion: 7, spec: {} }, 400],
    ['POST', { apiVersion: 'v9', spec: {} }, 406],
    ['POST', { apiVersion: 'other.example/v1', spec: {} }, 406],
    ['POST', { apiVersion: 'v1', kind: 'Thing', spec: {}, status: 'x' }, 201],
    ['POST', { spec: {}, metadata: null }, 201],
    ['PUT status', { status: {}, spec: 'x', metadata: 'x' }, 200],
  ])('%s %j: %i', async (method, body, want) => {
    const response = await write(mode, method, body);
    expect([response.status, response.text]).toEqual([want, expect.anything()]);
  });

  test('null in a declared field means absent, in one of any value it stays', async () => {
    const response = await write(mode, 'POST', {
      spec: { text: null, flag: null, any: null, box: null, limits: {} },
    });
    expect([response.status, (JSON.parse(response.text) as Resource).spec]).toEqual([
      201,
      { any: null, limits: {}, flag: true },
    ]);
  });
});

describe('status', () => {
  test.each<Method>(['PUT status', 'PATCH status'])('%s', async (method) => {
    const body = { status: { phase: 1, extra: 2 } };
    expect(failures(await write('strict', method, body)).sort()).toEqual([
      '#/status/extra unknown',
      '#/status/phase type',
    ]);
    const warned = await write('warn', method, body);
    expect([warned.status, warnings(warned).length]).toEqual([200, 2]);
    expect((JSON.parse(warned.text) as Resource).status).toEqual(body.status);
    const disabled = await write('disabled', method, body);
    expect([disabled.status, (JSON.parse(disabled.text) as Resource).status]).toEqual([200, body.status]);
  });
});

test('warnings are bounded and plain ASCII', async () => {
  const spec = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`é"\\\n${index}`, 1]));
  const response = await write('warn', 'POST', { spec });
  const text = response.headers['warning'] as string;
  expect([response.status, /^[\x20-\x7e]+$/.test(text), text.length > 1_000, text.length < 10_000]).toEqual([
    201,
    true,
    true,
    true,
  ]);
});

describe('the user’s own checks run in every mode', () => {
  test.each(MODES)('%s', async (validation) => {
    const seen: string[] = [];
    const hooks = {
      Book: {
        validate: (book: Resource, { operation, current }: { operation: string; current?: Resource }) => {
          seen.push(`${operation} ${current?.metadata.generation}`);
          return book.spec['price'] === 13 ? [{ pointer: '/spec/price', detail: 'no luck' }] : [];
        },
        validateOn: ['create', 'update'] as const,
      },
    };
    const service = await startService(testProject({ validation }), { hooks });
    try {
      const spec = { title: 'a', author: 'b' };
      const { path } = await create(service.port, '/books', spec);
      const body = { spec: { ...spec, price: 13 } };
      const refused = [
        await send(service.port, 'POST', '/books', { headers: JSON_TYPE, body }),
        await send(service.port, 'PUT', path, { headers: JSON_TYPE, body }),
        await send(service.port, 'PATCH', path, { headers: MERGE, body: { spec: { price: 13 } } }),
      ];
      expect(refused.map((response) => [response.status, failures(response)])).toEqual(
        refused.map(() => [400, ['#/spec/price custom']]),
      );
      const status = { headers: JSON_TYPE, body: { status: { phase: 'read' } } };
      expect((await send(service.port, 'PUT', `${path}/status`, status)).status).toBe(200);
      expect(seen).toEqual(['create undefined', 'create undefined', 'update 1', 'update 1', 'update 1']);
    } finally {
      await service.close();
    }
  });
});

test('MAX_PATTERN_STEPS bounds the patterns of a request', async () => {
  const { port, close } = await startService(testProject(), { environment: { MAX_PATTERN_STEPS: '1' } });
  const response = await send(port, 'POST', '/things', {
    headers: JSON_TYPE,
    body: { spec: { code: 'ABC' } },
  });
  expect([response.status, failures(response)]).toEqual([400, ['#/spec/code pattern=^[A-Z]{3}$']]);
  expect(response.text).toContain('the request is too long for its patterns');
  await close();
});

test('nulls that another version shows in its fields come back from it unchanged', async () => {
  const { project } = loadProject(
    __dirname,
    `name: nulls
validation: disabled
groups:
  - storageVersion: v1
    versions: [v1, v2]
    kinds:
      - name: Thing
        versions:
          v1:
            spec:
              hosts: { type: list, items: string }
              limits: { type: map, values: string }
              env: { type: map, values: string }
              name: string
          v2:
            spec:
              host: string
              limits: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: { type: string, rules: [required] } } } }
              home: string
              name: string
            conversion:
              - wrap: { hub: spec.hosts, spoke: spec.host }
              - index: { hub: spec.limits, spoke: spec.limits }
              - rename: { hub: "spec.env{HOME}", spoke: spec.home }
`,
  );
  const service = await startService(project);
  try {
    const spec = { hosts: [null, 'b'], limits: { a: null, b: 'x' }, env: { HOME: null } };
    const { path } = await create(service.port, '/things', spec);
    const other = `/apis/example.svc.dev/v2${path}`;
    const shown = JSON.parse((await send(service.port, 'GET', other)).text) as Resource;
    const writes: [method: string, headers: typeof MERGE, spec: JsonObject][] = [
      ['PUT', JSON_TYPE, shown.spec],
      ['PUT', JSON_TYPE, { ...shown.spec, name: 'put' }],
      ['PATCH', MERGE, { name: 'patched' }],
    ];
    for (const [method, headers, sent] of writes) {
      expect((await send(service.port, method, other, { headers, body: { spec: sent } })).status).toBe(200);
      const stored = JSON.parse((await send(service.port, 'GET', path)).text) as Resource;
      expect(stored.spec).toEqual({ ...spec, ...(sent.name !== undefined && { name: sent.name }) });
    }
    const body = { spec: { host: 'a', limits: [{ k: 'a', v: 'y' }] } };
    await send(service.port, 'PATCH', other, { headers: MERGE, body });
    const changed = JSON.parse((await send(service.port, 'GET', path)).text) as Resource;
    expect(changed.spec).toMatchObject({ hosts: ['a', 'b'], limits: { a: 'y' }, env: { HOME: null } });
  } finally {
    await service.close();
  }
});
