import { loadProject } from '../../../src/load/load-project';
import { type HttpResponse, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// Declarations belong to the storage version: failures name it to clients of another version.

const { project } = loadProject(
  __dirname,
  `
name: boxes
groups:
  - name: a.dev
    storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Box
        versions:
          v1:
            spec: { code: { type: string, rules: [unique, immutable] }, owner: { type: string, ref: Box } }
          v1beta1:
            spec: { key: string, parent: string }
            conversion:
              - rename: { hub: spec.code, spoke: spec.key }
              - rename: { hub: spec.owner, spoke: spec.parent }
`,
);

let service: TestService;
beforeAll(async () => void (service = await startService(project)));
afterAll(() => service.close());

function failures({ text }: HttpResponse): string[] {
  const { errors } = JSON.parse(text) as { errors: { pointer: string; detail: string }[] };
  return errors.map(({ pointer, detail }) => `${pointer} ${detail}`);
}

const TERMS: [version: string, key: string, parent: string, start: string][] = [
  ['v1', 'code', 'owner', ''],
  ['v1beta1', 'key', 'parent', 'in v1, '],
];

test.each(TERMS)('failures of declarations in %s', async (version, key, parent, start) => {
  const path = `/apis/a.dev/${version}/boxes`;
  const post = (spec: object) => send(service.port, 'POST', path, { headers: JSON_TYPE, body: { spec } });
  const made = await post({ [key]: version });
  const { uid } = (JSON.parse(made.text) as { metadata: { uid: string } }).metadata;
  const twice = await post({ [key]: version });
  expect([twice.status, failures(twice)]).toEqual([
    409,
    [`#/spec/${key} ${start}spec.code is that of another Box`],
  ]);
  const dangling = await post({ [key]: 'other', [parent]: 'nobody' });
  expect([dangling.status, failures(dangling)]).toEqual([
    400,
    [`#/spec/${parent} ${start}spec.owner must name an existing Box`],
  ]);
  const body = { spec: { [key]: 'new' } };
  const changed = await send(service.port, 'PATCH', `${path}/${uid}`, { headers: MERGE, body });
  expect([changed.status, failures(changed)]).toEqual([
    400,
    [`#/spec/${key} ${start}spec.code cannot change once it is set`],
  ]);
});
