import { PATCH_MEDIA_TYPES } from '../runtime/patch/apply-patch';
import { JSON_TYPE, type Place } from './place';

/** A POST: its headers, its body and the status of its response. */
type Row = [title: string, headers: { [name: string]: string }, body: unknown, status: number];

const JSON_HEADER = { 'Content-Type': JSON_TYPE };

function rows({ service }: Place): Row[] {
  const { MAX_DEPTH } = service.settings;
  const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  return [
    ['a page of another site', { ...JSON_HEADER, 'Sec-Fetch-Site': 'cross-site' }, {}, 403],
    [
      'a form of another origin',
      { 'Content-Type': 'text/plain', Origin: 'https://other.example' },
      '{}',
      403,
    ],
    ['a page of the service', { ...JSON_HEADER, 'Sec-Fetch-Site': 'same-origin' }, {}, 400],
    ['a page of another origin that has asked', { ...JSON_HEADER, Origin: 'https://other.example' }, {}, 400],
    ['a body of another type', { 'Content-Type': 'text/plain' }, '{}', 415],
    ['a body of another charset', { 'Content-Type': 'application/json; charset=latin1' }, '{}', 415],
    ['a body of UTF-8', { 'Content-Type': 'application/json; charset=UTF-8' }, '{}', 400],
    ['a compressed body', { ...JSON_HEADER, 'Content-Encoding': 'gzip' }, '{}', 415],
    ['a body of no encoding', { ...JSON_HEADER, 'Content-Encoding': 'identity' }, '{}', 400],
    ['a body that is too deep', JSON_HEADER, nested(MAX_DEPTH + 1), 400],
    ['the key __proto__', JSON_HEADER, '{"spec":{"__proto__":{}}}', 400],
    ['the same key with an escape', JSON_HEADER, '{"spec":{"\\u005f_proto__":{}}}', 400],
    ['a number beyond a double', JSON_HEADER, '{"spec":{"number":1e400}}', 400],
  ];
}

/** Checks requests that are accepted or refused for their headers and encoding, whatever the fields of the kind. */
export function requests(place: Place): void {
  const { service, url } = place;

  test.each(rows(place))('POST: %s', async (_title, headers, body, want) => {
    const { status, text } = await service.send('POST', url, { headers, body });
    expect([status, text]).toEqual([want, text]);
  });

  test('the reasons of a body that is refused', async () => {
    const { MAX_DEPTH } = service.settings;
    const reasons = { deep: 'is nested deeper', proto: '"__proto__"', number: 'out of range' };
    for (const [body, reason] of [
      [`${'['.repeat(MAX_DEPTH + 1)}${']'.repeat(MAX_DEPTH + 1)}`, reasons.deep],
      ['{"spec":{"__proto__":{}}}', reasons.proto],
      ['{"spec":{"number":1e400}}', reasons.number],
    ] as const) {
      const { text } = await service.send('POST', url, { headers: JSON_HEADER, body });
      expect((JSON.parse(text) as { detail: string }).detail).toContain(reason);
    }
    const deepest = `${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`;
    const { text } = await service.send('POST', url, { headers: JSON_HEADER, body: deepest });
    expect(text).not.toContain(reasons.deep);
  });

  test.each([
    ['given-1', true],
    ['not safe', false],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
  ])('X-Request-Id: %s', async (id, isTaken) => {
    const { headers } = await service.send('GET', place.missing, { headers: { 'X-Request-Id': id } });
    expect(headers['x-request-id']).toEqual(isTaken ? id : expect.stringMatching(/^[0-9a-f-]{36}$/));
  });
}

const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Methods of the paths of a kind, below its URL. */
const METHODS: { [path: string]: string[] } = {
  '': ['GET', 'POST'],
  '/{uid}': ['GET', 'PUT', 'PATCH', 'DELETE'],
  '/{uid}/status': ['PUT', 'PATCH'],
};
const HISTORY: { [path: string]: string[] } = {
  '/{uid}/versions': ['GET'],
  '/{uid}/versions/{versionId}': ['GET', 'DELETE'],
};

/** Checks OPTIONS and 405 of every path (RFC 9110, sections 9.3.7 and 15.5.6); the uid is not looked up. */
export function methods({ service, kind, url, missing }: Place): void {
  const uid = missing.slice(url.length + 1);
  for (const [path, allowed] of Object.entries({ ...METHODS, ...(kind.history && HISTORY) })) {
    const target = url + path.replace('{uid}', uid).replace('{versionId}', 'unknown');
    const Allow = [
      ...allowed.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      'OPTIONS',
    ];

    test(`OPTIONS ${url}${path}`, async () => {
      const { status, headers } = await service.send('OPTIONS', target);
      expect([status, headers['allow']]).toEqual([204, Allow.join(', ')]);
      const patchable = allowed.includes('PATCH');
      expect(headers['accept-patch']).toBe(patchable ? PATCH_MEDIA_TYPES.join(', ') : undefined);
    });

    test(`no other method at ${url}${path}`, async () => {
      for (const method of ALL.filter((one) => !allowed.includes(one))) {
        const { status, headers } = await service.send(method, target);
        expect([method, status, headers['allow']]).toEqual([method, 405, Allow.join(', ')]);
      }
    });
  }
}

/** Checks that HEAD responds as GET does, without the body. */
export function head(place: Place): void {
  test('HEAD is GET without the body', async () => {
    const { url, shown } = await place.fresh();
    const history = place.kind.history && [`${url}/versions`, `${url}/versions/${shown.status!['version']}`];
    for (const path of [url, `${place.url}?limit=1`, ...(history ?? [])]) {
      const [get, other] = [await place.send('GET', path), await place.send('HEAD', path)];
      const { date: _, ...headers } = get.headers;
      expect(other).toEqual({ status: 200, headers: expect.objectContaining(headers) as object, text: '' });
    }
    expect((await place.send('HEAD', place.missing)).status).toBe(404);
  });
}
