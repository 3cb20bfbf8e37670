import { loadProject } from '../../../src/load/load-project';
import { plannedProject } from '../../../src/plan/planned-project';
import { kindTestFile } from '../../../src/render/kinds/kind-test-file';
import type { Resource } from '../../../templates/runtime/model/resource';
import { failures, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// A field that a version requires and that a rule `default` of it supplies may be left out.

const { project } = loadProject(
  __dirname,
  `name: supplied
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Job
        versions:
          v1:
            spec:
              name: string
              region: { type: string, rules: [required] }
              steps: { type: list, items: { type: object, fields: { run: string } } }
              tags: { type: list, items: string }
              size: integer
          v1beta1:
            spec:
              name: { type: string, rules: [required] }
              zone: { type: string, rules: [required] }
              mode: { type: string, rules: [required, oneof=safe fast] }
              steps: { type: list, items: { type: object, fields: { run: string, kind: { type: string, rules: [required] } } } }
              tags: { type: list, items: { type: string, rules: [max=3] } }
              size: { type: integer, rules: [max=9] }
            conversion:
              - rename: { hub: spec.region, spoke: spec.zone }
              - default: { hub: spec.region, value: eu-1 }
              - default: { spoke: spec.mode, value: safe }
              - default: { spoke: 'spec.steps[].kind', value: shell }
`,
);

let service: TestService;
beforeAll(async () => (service = await startService(project)));
afterAll(() => service.close());

const BETA = '/apis/example.svc.dev/v1beta1/jobs';
const sent = (spec: object) => ({ headers: JSON_TYPE, body: { spec } });

test('it is read back as the default, and in the hub as before', async () => {
  const spec = { name: 'a', steps: [{ run: 'x' }, { run: 'y', kind: 'node' }] };
  const response = await send(service.port, 'POST', BETA, sent(spec));
  expect(response.status).toBe(201);
  const { metadata, spec: shown } = JSON.parse(response.text) as Resource;
  const steps = [
    { run: 'x', kind: 'shell' },
    { run: 'y', kind: 'node' },
  ];
  expect(shown).toEqual({ name: 'a', zone: 'eu-1', mode: 'safe', steps });
  const path = `${BETA}/${metadata.uid}`;
  const fast = await send(service.port, 'PATCH', path, { headers: MERGE, body: { spec: { mode: 'fast' } } });
  expect(JSON.parse(fast.text)).toMatchObject({ spec: { mode: 'fast' } });
  const put = await send(service.port, 'PUT', path, sent({ ...shown, mode: undefined }));
  expect([put.status, (JSON.parse(put.text) as Resource).spec]).toEqual([200, shown]);
  const hub = await send(service.port, 'GET', `/jobs/${metadata.uid}`);
  expect((JSON.parse(hub.text) as Resource).spec).toEqual({
    name: 'a',
    region: 'eu-1',
    steps: [{ run: 'x' }, { run: 'y' }],
  });
});

test('what nothing supplies is required', async () => {
  const response = await send(service.port, 'POST', BETA, sent({ mode: 'odd', steps: [{ run: 'x' }] }));
  expect([response.status, failures(response)]).toEqual([
    400,
    ['#/spec/name required', '#/spec/mode oneof=safe fast'],
  ]);
});

test('the generated tests do not expect a failure', () => {
  const text = kindTestFile(plannedProject(project).kinds[0]);
  expect([...text.matchAll(/\['(.*?)', undefined, 'required'\]/g)].map(([, pointer]) => pointer)).toEqual([
    '/region',
    '/name',
  ]);
});

// Failures are reported up to a number; those that are accepted do not count.
const MANY = Array.from({ length: 150 });

test('however many fields are supplied, a broken rule of another is reported', async () => {
  const steps = MANY.map(() => ({ run: 'x' }));
  const spec = { name: 'a', steps, size: 10, unknown: 1 };
  const response = await send(service.port, 'POST', BETA, sent(spec));
  expect([response.status, failures(response).sort()]).toEqual([
    400,
    ['#/spec/size max=9', '#/spec/unknown unknown'],
  ]);
  expect((await send(service.port, 'POST', BETA, sent({ name: 'a', steps }))).status).toBe(201);
});

test('however many values stay that the version would refuse, a changed one is reported', async () => {
  const tags = MANY.map((_, index) => `tag-${index}`);
  const created = await send(service.port, 'POST', '/jobs', sent({ name: 'a', region: 'b', tags }));
  const { metadata } = JSON.parse(created.text) as Resource;
  const path = `${BETA}/${metadata.uid}`;
  const patch = (spec: object) => send(service.port, 'PATCH', path, { headers: MERGE, body: { spec } });
  const changed = await patch({ tags: ['tag-new', ...tags.slice(1), 'tag-0'], size: 10 });
  expect([changed.status, failures(changed)]).toEqual([400, ['#/spec/tags/0 max=3', '#/spec/size max=9']]);
  expect((await patch({ tags: tags.reverse(), size: 9 })).status).toBe(200);
});

test('where the validator stops looking, no failure is accepted: others may not have been found', async () => {
  const steps = Array.from({ length: 10_001 }, () => ({}));
  const response = await send(service.port, 'POST', BETA, sent({ name: 'a', steps, unknown: 1 }));
  expect([response.status, failures(response)]).toEqual([
    400,
    expect.arrayContaining(['#/spec/steps/0/kind required']),
  ]);
});
