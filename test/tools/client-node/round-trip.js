import assert from 'node:assert/strict';
import {
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
} from '@kubernetes/client-node';

// A first list, watch, create, patch and delete, by the kubeconfig in the argument.

const config = new KubeConfig();
config.loadFromFile(process.argv[2]);
const api = config.makeApiClient(CustomObjectsApi);
const place = { group: 'example.svc.dev', version: 'v1', plural: 'devices' };
const name = 'client-node';

const informer = makeInformer(config, '/apis/example.svc.dev/v1/devices', () =>
  api.listClusterCustomObject(place),
);
const seen = [];
const waiting = new Set();
for (const event of ['add', 'update', 'delete'])
  informer.on(event, ({ metadata, spec }) => {
    if (metadata.name === name) seen.push(`${event} ${spec.location}`);
    waiting.forEach((check) => check());
  });
const failed = new Promise((_, reject) => informer.on('error', reject));
const until = (count) =>
  Promise.race([
    failed,
    new Promise((resolve) => {
      const check = () => seen.length >= count && resolve();
      waiting.add(check);
      check();
    }),
  ]);

await informer.start();
const body = {
  apiVersion: 'example.svc.dev/v1',
  kind: 'Device',
  metadata: { name, finalizers: ['example.dev/cleanup'] },
  spec: { location: 'eu' },
};
const { metadata } = await api.createClusterCustomObject({ ...place, body });
assert.match(metadata.uid, /^dev-/);
await until(1);
const merge = setHeaderOptions('Content-Type', PatchStrategy.MergePatch);
const patch = (change) => api.patchClusterCustomObject({ ...place, name, body: change }, merge);
assert.equal((await patch({ spec: { location: 'us' } })).metadata.generation, 2);
await until(2);
const deleted = await api.deleteClusterCustomObject({ ...place, name });
assert.ok(deleted.metadata.deletionTimestamp);
await until(3);
await patch({ metadata: { finalizers: null } });
await until(4);
assert.deepEqual(seen, ['add eu', 'update us', 'update us', 'delete us']);
await assert.rejects(api.getClusterCustomObject({ ...place, name }), { code: 404 });
assert.equal(informer.get(name), undefined);
await informer.stop();
