import { apply, ownersOf, wanted } from './applying';
import { projectOf } from './device-project';
import { Cluster, devices } from './devices';

// A field of the storage version that another version divides into several, each with owners of its own.

const project = projectOf(`
        versions:
          v1: { spec: { model: string, place: string } }
          v2beta1:
            spec: { model: string, city: string, hall: string }
            conversion: [{ join: { hub: spec.place, spoke: [spec.city, spec.hall], separator: ' ' } }]
`);

let cluster: Cluster;
beforeAll(async () => void (cluster = await Cluster.start({ project })));
afterAll(() => cluster.close());

const SPOKE = { version: 'v2beta1' };

/** Applies fields of the other version. */
function divided(manager: string, name: string, spec: object): ReturnType<typeof apply> {
  return apply(cluster, [manager, name], wanted(spec, 'v2beta1'), SPOKE);
}

async function specOf(name: string): Promise<object> {
  return (await cluster.get(`${devices('v2beta1')}/${name}`)).body.spec;
}

test.each([
  ['last', { hall: 'b' }, 'b'],
  ['last of two', { city: 'a', hall: 'b' }, 'a b'],
])('a part stays where the manager of the whole drops it: the %s', async (_which, spec, place) => {
  const name = Object.keys(spec).join('-');
  await divided('a', name, spec);
  expect((await apply(cluster, ['b', name], wanted({ place }))).code).toBe(200);
  expect((await apply(cluster, ['b', name], wanted({}))).code).toBe(200);
  expect(await specOf(name)).toEqual(spec);
});

test('another whole conflicts with the owners of each part', async () => {
  await divided('a', 'wall', { city: 'a', hall: 'b' });
  await divided('b', 'wall', { hall: 'b' });
  await divided('a', 'wall', { city: 'a' });
  const { code, body } = await apply(cluster, ['c', 'wall'], wanted({ place: 'a c' }));
  expect([code, body.message]).toEqual([
    409,
    'Apply failed with 2 conflicts: conflicts with "a":\n- .spec.place\nconflicts with "b":\n- .spec.place',
  ]);
  expect(await specOf('wall')).toEqual({ city: 'a', hall: 'b' });
});

test('the parts are lost to a manager that takes the whole over', async () => {
  await divided('a', 'roof', { model: 'x', hall: 'b' });
  expect((await apply(cluster, ['c', 'roof', '&force=true'], wanted({ place: 'a c' }))).code).toBe(200);
  const shown = await cluster.get(`${devices('v2beta1')}/roof`);
  expect(ownersOf(shown)['a Apply']).toBe('spec.model');
  expect((await apply(cluster, ['c', 'roof'], wanted({}))).code).toBe(200);
  expect(await specOf('roof')).toEqual({ model: 'x' });
});

test('another part does not conflict with the owner of a later one', async () => {
  await divided('a', 'door', { hall: 'b' });
  expect((await divided('b', 'door', { city: 'a' })).code).toBe(200);
  expect((await divided('a', 'door', { hall: 'b' })).code).toBe(200);
  expect(await specOf('door')).toEqual({ city: 'a', hall: 'b' });
});
