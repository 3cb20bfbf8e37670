import { createHash } from 'node:crypto';
import { formatHttpDate } from '../runtime/http/headers/http-date';
import { expectUnchanged, type Found, JSON_TYPE, MERGE, type Place } from './place';
import type { Sent } from './tested';

/** A header's value, made of the resource's current ETag and date. */
type Value = (found: Found) => string;

/** Conditions, and the statuses of reads and writes under them (RFC 9110, section 13). */
type Row = [title: string, headers: { [name: string]: Value }, read: number, write: number];

const text =
  (value: string): Value =>
  () =>
    value;
const tag: Value = ({ etag }) => etag;
const weak: Value = ({ etag }) => `W/${etag}`;
const days =
  (count: number): Value =>
  ({ modified }) =>
    formatHttpDate(Date.parse(modified) + count * 86_400_000);

const ROWS: Row[] = [
  ['none', {}, 200, 200],
  ['If-Match: the tag', { 'If-Match': tag }, 200, 200],
  ['If-Match: *', { 'If-Match': text('*') }, 200, 200],
  ['If-Match: several', { 'If-Match': ({ etag }) => `"a,b", ${etag}` }, 200, 200],
  ['If-Match: another', { 'If-Match': text('"old"') }, 412, 412],
  ['If-Match: weak', { 'If-Match': weak }, 412, 412],
  ['If-None-Match: another', { 'If-None-Match': text('"old"') }, 200, 200],
  ['If-None-Match: the tag', { 'If-None-Match': tag }, 304, 412],
  ['If-None-Match: weak', { 'If-None-Match': weak }, 304, 412],
  ['If-None-Match: *', { 'If-None-Match': text('*') }, 304, 412],
  ['If-Unmodified-Since: before', { 'If-Unmodified-Since': days(-1) }, 412, 412],
  ['If-Unmodified-Since: the same', { 'If-Unmodified-Since': days(0) }, 200, 200],
  ['If-Unmodified-Since: no date', { 'If-Unmodified-Since': text('yesterday') }, 200, 200],
  ['If-Modified-Since: before', { 'If-Modified-Since': days(-1) }, 200, 200],
  ['If-Modified-Since: the same', { 'If-Modified-Since': days(0) }, 304, 200],
  ['If-Match goes before dates', { 'If-Match': tag, 'If-Unmodified-Since': days(-1) }, 200, 200],
  ['If-None-Match, too', { 'If-None-Match': text('"old"'), 'If-Modified-Since': days(0) }, 200, 200],
];

const WRITES = 5;

/** Returns requests that succeed without conditions, and leave the resource intact. */
function writesOf(place: Place, found: Found): [method: string, url: string, sent: Sent][] {
  const { url, shown } = found;
  const body = { status: place.statusOf(found) };
  return [
    ['PUT', url, { body: { spec: shown.spec } }],
    ['PATCH', url, { headers: { 'Content-Type': MERGE }, body: {} }],
    ['PUT', `${url}/status`, { body }],
    ['PATCH', `${url}/status`, { headers: { 'Content-Type': MERGE }, body: {} }],
    ['DELETE', url, {}],
  ];
}

/** Checks conditional requests on a resource and its status; a refused write changes nothing. */
export function conditions(place: Place): void {
  const { service } = place;
  const { requireIfMatch } = service.subject.definition;
  const hasNames = place.kind.data?.uniqueNames === true;
  let uid: string | undefined;
  /** All tests share one resource, until one deletes it. */
  const shared = async (): Promise<Found> => {
    const found = uid === undefined ? await place.fresh() : await place.find(uid);
    uid = found.shown.metadata.uid;
    return found;
  };

  test.each(ROWS)('reads: %s', async (_title, conditions, want) => {
    const found = await shared();
    for (const method of ['GET', 'HEAD']) {
      const response = await service.sendAsIs(method, found.url, { headers: filled(conditions, found) });
      expect([method, response.status]).toEqual([method, want]);
      if (want !== 412) expect(response.headers['etag']).toBe(found.etag);
    }
  });

  test.each(ROWS)('writes: %s', async (_title, conditions, _read, write) => {
    for (let index = 0; index < WRITES; index++) {
      const found = await shared();
      const [method, url, sent] = writesOf(place, found)[index];
      const headers = { ...filled(conditions, found), ...sent.headers };
      // A PUT that creates by name has no state to name.
      const isCreate = method === 'PUT' && url === found.url && hasNames && headers['If-None-Match'] === '*';
      const want = requireIfMatch && !isCreate && !('If-Match' in conditions) ? 428 : write;
      const response = await service.sendAsIs(method, url, { ...sent, headers });
      expect([method, url, response.status, response.text]).toEqual([method, url, want, response.text]);
      if (want !== 200) await expectUnchanged(place, found);
      else if (method === 'DELETE') uid = undefined;
    }
  });

  test('the ETag and the body of a write are those of the next GET', async () => {
    const fresh = await place.fresh();
    expect(fresh.etag).toBe(`"${createHash('sha256').update(fresh.text).digest('hex')}"`);
    for (const [method, url, sent] of writesOf(place, fresh).slice(0, -1)) {
      const response = await service.send(method, url, sent);
      const found = await place.find(fresh.shown.metadata.uid);
      expect([method, response.headers['etag'], response.text]).toEqual([method, found.etag, found.text]);
      expect(response.headers['last-modified']).toBe(found.modified);
    }
  });

  test('If-Match takes the tag of any version', async () => {
    for (const version of place.kind.servedVersions) {
      const { url, shown } = await place.fresh();
      const other = `/apis/${place.kind.group}/${version}/${place.kind.plural}/${shown.metadata.uid}`;
      const { headers } = await service.send('GET', other);
      const sent = { headers: { 'If-Match': headers['etag'], 'Content-Type': MERGE }, body: {} };
      expect((await service.send('PATCH', url, sent)).status).toBe(200);
    }
  });
}

/** Checks conditions of a POST: there is nothing yet that could have a tag. */
export function createConditions(place: Place): void {
  for (const [name, value, want] of [
    ['If-None-Match', '*', 412],
    ['If-Match', '"old"', 412],
    ['If-Match', '*', 201],
    ['If-None-Match', '"old"', 201],
  ] as const) {
    test(`POST with ${name}: ${value} is ${want}`, async () => {
      const body = await place.bodies.next();
      const headers = { [name]: value, 'Content-Type': JSON_TYPE };
      const { status } = await place.send('POST', place.url, { headers, body });
      expect(status).toBe(want);
    });
  }
}

function filled(conditions: { [name: string]: Value }, found: Found): { [name: string]: string } {
  return Object.fromEntries(Object.entries(conditions).map(([name, value]) => [name, value(found)]));
}
