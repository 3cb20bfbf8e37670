import { createHash } from 'node:crypto';
import type { Resource, Snapshot } from '../../../templates/runtime/model/resource';
import type { JsonObject } from '../../../templates/runtime/model/schema';
import {
  failures,
  type HttpResponse,
  JSON_PATCH,
  JSON_TYPE,
  MERGE,
  send,
  SHORTHAND_PATCH,
} from '../support/client';
import { startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

const GROUP = 'example.svc.dev';
const HUB = 'v1';
const VERSIONS = ['v1', 'v2beta1', 'v1alpha1'];

let service: TestService;
beforeAll(async () => {
  const hooks = {
    Device: {
      validateOn: ['create', 'update'] as const,
      validate: ({ spec: { location } }: Resource) => {
        const pointer = /^no (.*)/.exec(String(location))?.[1];
        return pointer === undefined ? undefined : [{ pointer, detail: 'is not allowed' }];
      },
    },
  };
  service = await startService(versionedProject(), { hooks });
});
afterAll(() => service.close());

const collection = (version: string): string => `/apis/${GROUP}/${version}/devices`;
const address = (version: string, uid: string): string => `${collection(version)}/${uid}`;

/** A complete spec and status in each version. */
const SPECS: { [version: string]: JsonObject } = {
  v1: {
    location: 'Bern',
    name: 'one',
    timeoutMs: 1500,
    model: 'm',
    ports: [{ number: 80, name: 'http' }],
    config: { b: '1', a: '2' },
  },
  v2beta1: {
    nickname: 'nick',
    site: 'Bern',
    name: 'two',
    timeoutSeconds: 2,
    ports: [{ name: 'http', port: 80, note: 'main' }, { name: 'ssh' }],
  },
  v1alpha1: { title: 'three', comment: 'said', location: 'Bern' },
};
const STATUSES: { [version: string]: JsonObject } = {
  v1: { phase: 'Ready', health: 'fine', ready: true },
  v2beta1: { remark: 'odd', state: 'Ready', ready: true },
  v1alpha1: { phase: 'failed', ready: true },
};

async function exchange(
  method: string,
  path: string,
  body?: unknown,
  headers = JSON_TYPE,
): Promise<HttpResponse> {
  return send(service.port, method, path, body === undefined ? {} : { headers, body });
}

async function ok<T = Resource>(
  method: string,
  path: string,
  body?: unknown,
  headers = JSON_TYPE,
): Promise<T> {
  const response = await exchange(method, path, body, headers);
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`);
  return JSON.parse(response.text) as T;
}

/** Creates a Device through a version, with a status, and returns its uid. */
async function device(version: string, spec = SPECS[version], metadata?: object): Promise<string> {
  const { metadata: made } = await ok('POST', collection(version), { spec, metadata });
  await ok('PUT', `${address(version, made.uid)}/status`, { status: STATUSES[version] });
  return made.uid;
}

async function stored(uid: string): Promise<{ hub: Resource; kept: unknown; text: string }> {
  const row = await service.service.store.get(`${GROUP}/Device`, uid);
  return {
    hub: JSON.parse(row!.text) as Resource,
    kept: row!.kept && JSON.parse(row!.kept),
    text: row!.text,
  };
}

/** Spec and status as text; `status.version` is the server's. */
function body({ spec, status }: { spec: unknown; status?: JsonObject }): string {
  const { version: _, ...observed } = status ?? {};
  return JSON.stringify({ spec, status: observed });
}

describe('negotiation', () => {
  const URLS: { [name: string]: string } = {
    plain: '/devices',
    ...Object.fromEntries(VERSIONS.map((each) => [each, collection(each)])),
  };

  test.each<[url: string, accept: string | undefined, want: string | number]>([
    ['plain', undefined, 'v1'],
    ['plain', 'application/json', 'v1'],
    ['plain', 'text/html', 'v1'],
    ['plain', 'application/json;version=v2beta1', 'v2beta1'],
    ['plain', 'application/json; version=example.svc.dev/v1alpha1', 'v1alpha1'],
    ['plain', 'application/json; api-version=example.svc.dev/v2beta1', 'v2beta1'],
    ['plain', 'application/json;version=v9', 406],
    ['plain', 'application/json;version=other.dev/v1', 406],
    ['plain', 'application/json;version=v9, application/json;version=v2beta1;q=0.1', 'v2beta1'],
    ['v2beta1', undefined, 'v2beta1'],
    ['v2beta1', 'application/json;version=v1', 'v2beta1'],
    ['v2beta1', 'application/json;version=v9', 'v2beta1'],
    ['v1alpha1', '*/*', 'v1alpha1'],
  ])('GET of %s with Accept %s is answered in %s', async (url, accept, want) => {
    const uid = await device(HUB);
    const headers = accept === undefined ? {} : { Accept: accept };
    const one = await send(service.port, 'GET', `${URLS[url]}/${uid}`, { headers });
    const all = await send(service.port, 'GET', URLS[url], { headers });
    const history = await send(service.port, 'GET', `${URLS[url]}/${uid}/versions`, { headers });
    for (const { headers } of [one, all, history]) expect(headers.vary).toBe('Accept');
    if (typeof want === 'number') {
      expect([one.status, all.status, history.status]).toEqual([want, want, want]);
      for (const version of VERSIONS) expect(one.text).toContain(`${GROUP}/${version}`);
      return;
    }
    expect([one.status, all.status, history.status]).toEqual([200, 200, 200]);
    expect((JSON.parse(one.text) as Resource).apiVersion).toBe(`${GROUP}/${want}`);
    const listed = (JSON.parse(all.text) as Resource[]).map(({ apiVersion }) => apiVersion);
    expect(new Set(listed)).toEqual(new Set([`${GROUP}/${want}`]));
  });

  test.each<[apiVersion: unknown, url: string, accept: string | undefined, want: string | number]>([
    ['example.svc.dev/v2beta1', 'plain', undefined, 'v2beta1'],
    ['v2beta1', 'plain', 'application/json;version=v1', 'v2beta1'],
    ['v2beta1', 'v1', 'application/json;version=v9', 'v2beta1'],
    [undefined, 'v2beta1', 'application/json;version=v1', 'v2beta1'],
    [undefined, 'plain', 'application/json;version=v2beta1', 'v2beta1'],
    ['example.svc.dev/v9', 'v2beta1', undefined, 406],
    ['other.dev/v1', 'plain', undefined, 406],
    ['', 'plain', undefined, 406],
    [1, 'plain', undefined, 400],
    [null, 'v2beta1', undefined, 400],
  ])('bodies of apiVersion %j at %s with Accept %s are read as %s', async (apiVersion, url, accept, want) => {
    const uid = await device('v2beta1');
    const headers = { ...JSON_TYPE, ...(accept !== undefined && { Accept: accept }) };
    const spec = SPECS['v2beta1'];
    const path = `${URLS[url]}/${uid}`;
    const responses = [
      await send(service.port, 'POST', URLS[url], { headers, body: { apiVersion, spec } }),
      await send(service.port, 'PUT', path, { headers, body: { apiVersion, spec } }),
      await send(service.port, 'PATCH', path, {
        headers: { ...headers, ...MERGE },
        body: { apiVersion, spec },
      }),
      await send(service.port, 'PUT', `${path}/status`, {
        headers,
        body: { apiVersion, status: STATUSES['v2beta1'] },
      }),
      await send(service.port, 'PATCH', `${path}/status`, {
        headers: { ...headers, ...MERGE },
        body: { apiVersion, status: {} },
      }),
    ];
    if (typeof want === 'number') {
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => want));
      return;
    }
    expect(responses.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200]);
    for (const { text } of responses)
      expect((JSON.parse(text) as Resource).apiVersion).toBe(`${GROUP}/${want}`);
  });

  test.each<[path: string, headers: object, body: unknown, want: number]>([
    [`/apis/${GROUP}/v2beta1/gadgets`, {}, undefined, 404],
    [`/apis/${GROUP}/v2beta1/gadgets`, {}, { apiVersion: 'v1', spec: {} }, 404],
    [`/apis/${GROUP}/v2beta1/gadgets/x/status`, {}, undefined, 404],
    [`/apis/${GROUP}/v1`, {}, undefined, 404],
    [`/apis/${GROUP}/v1/nothing`, {}, undefined, 404],
    [`/apis/${GROUP}`, {}, undefined, 404],
    [`/apis/${GROUP}//devices`, {}, undefined, 404],
    ['/apis/other.dev/v1/devices', {}, undefined, 404],
    ['/apis/other.dev/v9/devices', {}, undefined, 404],
    ['/apis/other.dev/v1/openapi.json', {}, undefined, 404],
    ['/devices', { Accept: 'application/json;version=other.dev/v1' }, undefined, 406],
    ['/gadgets', { Accept: 'application/json;version=v2beta1' }, undefined, 406],
    ['/gadgets', {}, { apiVersion: 'v2beta1', spec: {} }, 406],
  ])('%s %j %j is %i', async (path, headers, body, want) => {
    const method = body === undefined ? 'GET' : 'POST';
    expect((await send(service.port, method, path, { headers: { ...headers }, body })).status).toBe(want);
  });
});

describe('a version that the group does not have', () => {
  const V9 = `/apis/${GROUP}/v9`;

  test.each<[method: string, below: string]>([
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/openapi.json'],
    ['GET', '/nothing'],
    ['GET', '/devices'],
    ['GET', '/devices/'],
    ['GET', '/devices?limit=1'],
    ['HEAD', '/devices'],
    ['OPTIONS', '/devices'],
    ['PUT', '/devices'],
    ['GET', '/gadgets'],
    ['GET', '/devices/{uid}'],
    ['DELETE', '/devices/{uid}'],
    ['GET', '/devices/{uid}/versions'],
    ['GET', '/devices/{uid}/versions/x'],
    ['DELETE', '/devices/{uid}/versions/x'],
    ['GET', '/devices/nowhere'],
    ['GET', '/devices/{uid}/no/such/path'],
  ])('%s %s is 406 and names those that there are', async (method, below) => {
    const path = V9 + below.replace('{uid}', await device(HUB));
    for (const headers of [{}, { Accept: 'application/json;version=v1' }]) {
      const response = await send(service.port, method, path, { headers });
      expect([response.status, response.headers['content-type']]).toEqual([406, 'application/problem+json']);
      if (method === 'HEAD') continue;
      expect(response.text).toContain(`\\"${GROUP}/v9\\"`);
      expect(response.text).toContain(`${GROUP}/v1`);
      expect(response.text.includes(`${GROUP}/v2beta1`)).toBe(below !== '/gadgets');
    }
  });

  test.each(['v9', 'constructor', '__proto__', '{version}', 'V1', '%76%31', 'v1.'])(
    'named %s: 406',
    async (name) => {
      expect((await exchange('GET', `/apis/${GROUP}/${name}/devices`)).status).toBe(406);
    },
  );

  test.each([`${GROUP}/v2beta1`, 'v2beta1'])(
    'a body that says %s decides in its place',
    async (apiVersion) => {
      const spec = SPECS['v2beta1'];
      const made = await exchange('POST', `${V9}/devices`, { apiVersion, spec });
      const { metadata } = JSON.parse(made.text) as Resource;
      expect([made.status, made.headers.location]).toEqual([201, address('v2beta1', metadata.uid)]);
      const path = `${V9}/devices/${metadata.uid}`;
      const status = STATUSES['v2beta1'];
      for (const response of [
        await exchange('PUT', path, { apiVersion, spec }),
        await exchange('PATCH', path, { apiVersion, spec }, MERGE),
        await exchange('PATCH', path, { apiVersion, 'spec.nickname': 'other' }, SHORTHAND_PATCH),
        await exchange('PUT', `${path}/status`, { apiVersion, status }),
        await exchange('PATCH', `${path}/status`, { apiVersion, status }, MERGE),
      ]) {
        expect([response.status, response.text]).toEqual([
          200,
          expect.stringContaining(`"${GROUP}/v2beta1"`),
        ]);
      }
    },
  );

  test.each<[body: unknown, type: typeof JSON_TYPE, want: number]>([
    [{ spec: SPECS[HUB] }, JSON_TYPE, 406],
    [{ apiVersion: 'v9', spec: SPECS[HUB] }, JSON_TYPE, 406],
    [{ apiVersion: 'other.dev/v1', spec: SPECS[HUB] }, JSON_TYPE, 406],
    [{ apiVersion: 1, spec: SPECS[HUB] }, JSON_TYPE, 400],
    [[], JSON_PATCH, 406],
    ['{', JSON_TYPE, 400],
  ])('a body %j decides nothing, or refuses: %s %i', async (body, type, want) => {
    const uid = await device(HUB);
    const isPatch = type === JSON_PATCH;
    const [method, path] = isPatch ? ['PATCH', `/devices/${uid}`] : ['POST', '/devices'];
    expect((await exchange(method, V9 + path, body, type)).status).toBe(want);
    expect((await exchange(isPatch ? 'PATCH' : 'PUT', `${V9}/devices/${uid}`, body, type)).status).toBe(want);
  });
});

describe.each(VERSIONS)('the endpoints of %s', (version) => {
  test('all eleven respond in it', async () => {
    const spec = SPECS[version];
    const made = await exchange('POST', collection(version), {
      spec,
      metadata: { labels: { only: version } },
    });
    expect([made.status, made.headers.location]).toEqual([
      201,
      address(version, (JSON.parse(made.text) as Resource).metadata.uid),
    ]);
    const path = made.headers.location!;
    const shown: Resource[] = [
      JSON.parse(made.text) as Resource,
      await ok('GET', path),
      await ok('PUT', path, { spec }),
      await ok('PATCH', path, { spec: {} }, MERGE),
      await ok('PATCH', path, [], JSON_PATCH),
      await ok('PATCH', path, { 'metadata.annotations.by': 'me' }, SHORTHAND_PATCH),
      await ok('PUT', `${path}/status`, { status: STATUSES[version] }),
      await ok('PATCH', `${path}/status`, { ready: true }, MERGE),
      ...(await ok<Resource[]>('GET', `${collection(version)}?label=only=${version}`)),
    ];
    expect(shown).toHaveLength(9);
    for (const each of shown) {
      expect(each).toMatchObject({ apiVersion: `${GROUP}/${version}`, kind: 'Device', spec });
    }
    for (const each of shown.slice(6)) expect(each.status).toMatchObject(STATUSES[version]);
    const snapshots = await ok<Snapshot[]>('GET', `${path}/versions`);
    expect(snapshots.map((each) => each.spec)).toEqual([spec, spec, spec, spec, spec]);
    expect(await ok('GET', `${path}/versions/${snapshots[0].versionId}`)).toEqual(snapshots[0]);
    await ok('DELETE', `${path}/versions/${snapshots[0].versionId}`);
    await ok('DELETE', path);
    expect((await exchange('GET', path)).status).toBe(404);
  });

  test('the ETag is the digest of the response, and that of every version is accepted', async () => {
    const uid = await device(version);
    const path = address(version, uid);
    const write = (tag: string): Promise<HttpResponse> =>
      send(service.port, 'PUT', path, {
        headers: { ...JSON_TYPE, 'If-Match': tag },
        body: { spec: SPECS[version] },
      });
    for (const other of VERSIONS) {
      const { text, headers } = await exchange('GET', address(other, uid));
      expect(headers.etag).toBe(`"${createHash('sha256').update(text).digest('hex')}"`);
      const written = await write(headers.etag!);
      expect([written.status, written.headers.etag]).toEqual([
        200,
        `"${createHash('sha256').update(written.text).digest('hex')}"`,
      ]);
      // The history names another version of the spec after each write: the tag is of a state that is gone.
      expect((await write(headers.etag!)).status).toBe(412);
      const again = await exchange('GET', path);
      expect([again.text, again.headers.etag]).toEqual([written.text, written.headers.etag]);
    }
  });

  test('GetPut: what is read and written back leaves what is stored as it is', async () => {
    for (const writer of VERSIONS) {
      const uid = await device(writer);
      const path = address(version, uid);
      const before = await stored(uid);
      const read = await ok('GET', path);
      const writes: (() => Promise<Resource>)[] = [
        () => ok('PUT', path, read),
        () => ok('PATCH', path, { spec: read.spec }, MERGE),
        () => ok('PATCH', path, [{ op: 'replace', path: '/spec', value: read.spec }], JSON_PATCH),
        () => ok('PATCH', path, { spec: read.spec }, SHORTHAND_PATCH),
        () => ok('PUT', `${path}/status`, { status: read.status }),
        () => ok('PATCH', `${path}/status`, { status: read.status }, MERGE),
        () => ok('PATCH', `${path}/status`, { status: read.status }, SHORTHAND_PATCH),
      ];
      for (const write of writes) {
        expect(body(await write())).toBe(body(read));
        const after = await stored(uid);
        expect(body(after.hub)).toBe(body(before.hub));
        expect(after.kept).toEqual(before.kept);
        expect(after.hub.metadata.generation).toBe(before.hub.metadata.generation);
      }
    }
  });

  test('CreateGet and PutGet: what is written reads back', async () => {
    const spec = SPECS[version];
    const uid = await device(version);
    const path = address(version, uid);
    expect(await ok('GET', path)).toMatchObject({ spec, status: STATUSES[version] });
    const [name] = Object.keys(spec).filter((key) => key === 'name' || key === 'title');
    const changed = { ...spec, [name]: 'another' };
    for (const [method, body, type] of [
      ['PUT', { spec: changed }, JSON_TYPE],
      ['PATCH', { spec: { [name]: 'x-2' } }, MERGE],
      ['PATCH', [{ op: 'replace', path: `/spec/${name}`, value: 'x-3' }], JSON_PATCH],
      ['PATCH', { [`spec.${name}`]: 'x-4' }, SHORTHAND_PATCH],
    ] as const) {
      const response = await ok(method, path, body, type);
      const now = response.spec[name];
      expect(response.spec).toEqual({ ...spec, [name]: now });
      expect(await ok('GET', path)).toEqual(response);
      expect(response.status).toMatchObject(STATUSES[version]);
    }
    const { hub } = await stored(uid);
    expect(hub.metadata.generation).toBe(5);
  });
});

describe('what versions keep aside', () => {
  test('stays through writes of others, and follows its element', async () => {
    const uid = await device('v2beta1');
    const [v1, v2, alpha] = VERSIONS.map((version) => address(version, uid));
    await ok('PATCH', alpha, { spec: { comment: 'mine' } }, MERGE);
    await ok('PATCH', v1, { spec: { model: 'new', location: 'Genf' } }, MERGE);
    await ok('PUT', `${v1}/status`, { status: { phase: 'Pending' } });
    const ports = [
      { name: 'ssh', number: 22 },
      { name: 'http', number: 81 },
    ];
    await ok('PATCH', v1, { spec: { ports } }, MERGE);
    expect(await ok('GET', v2)).toMatchObject({
      spec: {
        nickname: 'nick',
        site: 'Genf',
        timeoutSeconds: 2,
        ports: [
          { name: 'ssh', port: 22 },
          { name: 'http', port: 81, note: 'main' },
        ],
      },
      status: { remark: 'odd', state: 'Pending' },
    });
    expect((await ok('GET', alpha)).spec).toEqual({ title: 'two', location: 'Genf', comment: 'mine' });
    expect(JSON.stringify((await ok('GET', v1)).spec)).not.toMatch(/nick|mine|main/);
    const snapshots = await ok<Snapshot[]>('GET', `${v2}/versions`);
    expect(snapshots.map(({ spec }) => spec['nickname'])).toEqual(snapshots.map(() => 'nick'));
  });

  test('a write through one version changes for others only what they share', async () => {
    const uid = await device('v2beta1');
    const [v1, v2, alpha] = VERSIONS.map((version) => address(version, uid));
    await ok('PATCH', v1, { spec: { timeoutMs: 1500, model: 'm' } }, MERGE);
    await ok('PATCH', alpha, { spec: { title: 'other' } }, MERGE);
    expect((await ok('GET', v1)).spec).toMatchObject({ name: 'other', timeoutMs: 1500, model: 'm' });
    await ok('PATCH', v2, { spec: { site: 'Chur' } }, MERGE);
    expect((await ok('GET', v1)).spec).toMatchObject({ location: 'Chur', timeoutMs: 1500, model: 'm' });
  });
});

describe('rules', () => {
  const V2 = SPECS['v2beta1'];
  test.each<[what: string, version: string, spec: JsonObject, want: string[]]>([
    ['of the spoke', 'v2beta1', { ...V2, name: 'ab' }, ['#/spec/name min=3']],
    ['of the hub', 'v2beta1', { ...V2, timeoutSeconds: 61 }, ['#/spec/timeoutSeconds max=60000']],
    ['of the hub, renamed', 'v2beta1', { ...V2, site: 'x'.repeat(21) }, ['#/spec/site max=20']],
    [
      'of the hub, in an element',
      'v2beta1',
      { ...V2, ports: [{ name: 'a' }, { name: 'b', port: 65536 }] },
      ['#/spec/ports/1/port max=65535'],
    ],
    ['of the user', 'v2beta1', { ...V2, site: 'no /spec/location' }, ['#/spec/site custom']],
    ['of the user', 'v2beta1', { ...V2, site: 'no spec/location' }, ['#/spec/site custom']],
    ['of the user', 'v2beta1', { ...V2, site: 'no #/spec/location' }, ['#/spec/site custom']],
    ['of the user', 'v1', { ...SPECS['v1'], location: 'no spec' }, ['#/spec custom']],
    ['of the user', 'v1', { ...SPECS['v1'], location: 'no ' }, ['# custom']],
    ['unknown', 'v2beta1', { ...V2, location: 'x' }, ['#/spec/location unknown']],
    ['of the hub', 'v1alpha1', { title: 'x', location: 'x'.repeat(21) }, ['#/spec/location max=20']],
  ])('%s: %s %j', async (_, version, spec, want) => {
    const uid = await device(version);
    const path = address(version, uid);
    const before = await stored(uid);
    const responses = [
      await exchange('POST', collection(version), { spec }),
      await exchange('PUT', path, { spec }),
      await exchange('PATCH', path, { spec }, MERGE),
      await exchange('PATCH', path, [{ op: 'replace', path: '/spec', value: spec }], JSON_PATCH),
      await exchange('PATCH', path, { spec }, SHORTHAND_PATCH),
    ];
    for (const response of responses) expect([response.status, failures(response)]).toEqual([400, want]);
    expect(await stored(uid)).toEqual(before);
  });

  test('what the hub says has its version: the field has another name here, and another unit', async () => {
    const spec = { ...V2, site: 'x'.repeat(21), timeoutSeconds: 61 };
    const response = await exchange('POST', collection('v2beta1'), { spec });
    const { errors } = JSON.parse(response.text) as { errors: { detail: string }[] };
    expect(errors.map(({ detail }) => detail)).toEqual([
      'in v1, location must have at most 20 characters',
      'in v1, timeoutMs must be at most 60000',
    ]);
  });

  test('a value that is not changed is accepted where the spoke is stricter', async () => {
    const uid = await device(HUB, { ...SPECS[HUB], name: 'ab' });
    const path = address('v2beta1', uid);
    const read = await ok('GET', path);
    await ok('PUT', path, read);
    await ok('PATCH', path, { spec: { site: 'Chur' } }, MERGE);
    const changed = await exchange('PATCH', path, { spec: { name: 'cd' } }, MERGE);
    expect([changed.status, failures(changed)]).toEqual([400, ['#/spec/name min=3']]);
  });

  test('a status that breaks a rule is pointed at in its version', async () => {
    const uid = await device(HUB);
    const response = await exchange('PUT', `${address('v2beta1', uid)}/status`, { status: { state: 'Odd' } });
    expect([response.status, failures(response)]).toEqual([400, ['#/status/state oneof=Pending Ready']]);
  });
});

test('events carry the resource in the storage version', async () => {
  const seen: { type: string; data: { resource: Resource } }[] = [];
  const subscription = service.service.events.subscribe('*', (event) => void seen.push(event));
  const uid = await device('v2beta1');
  await ok('DELETE', address('v2beta1', uid));
  const mine = (): typeof seen => seen.filter(({ data }) => data.resource.metadata.uid === uid);
  while (mine().length < 3) await new Promise((resolve) => setTimeout(resolve, 20));
  await subscription.close();
  for (const { data } of mine()) {
    expect(data.resource.apiVersion).toBe(`${GROUP}/v1`);
    expect(data.resource.spec).toMatchObject({ location: 'Bern', timeoutMs: 2000 });
  }
});
