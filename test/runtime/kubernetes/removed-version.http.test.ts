import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MERGE } from '../support/client';
import { projectOf } from './device-project';
import { type Answer, Cluster, device, devices } from './devices';

// A service without a version that resources were written through: it has preserved values of them, which it does not know.

const V1 = 'v1: { spec: { location: string }, status: { phase: string } }';
const SPOKE = 'v2beta1: { spec: { location: string, nickname: string }, status: { phase: string } }';
const OTHER = 'v1beta1: { spec: { location: string }, status: { phase: string } }';

let folder: string;
let cluster: Cluster | undefined;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'removed-version-'))));
afterEach(async () => {
  await cluster?.close();
  rmSync(folder, { recursive: true });
});

async function restart(kind: readonly string[], versions: string): Promise<void> {
  await cluster?.close();
  const project = projectOf(`\n        versions: { ${kind.join(', ')} }`, { versions });
  cluster = await Cluster.start({ project, environment: { DATABASE_URL: `sqlite:${folder}/store.db` } });
}

const patch = (body: object, part = ''): Promise<Answer> =>
  cluster!.request('PATCH', `${devices()}/one${part}`, { body, headers: MERGE });

test.each([
  ['one version', [V1], 'v1'],
  ['two versions', [V1, OTHER], 'v1, v1beta1'],
])('with %s, a write that changes nothing has no effect', async (_title, kind, versions) => {
  await restart([V1, SPOKE], 'v1, v2beta1');
  const body = {
    ...device('one', { location: 'eu', nickname: 'uno' }),
    apiVersion: 'example.svc.dev/v2beta1',
  };
  await cluster!.request('POST', devices('v2beta1'), { body });
  await patch({ status: { phase: 'Ready' } }, '/status');

  await restart(kind, versions);
  const { resourceVersion } = (await cluster!.get(`${devices()}/one`)).body.metadata;
  for (const same of [
    await patch({ spec: { location: 'eu' } }),
    await patch({ status: { phase: 'Ready' } }, '/status'),
  ])
    expect([same.code, same.body.metadata.resourceVersion]).toEqual([200, resourceVersion]);
  expect((await patch({ spec: { location: 'us' } })).code).toBe(200);

  await restart([V1, SPOKE], 'v1, v2beta1');
  const { spec, status } = (await cluster!.get(`${devices('v2beta1')}/one`)).body;
  expect([spec, status]).toEqual([{ location: 'us', nickname: 'uno' }, { phase: 'Ready' }]);
});
