import { apply, ownersOf, wanted } from './applying';
import { projectOf } from './device-project';
import { Cluster, devices } from './devices';

// An object that a manager no longer names goes with the defaults that were filled in for it.
const project = projectOf(
  `
        versions:
          v1:
            spec:
              location: string
              cage: { type: object, fields: {
                number: { type: integer, rules: [required] },
                size: { type: object, fields: { width: number, height: { type: number, default: 2 } } } } }
              probe: { type: object, fields: {
                path: { type: string, default: / }, every: { type: integer, default: 10 } } }
              note: any
`,
  { versions: 'v1' },
);

let cluster: Cluster;
beforeAll(async () => {
  cluster = await Cluster.start({ project });
});
afterAll(() => cluster.close());

const CAGE = { number: 1, size: { width: 1 } };

test.each<[what: string, first: object, then: object, spec: object]>([
  ['whole objects', { cage: CAGE, probe: { path: '/x' } }, {}, {}],
  ['an object in another', { cage: CAGE }, { cage: { number: 1 } }, { cage: { number: 1 } }],
  [
    'all but the object itself',
    { probe: { path: '/x' } },
    { probe: {} },
    { probe: { path: '/', every: 10 } },
  ],
  [
    'a field with a default in an object that stays',
    { probe: { path: '/x', every: 5 } },
    { probe: { every: 5 } },
    { probe: { path: '/', every: 5 } },
  ],
])('%s: %j, then %j', async (what, first, then, spec) => {
  const name = what.replaceAll(' ', '-');
  await apply(cluster, ['a', name], wanted({ location: 'eu', ...first }));
  const applied = await apply(cluster, ['a', name], wanted({ location: 'eu', ...then }));
  expect([applied.code, applied.body.spec]).toEqual([200, { location: 'eu', ...spec }]);
});

test('a default that somebody has sent keeps its object', async () => {
  await apply(cluster, ['a', 'sent'], wanted({ location: 'eu', probe: { path: '/x' } }));
  await apply(cluster, ['b', 'sent'], wanted({ probe: { every: 10 } }));
  const applied = await apply(cluster, ['a', 'sent'], wanted({ location: 'eu' }));
  expect(applied.body.spec.probe).toEqual({ path: '/', every: 10 });
  expect(ownersOf(applied)['b Apply']).toBe('spec.probe.every');
});

test('a field without an owner keeps its object', async () => {
  const body = { ...wanted({ location: 'eu', probe: { every: 7 } }), metadata: { name: 'unowned' } };
  await cluster.request('POST', devices(), { body });
  const metadata = { managedFields: [{}] };
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  await cluster.request('PATCH', `${devices()}/unowned`, { body: { metadata }, headers });
  await apply(cluster, ['a', 'unowned'], wanted({ location: 'eu', probe: { path: '/x' } }));
  const applied = await apply(cluster, ['a', 'unowned'], wanted({ location: 'eu' }));
  expect(applied.body.spec.probe).toEqual({ path: '/', every: 7 });
});

test('labels and the like that a manager empties are removed', async () => {
  const owner = {
    apiVersion: 'example.svc.dev/v1',
    kind: 'Device',
    name: 'other',
    uid: 'dev-0000000000000000',
  };
  const filled = {
    labels: { a: '1' },
    annotations: { a: '1' },
    finalizers: ['example.dev/a'],
    ownerReferences: [owner],
  };
  const emptied = { labels: {}, annotations: {}, finalizers: [], ownerReferences: [] };
  await apply(cluster, ['a', 'emptied'], wanted({ location: 'eu' }, 'v1', filled));
  const applied = await apply(cluster, ['a', 'emptied'], wanted({ location: 'eu' }, 'v1', emptied));
  expect(applied.code).toBe(200);
  for (const member of Object.keys(filled)) expect(applied.body.metadata).not.toHaveProperty(member);
});

test.each<[what: string, first: unknown, then: unknown, field: string]>([
  ['members by a number', { x: { y: 1 } }, 2, '.spec.note.x.y'],
  ['members by a list', { x: 1 }, [1], '.spec.note.x'],
  ['a number by members', 2, { x: 1 }, '.spec.note'],
])('replacing %s is a conflict, unless it is forced', async (what, first, then, field) => {
  const name = what.replaceAll(' ', '-');
  await apply(cluster, ['a', name], wanted({ location: 'eu', note: first }));
  const refused = await apply(cluster, ['b', name], wanted({ note: then }));
  expect([refused.code, refused.body.message]).toEqual([
    409,
    `Apply failed with 1 conflict: conflict with "a": ${field}`,
  ]);
  const forced = await apply(cluster, ['b', name, '&force=true'], wanted({ note: then }));
  expect(forced.body.spec.note).toEqual(then);
  expect(ownersOf(forced)['a Apply']).toBe('spec.location');
});

test('an empty object gets members of others', async () => {
  await apply(cluster, ['a', 'empty'], wanted({ location: 'eu', note: {} }));
  const applied = await apply(cluster, ['b', 'empty'], wanted({ note: { x: 1 } }));
  expect([applied.code, applied.body.spec.note]).toEqual([200, { x: 1 }]);
});
