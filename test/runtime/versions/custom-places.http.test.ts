import { loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import { failures, JSON_TYPE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// A user's own check sees the storage version. Its pointers lead to the same element in the document of the client.

const LIST = '{ type: list, key: name, items: { type: object, fields: { name: string, value: integer } } }';
const { project } = loadProject(
  __dirname,
  `name: places
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Job
        versions:
          v1: { spec: { limits: { type: map, values: integer }, ports: ${LIST} }, status: { limits: { type: map, values: integer } } }
          v1beta1:
            spec: { limits: ${LIST}, ports: { type: map, values: integer } }
            status: { limits: ${LIST} }
            conversion:
              - index: { hub: spec.limits, spoke: spec.limits }
              - rename: { hub: 'spec.limits{}', spoke: 'spec.limits[].value' }
              - index: { hub: spec.ports, spoke: spec.ports }
              - rename: { hub: 'spec.ports[].value', spoke: 'spec.ports{}' }
              - index: { hub: status.limits, spoke: status.limits }
              - rename: { hub: 'status.limits{}', spoke: 'status.limits[].value' }
`,
);

/** Refuses every negative number. */
function validate({ spec, status = {} }: Resource): { pointer: string; detail: string }[] {
  const ofMap = (part: string, limits: unknown): string[] =>
    Object.entries((limits ?? {}) as { [name: string]: number }).flatMap(([name, value]) =>
      value < 0 ? [`/${part}/limits/${name}`] : [],
    );
  const ports = ((spec['ports'] ?? []) as { value: number }[]).flatMap(({ value }, i) =>
    value < 0 ? [`/spec/ports/${i}/value`] : [],
  );
  const pointers = [...ofMap('spec', spec['limits']), ...ports, ...ofMap('status', status['limits'])];
  return pointers.map((pointer) => ({ pointer, detail: 'is negative' }));
}

let service: TestService;
beforeAll(
  async () =>
    (service = await startService(project, {
      hooks: { Job: { validate, validateOn: ['create', 'update'] } },
    })),
);
afterAll(() => service.close());

const PATH = '/apis/example.svc.dev/v1beta1/jobs';
const limits = (values: JsonObject): JsonObject[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

test('a create and its updates point to the element and the entry that failed', async () => {
  const write = (method: string, path: string, body: object) =>
    send(service.port, method, path, { headers: JSON_TYPE, body });
  const wrong = { spec: { limits: limits({ b: 1, a: -1 }), ports: { web: 1, ssh: -1 } } };
  const want = ['#/spec/limits/1/value custom', '#/spec/ports/ssh custom'];
  expect(failures(await write('POST', PATH, wrong))).toEqual(want);
  const created = await write('POST', PATH, { spec: { limits: limits({ a: 1 }) } });
  const path = `${PATH}/${(JSON.parse(created.text) as Resource).metadata.uid}`;
  expect(failures(await write('PUT', path, wrong))).toEqual(want);
  const status = { limits: limits({ z: 1, y: 2, x: -1 }) };
  expect(failures(await write('PUT', `${path}/status`, { status }))).toEqual([
    '#/status/limits/2/value custom',
  ]);
});
