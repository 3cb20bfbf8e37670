import { apply, ownersOf, wanted } from './applying';
import { projectOf } from './device-project';
import { Cluster, devices } from './devices';

// A rule `default` of a version fills a field of the storage version that the version shows, but its clients need not send.
const project = projectOf(`
        versions:
          v1: { spec: { location: { type: string, rules: [required] }, disks: { type: list, key: name, items: { type: object, fields: {
            name: { type: string, rules: [required] }, size: { type: integer, rules: [required] } } } } } }
          v2beta1:
            spec: { location: string, disks: { type: list, key: name, items: { type: object, fields: {
              name: { type: string, rules: [required] }, size: integer } } } }
            conversion:
              - default: { hub: spec.location, value: eu }
              - default: { hub: "spec.disks[].size", value: 7 }
`);
const V2 = { version: 'v2beta1' };
const BY_CREATOR = '?fieldManager=creator';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start({ project });
});
afterAll(() => cluster.close());

/** An object of v2beta1 as a client writes it. */
const sent = (name: string, spec: object): object => wanted(spec, 'v2beta1', { name });

test('a field that a rule filled in on create has no owner', async () => {
  const body = sent('made', { disks: [{ name: 'a' }] });
  const made = await cluster.request('POST', `${devices('v2beta1')}${BY_CREATOR}`, { body });
  expect(made.body.spec).toEqual({ location: 'eu', disks: [{ name: 'a', size: 7 }] });
  expect(ownersOf(made)).toEqual({ 'creator Update': 'spec.disks[name="a"].name' });
});

test('an element that is added owns what was sent of it', async () => {
  await cluster.request('POST', `${devices('v2beta1')}${BY_CREATOR}`, { body: sent('more', {}) });
  const body = sent('more', { location: 'eu', disks: [{ name: 'a' }, { name: 'b', size: 1 }] });
  const path = `${devices('v2beta1')}/more${BY_CREATOR}`;
  const replaced = await cluster.request('PUT', path, { body });
  expect(replaced.body.spec.disks).toEqual([
    { name: 'a', size: 7 },
    { name: 'b', size: 1 },
  ]);
  expect(ownersOf(replaced)).toEqual({
    'creator Update': 'spec.disks[name="a"].name spec.disks[name="b"].name spec.disks[name="b"].size',
  });
});

test('a manager that made an object by an update applies the same file', async () => {
  const file = sent('same', { disks: [{ name: 'a' }] });
  const path = `${devices('v2beta1')}${BY_CREATOR}`;
  const made = await cluster.request('POST', path, { body: file });
  // As kubectl does before its first server-side apply.
  const managedFields = made.body.metadata.managedFields.map((each: object) => ({
    ...each,
    manager: 'kubectl',
    operation: 'Apply',
  }));
  const body = { metadata: { managedFields } };
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  await cluster.request('PATCH', `${devices('v2beta1')}/same`, { body, headers });
  for (let repeat = 0; repeat < 2; repeat++) {
    const applied = await apply(cluster, ['kubectl', 'same'], file, V2);
    expect([applied.code, applied.body.spec]).toEqual([
      200,
      { location: 'eu', disks: [{ name: 'a', size: 7 }] },
    ]);
  }
});

test('a manager that sends the value of the rule owns the field', async () => {
  const body = sent('own', { location: 'eu' });
  const made = await cluster.request('POST', `${devices('v2beta1')}${BY_CREATOR}`, { body });
  expect(ownersOf(made)).toEqual({ 'creator Update': 'spec.location' });
  const conflict = await apply(cluster, ['kubectl', 'own'], sent('own', { location: 'us' }), V2);
  expect(conflict.code).toBe(409);
});
