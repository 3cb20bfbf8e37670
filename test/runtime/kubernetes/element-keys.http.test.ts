import { apply, ownersOf, wanted } from './applying';
import { projectOf } from './device-project';
import { Cluster, devices } from './devices';

// The storage version has lists whose elements the other version shows without their keys: as entries of a map, and as a field.
const DISK = 'type: object, fields: { size: integer, path: string }';
const project = projectOf(`
        versions:
          v1: { spec: { model: string, disks: { type: list, key: id, items: { type: object, fields: {
            id: { type: string, rules: [required] }, size: integer, path: string } } },
            drives: { type: map, values: { ${DISK} } },
            limits: { type: list, key: name, items: { type: object, fields: {
            name: { type: string, rules: [required] }, value: integer } } } } }
          v2beta1:
            spec: { model: string, disks: { type: map, values: { ${DISK} } }, cpu: integer, drives: { type: list, key: id, items: {
              type: object, fields: { id: { type: string, rules: [required] }, size: integer, path: string } } } }
            conversion:
              - index: { hub: spec.drives, spoke: spec.drives }
              - index: { hub: spec.disks, spoke: spec.disks }
              - rename: { hub: "spec.limits[name=cpu].value", spoke: spec.cpu }
`);
const V2 = { version: 'v2beta1' };

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start({ project });
});
afterAll(() => cluster.close());

const inV2 = (spec: object): object => wanted(spec, 'v2beta1');
const entry = (size: number): object => inV2({ disks: { a: { size } } });

test('a manager owns the key of an element that it applies as an entry of a map', async () => {
  await apply(cluster, ['one', 'entry'], entry(1), V2);
  const shown = await cluster.get(`${devices()}/entry`);
  expect(ownersOf(shown)).toEqual({ 'one Apply': 'spec.disks[id="a"].id spec.disks[id="a"].size' });
  const without = await apply(cluster, ['one', 'entry'], wanted({ model: 'x' }));
  expect(without.body.spec).toEqual({ model: 'x' });
});

test('a manager owns the key of an element that it applies as a field', async () => {
  await apply(cluster, ['one', 'field'], inV2({ cpu: 2 }), V2);
  const shown = await cluster.get(`${devices()}/field`);
  expect(ownersOf(shown)).toEqual({
    'one Apply': 'spec.limits[name="cpu"].name spec.limits[name="cpu"].value',
  });
  const without = await apply(cluster, ['one', 'field'], wanted({ model: 'x' }));
  expect(without.body.spec).toEqual({ model: 'x' });
});

test('a key goes with the entry that its manager applies no more', async () => {
  await apply(cluster, ['one', 'shared'], wanted({ disks: [{ id: 'a', size: 1 }] }));
  await apply(cluster, ['two', 'shared'], inV2({ disks: { a: { path: '/a' } } }), V2);
  const left = await apply(cluster, ['one', 'shared'], inV2({ model: 'x' }), V2);
  expect(left.body.spec).toEqual({ model: 'x', disks: { a: { path: '/a' } } });
  const gone = await apply(cluster, ['two', 'shared'], wanted({}));
  expect(gone.body.spec).toEqual({ model: 'x' });
});

test('an entry stays while somebody owns its key', async () => {
  await apply(cluster, ['one', 'kept'], wanted({ disks: [{ id: 'a' }] }));
  await apply(cluster, ['two', 'kept'], entry(1), V2);
  const left = await apply(cluster, ['two', 'kept'], inV2({ model: 'x' }), V2);
  expect(left.body.spec).toEqual({ model: 'x', disks: { a: {} } });
});

test('a manager owns the key of an entry that it applies without anything else', async () => {
  await apply(cluster, ['one', 'bare'], entry(1), V2);
  const applied = await apply(cluster, ['two', 'bare'], inV2({ disks: { a: {} } }), V2);
  expect(ownersOf(applied)).toEqual({ 'one Apply': 'spec.disks.a.size', 'two Apply': 'spec.disks.a' });
  const left = await apply(cluster, ['one', 'bare'], wanted({}));
  expect(left.body.spec).toEqual({ disks: [{ id: 'a' }] });
});

test('an element goes with its last owned field, where the storage version has an entry of a map', async () => {
  await apply(cluster, ['one', 'drives'], wanted({ drives: { a: { size: 1 } } }));
  const left = await apply(cluster, ['one', 'drives'], inV2({ model: 'x' }), V2);
  expect(left.body.spec).toEqual({ model: 'x' });
});
