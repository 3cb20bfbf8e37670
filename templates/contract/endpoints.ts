import { expectUnchanged, type Found, MERGE, type Place } from './place';

/** One request and the status of its response; `{uid}` and `{versionId}` stand for those of a new resource. */
type Row = [method: string, path: string, body: unknown, status: number];

const NO_BODY = undefined;
/** No project has it: names of groups and kinds have no underscore. */
const NO_VERSION = 'no_group/v1';

/** Returns the requests that need no resource. */
function rowsWithout({ missing, url }: Place): Row[] {
  return [
    ['GET', url, NO_BODY, 200],
    ['POST', url, '{', 400],
    ['POST', url, {}, 400],
    ['POST', url, { spec: 'text' }, 400],
    ['POST', url, { apiVersion: NO_VERSION, spec: {} }, 406],
    ['POST', url, { kind: 'No_kind', spec: {} }, 400],
    ['GET', missing, NO_BODY, 404],
    ['PUT', missing, { spec: {} }, 404],
    ['PATCH', missing, {}, 404],
    ['DELETE', missing, NO_BODY, 404],
    ['PUT', `${missing}/status`, { status: {} }, 404],
    ['PATCH', `${missing}/status`, {}, 404],
    ['GET', `${missing}/versions`, NO_BODY, 404],
    ['GET', `${missing}/unknown`, NO_BODY, 404],
  ];
}

/** Returns the requests to an existing resource. */
function rowsWith({ kind }: Place, { url, shown }: Found): Row[] {
  const { spec } = shown;
  const version = `${url}/versions/{versionId}`;
  const history: Row[] = [
    ['GET', `${url}/versions/unknown`, NO_BODY, 404],
    ['DELETE', `${url}/versions/unknown`, NO_BODY, 404],
    ['GET', version, NO_BODY, 200],
    ['DELETE', version, NO_BODY, 200],
    ['GET', version, NO_BODY, 404],
  ];
  return [
    ['GET', url, NO_BODY, 200],
    ['GET', `${url}/versions`, NO_BODY, kind.history ? 200 : 404],
    ...(kind.history ? history : []),
    ['PUT', url, { spec }, 200],
    ['PUT', url, { ...shown }, 200],
    ['PUT', url, {}, 400],
    ['PATCH', url, {}, 200],
    ['PUT', `${url}/status`, {}, 400],
    ['PATCH', `${url}/status`, {}, 200],
    ['DELETE', url, NO_BODY, 200],
    ['GET', url, NO_BODY, 404],
  ];
}

/** Checks every endpoint without a resource: existing, unknown and malformed paths. */
export function endpointsWithout(place: Place): void {
  for (const row of rowsWithout(place)) {
    test(titleOf(row, ''), () => expectStatus(place, row));
  }
}

/** Checks every endpoint in the life of one resource. */
export function endpoints(place: Place): void {
  test('every endpoint of a resource, until it is deleted', async () => {
    const found = await place.fresh();
    const versionId = String(found.shown.status?.['version']);
    for (const [method, path, body, status] of rowsWith(place, found)) {
      await expectStatus(place, [method, path.replace('{versionId}', versionId), body, status]);
    }
  });

  test('a deletion says what was deleted', async () => {
    const { text } = await place.send('DELETE', (await place.fresh()).url);
    expect(JSON.parse(text)).toEqual({ message: `${place.kind.kind} deleted successfully` });
  });

  test('a version that is not registered: 406, nothing changed', async () => {
    const found = await place.fresh();
    const body = { apiVersion: NO_VERSION, spec: found.shown.spec, status: {} };
    for (const [method, path] of [
      ['PUT', found.url],
      ['PATCH', found.url],
      ['PUT', `${found.url}/status`],
    ] as const) {
      await expectStatus(place, [method, path, body, 406]);
    }
    await expectUnchanged(place, found);
  });
}

/** Checks that an unknown query parameter is named in a warning, and changes nothing else. */
export function unknownParameters(place: Place): void {
  test('a query parameter that is not known is named', async () => {
    const found = await place.fresh();
    const bodies: [method: string, path: string, body: unknown][] = [
      ['GET', '', NO_BODY],
      ['PUT', '', { spec: found.shown.spec }],
      ['PUT', '/status', { status: place.statusOf(found) }],
      ['DELETE', '', NO_BODY],
    ];
    for (const [method, path, body] of bodies) {
      const { status, headers } = await place.send(method, `${found.url}${path}?unknown=1`, { body });
      expect([method, status, headers['warning']]).toEqual([
        method,
        200,
        expect.stringContaining('299 - "unknown query parameter unknown"'),
      ]);
    }
  });
}

async function expectStatus(place: Place, row: Row): Promise<void> {
  const [method, path, body, status] = row;
  const headers: { [name: string]: string } = method === 'PATCH' ? { 'Content-Type': MERGE } : {};
  const response = await place.send(method, path, { headers, body });
  expect([titleOf(row, response.text), response.status]).toEqual([titleOf(row, response.text), status]);
}

function titleOf([method, path, body, status]: Row, text: string): string {
  return [method, path, JSON.stringify(body), `→ ${status}`, text].filter(Boolean).join(' ');
}
