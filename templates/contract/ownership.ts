import type { Resource } from '../runtime/model/resource';
import { isObject, type JsonObject } from '../runtime/model/schema';
import { type Found, JSON_PATCH, JSON_TYPE, MERGE, type Place, SHORTHAND } from './place';
import type { Sent } from './tested';

/** A way to write, and its form of setting some members to other values. */
type Write = [
  title: string,
  part: 'spec' | 'status',
  method: string,
  sent: (found: Found, changes: Change[]) => Sent | Promise<Sent>,
];

/** A member of the resource, and the value that a client sends for it. */
type Change = [path: string[], value: unknown];

const EARLY = '2001-01-01T00:00:00.000Z';
const LATE = '9999-01-01T00:00:00.000Z';

/** Members that no client owns. */
const SERVERS: Change[] = [
  [['metadata', 'uid'], 'xxx-ffffffffffffffff'],
  [['metadata', 'createdAt'], EARLY],
  [['metadata', 'updatedAt'], LATE],
  [['metadata', 'generation'], 99],
];
const VERSION: Change = [['status', 'version'], '20010101000000-1'];

/** Members of the other part that a write of one part must leave alone. */
const OTHERS: { [part in 'spec' | 'status']: Change[] } = {
  spec: [[['status'], 'none']],
  status: [
    [['spec'], {}],
    [['metadata', 'name'], 'changed'],
    [['metadata', 'labels'], { changed: 'yes' }],
    [['metadata', 'annotations'], { changed: 'yes' }],
  ],
};

const put =
  (part: 'spec' | 'status', place: Place) =>
  (found: Found, changes: Change[]): Sent => {
    const own = part === 'spec' ? found.shown.spec : place.statusOf(found);
    return { headers: { 'Content-Type': JSON_TYPE }, body: changed({ [part]: own }, changes) };
  };
const post =
  (place: Place) =>
  async (_: Found, changes: Change[]): Promise<Sent> => {
    const body: JsonObject = { ...(await place.bodies.next()) };
    return { headers: { 'Content-Type': JSON_TYPE }, body: changed(body, changes) };
  };
const patch =
  (type: string, body: (changes: Change[]) => unknown) =>
  (_: Found, changes: Change[]): Sent => ({ headers: { 'Content-Type': type }, body: body(changes) });
/** Without a member `status`, a merge patch of a status is read as a bare status. */
const merge = (part: 'spec' | 'status') =>
  patch(MERGE, (changes) => changed(part === 'status' ? { status: {} } : {}, changes));
const jsonPatch = patch(JSON_PATCH, (changes) =>
  changes.map(([path, value]) => ({ op: 'add', path: `/${path.join('/')}`, value })),
);
const shorthand = patch(SHORTHAND, (changes) =>
  Object.fromEntries(changes.map(([path, value]) => [path.join('.'), value])),
);

function writes(place: Place): Write[] {
  const create: Write = ['POST', 'spec', 'POST', post(place)];
  return [
    // The view of one version may lack fields that the storage version requires.
    ...(place.isHub ? [create] : []),
    ['PUT', 'spec', 'PUT', put('spec', place)],
    ['merge patch', 'spec', 'PATCH', merge('spec')],
    ['JSON Patch', 'spec', 'PATCH', jsonPatch],
    ['shorthand patch', 'spec', 'PATCH', shorthand],
    ['PUT of the status', 'status', 'PUT', put('status', place)],
    ['merge patch of the status', 'status', 'PATCH', merge('status')],
    ['JSON Patch of the status', 'status', 'PATCH', jsonPatch],
    ['shorthand patch of the status', 'status', 'PATCH', shorthand],
  ];
}

/** Checks that no client changes a member that it does not own: every way to write, every such member. */
export function ownership(place: Place): void {
  const { kind } = place;
  const servers = kind.history ? [...SERVERS, VERSION] : SERVERS;

  for (const [title, part, method, sent] of writes(place)) {
    test(`${title} leaves what is the server's`, async () => {
      const found = await place.fresh({ name: place.name('own'), labels: { own: 'yes' } });
      await expectLeft(place, found, part, method, await sent(found, servers));
    });

    test(`${title} leaves the ${part === 'spec' ? 'status' : 'spec and the metadata'}`, async () => {
      const found = await place.fresh({ name: place.name('own'), labels: { own: 'yes' } });
      await expectLeft(place, found, part, method, await sent(found, OTHERS[part]));
    });
  }

  test('a patch leaves what the resource is', async () => {
    const { url, shown } = await place.fresh();
    const body = [
      { op: 'replace', path: '/apiVersion', value: 'other.example/v1' },
      { op: 'replace', path: '/kind', value: 'Other' },
    ];
    for (const path of [url, `${url}/status`]) {
      const { status, text } = await place.patch(path, JSON_PATCH, body);
      const { apiVersion, kind } = JSON.parse(text) as Resource;
      expect([status, apiVersion, kind]).toEqual([200, shown.apiVersion, shown.kind]);
    }
  });
}

async function expectLeft(
  place: Place,
  found: Found,
  part: 'spec' | 'status',
  method: string,
  sent: Sent,
): Promise<void> {
  const { shown: before } = found;
  const target = method === 'POST' ? place.url : found.url + (part === 'status' ? '/status' : '');
  const response = await place.send(method, target, sent);
  expect([response.status, response.text]).toEqual([method === 'POST' ? 201 : 200, response.text]);
  const after = JSON.parse(response.text) as Resource;
  const { uid, createdAt, updatedAt, generation, ...own } = after.metadata;
  expect(Date.parse(updatedAt)).toBeGreaterThanOrEqual(Date.parse(before.metadata.updatedAt));
  expect(Date.parse(updatedAt)).toBeLessThan(Date.parse(LATE));
  if (method === 'POST') {
    expect([generation, createdAt, uid.slice(0, 4)]).toEqual([1, updatedAt, `${place.kind.uidPrefix}-`]);
    expect(uid).not.toBe(SERVERS[0][1]);
    expect(after.status?.['version']).not.toBe(VERSION[1]);
    return;
  }
  expect([uid, createdAt, generation]).toEqual([
    before.metadata.uid,
    before.metadata.createdAt,
    before.metadata.generation,
  ]);
  const { name } = before.metadata;
  expect([own, after.spec]).toEqual([{ name, labels: { own: 'yes' } }, before.spec]);
  const { version, ...status } = after.status ?? {};
  const { version: versionBefore, ...statusBefore } = before.status ?? {};
  expect(status).toEqual(statusBefore);
  if (place.kind.history === undefined || part === 'status') expect(version).toBe(versionBefore);
  else expect(String(version) > String(versionBefore)).toBe(true);
}

/** Returns a copy of a body with some members set. */
function changed(body: JsonObject, changes: Change[]): JsonObject {
  const copy = structuredClone(body);
  for (const [path, value] of changes) {
    let at = copy;
    for (const name of path.slice(0, -1)) {
      const next = at[name];
      at = isObject(next) ? next : (at[name] = {});
    }
    at[path.at(-1)!] = value as JsonObject;
  }
  return copy;
}
