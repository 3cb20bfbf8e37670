import type { Resource, Snapshot } from '../runtime/model/resource';
import { type Found, MERGE, type Place } from './place';

/** Checks spec version history (specification, "Spec version history"); 404 for a kind without. */
export function history(place: Place): void {
  const { kind } = place;
  if (kind.history === undefined) return;
  const { keep = Infinity } = kind.history;

  test('a snapshot of each write of the spec, oldest first', async () => {
    const { url, shown } = await written(place);
    const ids = [shown.status!['version']];
    const names = [shown.metadata.name, place.name('second'), place.name('third')];
    for (const name of names.slice(1)) {
      const response = await place.patch(url, MERGE, { metadata: { name } });
      ids.push((JSON.parse(response.text) as Resource).status!['version']);
    }
    expect(ids).toEqual(ids.toSorted());
    expect(new Set(ids).size).toBe(3);
    const newest = (await snapshots(place, url)).slice(-3);
    expect(newest.map(({ versionId }) => versionId)).toEqual(ids.slice(-keep));
    expect(newest.map(({ name }) => name)).toEqual(names.slice(-keep));
    for (const snapshot of newest) {
      const { uid, labels, annotations, spec } = snapshot;
      expect([uid, labels, annotations, spec]).toEqual([shown.metadata.uid, LABELS, ANNOTATIONS, shown.spec]);
      const { text } = await place.send('GET', `${url}/versions/${snapshot.versionId}`);
      expect(JSON.parse(text)).toEqual(snapshot);
    }
  });

  test('a write of the status makes none and keeps status.version', async () => {
    const found = await written(place);
    const before = await snapshots(place, found.url);
    const body = { status: { ...place.statusOf(found), version: '20010101000000-1' } };
    const after = await place.service.resource(200, 'PUT', `${found.url}/status`, { body });
    expect(after.status!['version']).toBe(found.shown.status!['version']);
    expect(await snapshots(place, found.url)).toEqual(before);
  });

  test('the snapshot of one uid is not found under another', async () => {
    const [one, other] = [await written(place), await written(place)];
    const id = String(one.shown.status!['version']);
    for (const method of ['GET', 'DELETE']) {
      expect((await place.send(method, `${other.url}/versions/${id}`)).status).toBe(404);
    }
    expect((await place.send('GET', `${one.url}/versions/${id}`)).status).toBe(200);
  });

  test('a snapshot can be deleted; all of them go with the resource', async () => {
    const { url, shown } = await written(place);
    const path = `${url}/versions/${shown.status!['version']}`;
    expect((await place.send('DELETE', path)).status).toBe(200);
    expect((await place.send('GET', path)).status).toBe(404);
    const { text } = await place.send('GET', url);
    expect((JSON.parse(text) as Resource).status!['version']).toBe(shown.status!['version']);
    expect((await snapshots(place, url)).map(({ versionId }) => versionId)).not.toContain(
      shown.status!['version'],
    );
    await place.send('DELETE', url);
    expect((await place.send('GET', `${url}/versions`)).status).toBe(404);
  });
}

const LABELS = { of: 'history' };
const ANNOTATIONS = { why: 'copied into snapshots' };

/** Returns a resource that was written through this place. */
async function written(place: Place): Promise<Found> {
  const { url, shown } = await place.fresh();
  const body = {
    metadata: { name: place.name('first'), labels: LABELS, annotations: ANNOTATIONS },
    spec: shown.spec,
  };
  const { metadata } = await place.service.resource(200, 'PUT', url, { body });
  return place.find(metadata.uid);
}

async function snapshots(place: Place, url: string): Promise<Snapshot[]> {
  const { status, text } = await place.send('GET', `${url}/versions`);
  expect(status).toBe(200);
  return JSON.parse(text) as Snapshot[];
}
