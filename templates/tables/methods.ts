import { PATCH_MEDIA_TYPES } from '../runtime/patch/apply-patch';
import type { Place } from './place';

const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What the paths of a kind can do, below its URL. */
const METHODS: { [path: string]: string[] } = {
  '': ['GET', 'POST'],
  '/{uid}': ['GET', 'PUT', 'PATCH', 'DELETE'],
  '/{uid}/status': ['PUT', 'PATCH'],
};
const HISTORY: { [path: string]: string[] } = {
  '/{uid}/versions': ['GET'],
  '/{uid}/versions/{versionId}': ['GET', 'DELETE'],
};

/** OPTIONS and 405 of every path (RFC 9110, sections 9.3.7 and 15.5.6); the uid is not looked for. */
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

/** HEAD answers as GET does, without the body. */
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
