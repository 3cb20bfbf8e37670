import { loadProject } from '../../../src/load/load-project';
import type { Resource } from '../../../templates/runtime/model/resource';
import { JSON_PATCH, JSON_TYPE, MERGE, send, SHORTHAND_PATCH } from '../support/client';
import { startService, type TestService } from '../support/harness';

// The key of an element may be a name that every object inherits; another version shows it as a member of a map.

const { project } = loadProject(
  '.',
  `
name: odd
groups:
  - storageVersion: v1
    versions: [v1, v2]
    kinds:
      - name: Thing
        versions:
          v1:
            spec:
              name: string
              l: { type: list, key: k, items: { type: object, fields: { k: { type: string, rules: [required] }, v: string } } }
            status: { phase: string }
          v2:
            spec: { name: string, l: { type: map, values: string } }
            status: { phase: string }
            conversion: [{ index: { hub: spec.l, spoke: spec.l } }]
`,
);

let service: TestService;
beforeAll(async () => void (service = await startService(project)));
afterAll(() => service.close());

const KEYS = ['__proto__', 'constructor', 'toString'];
const things = (version: string): string => `/apis/example.svc.dev/${version}/things`;

test.each([
  ['a merge patch', MERGE, { spec: { name: 'b' } }],
  ['a JSON patch', JSON_PATCH, [{ op: 'add', path: '/spec/name', value: 'b' }]],
  ['a shorthand patch', SHORTHAND_PATCH, { 'spec.name': 'b' }],
])('%s of another field keeps such keys', async (_, headers, body) => {
  const spec = { name: 'a', l: KEYS.map((k) => ({ k, v: 'x' })) };
  const made = await send(service.port, 'POST', things('v1'), { headers: JSON_TYPE, body: { spec } });
  const { uid } = (JSON.parse(made.text) as Resource).metadata;
  const patched = await send(service.port, 'PATCH', `${things('v2')}/${uid}`, { headers, body });
  expect([patched.status, patched.text]).toEqual([200, expect.stringContaining('"__proto__":"x"')]);
  const { text } = await send(service.port, 'GET', `${things('v1')}/${uid}`);
  expect((JSON.parse(text) as Resource).spec).toEqual({ ...spec, name: 'b' });
});
