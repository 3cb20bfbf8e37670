import { isObject, type Json, type JsonObject } from '../../../templates/runtime/model/schema';
import {
  create,
  failures,
  type HttpResponse,
  JSON_PATCH,
  JSON_TYPE,
  MERGE,
  PATCH_FORMATS,
  send,
  SHORTHAND_PATCH,
} from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';
import {
  APPENDIX_A,
  APPLICABLE,
  INAPPLICABLE,
  JSON_PATCH_SUITE,
  MALFORMED,
  SHORTHAND,
  TARGET,
} from './patch-tables';

let service: TestService;
beforeAll(async () => void (service = await startService(testProject())));
afterAll(() => service.close());

type Headers = { 'Content-Type': string };

/** The two documents that a client may patch, each with a field that takes any value. */
const PLACES = ['spec', 'status'] as const;

/** Creates a Thing with `document` in the field `any` of its spec or status. Returns the paths to patch it at. */
async function place(part: 'spec' | 'status', document: Json): Promise<{ item: string; target: string }> {
  const { path: item } = await create(service.port, '/things', part === 'spec' ? { any: document } : {});
  if (part === 'spec') return { item, target: item };
  const body = { status: { any: document } };
  await send(service.port, 'PUT', `${item}/status`, { headers: JSON_TYPE, body });
  return { item, target: `${item}/status` };
}

/**
 * Patches a placed document and gives what it is then, null where it is gone; or the status of the refusal, after
 * which the resource must be what it was, to the byte.
 */
async function patched(
  part: 'spec' | 'status',
  document: Json,
  headers: Headers,
  body: Json,
): Promise<Json | number> {
  const { item, target } = await place(part, document);
  const before = await send(service.port, 'GET', item);
  const response = await send(service.port, 'PATCH', target, { headers, body: JSON.stringify(body) });
  const after = await send(service.port, 'GET', item);
  if (response.status === 200) {
    expect([after.text, after.headers.etag]).toEqual([response.text, response.headers.etag]);
    const { [part]: fields = {} } = JSON.parse(after.text) as { [part: string]: JsonObject };
    return fields['any'] ?? null;
  }
  expect(response.headers['content-type']).toBe('application/problem+json');
  expect([after.text, after.headers.etag]).toEqual([before.text, before.headers.etag]);
  return response.status;
}

/** Operations moved down to `/<part>/any`; a malformed pointer stays malformed. */
function moved(part: string, operations: Json): Json {
  if (!Array.isArray(operations)) return operations;
  const below = (pointer: Json): Json =>
    typeof pointer === 'string' && /^(?:$|\/)/.test(pointer) ? `/${part}/any${pointer}` : pointer;
  return operations.map((operation) => {
    if (!isObject(operation)) return operation;
    const copy = { ...operation };
    for (const name of ['path', 'from']) if (Object.hasOwn(copy, name)) copy[name] = below(copy[name]);
    return copy;
  });
}

describe.each(PLACES)('JSON Patch on %s', (part) => {
  const patch = (document: Json, operations: Json): Promise<Json | number> =>
    patched(part, document, JSON_PATCH, moved(part, operations));

  test.each(JSON_PATCH_SUITE)('suite %s', async (_name, { doc, patch: operations, expected, error }) => {
    const result = await patch(doc, operations);
    if (error === undefined) expect(result).toEqual(expected ?? doc);
    else expect([400, 422]).toContain(result);
  });
  test.each(MALFORMED)('400: %s', async (_name, operations) => {
    expect(await patch({ a: { c: 1 } }, operations)).toBe(400);
  });
  test.each(INAPPLICABLE)('422: %s', async (_name, operation) => {
    expect(await patch(TARGET, [{ op: 'add', path: '/first', value: true }, operation])).toBe(422);
  });
  test.each(APPLICABLE)('%s', async (_name, document, operations, want) => {
    expect(await patch(document, operations)).toEqual(want);
  });
});

describe.each(PLACES)('merge patch on %s', (part) => {
  test.each(APPENDIX_A)('%j with %j is %j', async (document, patch, want) => {
    expect(await patched(part, document, MERGE, { [part]: { any: patch } })).toEqual(want);
  });
});

describe.each(PLACES)('shorthand patch on %s', (part) => {
  test.each(SHORTHAND)('%s', async (_name, document, patch, want) => {
    const body = isObject(patch)
      ? Object.fromEntries(Object.entries(patch).map(([key, value]) => [`${part}.any.${key}`, value]))
      : patch;
    expect(await patched(part, document, SHORTHAND_PATCH, body)).toEqual(want);
  });
});

const patchThing = async (
  suffix: string,
  headers: { [name: string]: string },
  body: unknown,
): Promise<HttpResponse> => {
  const { path } = await create(service.port, '/things', { any: 1, text: 'abc' });
  const before = await send(service.port, 'GET', path);
  const response = await send(service.port, 'PATCH', path + suffix, { headers, body });
  const after = await send(service.port, 'GET', path);
  if (response.status !== 200) expect(after.text).toBe(before.text);
  return response;
};

describe.each(['', '/status'])('refusals of PATCH %s', (suffix) => {
  const part = suffix === '' ? 'spec' : 'status';

  test.each<[string, { [name: string]: string }]>([
    ['application/json', JSON_TYPE],
    ['no type', {}],
    ['an empty type', { 'Content-Type': '' }],
    ['text/plain', { 'Content-Type': 'text/plain' }],
    ['two types', { 'Content-Type': 'application/merge-patch+json, application/json-patch+json' }],
    ['another charset', { 'Content-Type': 'application/merge-patch+json; charset=latin1' }],
    ['a compressed body', { ...MERGE, 'Content-Encoding': 'gzip' }],
  ])('415: %s', async (_name, headers) => {
    const response = await patchThing(suffix, headers, {});
    expect(response.status).toBe(415);
    expect(response.headers['accept-patch']).toBe(
      'application/merge-patch+json, application/json-patch+json, application/shorthand-patch+json',
    );
  });

  test.each(PATCH_FORMATS)('400: a body that is not JSON, $Content-Type', async (headers) => {
    for (const body of ['', '{', '[', 'x', '{"a":1,}', '{}{}', Buffer.from([0x22, 0xff, 0x22])]) {
      expect((await patchThing(suffix, headers, body)).status).toBe(400);
    }
  });

  test.each(PATCH_FORMATS)('400: a result that breaks rules, $Content-Type', async (headers) => {
    const bodies = new Map<object, unknown>([
      [MERGE, { [part]: { phase: 1, text: 'abcdef' } }],
      [
        JSON_PATCH,
        [
          { op: 'add', path: `/${part}/phase`, value: 1 },
          { op: 'add', path: `/${part}/text`, value: 'abcdef' },
        ],
      ],
      [SHORTHAND_PATCH, { [`${part}.phase`]: 1, [`${part}.text`]: 'abcdef' }],
    ]);
    const response = await patchThing(suffix, headers, bodies.get(headers));
    expect(response.status).toBe(400);
    expect(failures(response).sort()).toEqual(
      part === 'spec'
        ? ['#/spec/phase unknown', '#/spec/text max=5']
        : ['#/status/phase type', '#/status/text unknown'],
    );
  });

  test('413: more than 1,000 operations; 1,000 apply', async () => {
    const operations = Array.from({ length: 1_001 }, () => ({
      op: 'add',
      path: `/${part}/any`,
      value: 1,
    }));
    expect((await patchThing(suffix, JSON_PATCH, operations)).status).toBe(413);
    expect((await patchThing(suffix, JSON_PATCH, operations.slice(1))).status).toBe(200);
  });

  test('413: a document that doubles with each operation', async () => {
    const copy = { op: 'copy', path: `/${part}/any/-`, from: `/${part}/any` };
    const bomb = [
      { op: 'add', path: `/${part}/any`, value: ['x'] },
      ...Array.from({ length: 40 }, () => copy),
    ];
    expect((await patchThing(suffix, JSON_PATCH, bomb)).status).toBe(413);
  });

  test('400: deeper than 64 levels', async () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const merge = (levels: number): string => `{"${part}":{"any":${nested(levels)}}}`;
    expect((await patchThing(suffix, MERGE, merge(62))).status).toBe(200);
    expect((await patchThing(suffix, MERGE, merge(63))).status).toBe(400);
    expect((await patchThing(suffix, MERGE, merge(100_000))).status).toBe(400);
    const built = Array.from({ length: 70 }, () => [
      { op: 'move', path: '/metadata/x', from: `/${part}/any` },
      { op: 'add', path: `/${part}/any`, value: {} },
      { op: 'move', path: `/${part}/any/a`, from: '/metadata/x' },
    ]);
    const start = { op: 'add', path: `/${part}/any`, value: {} };
    expect((await patchThing(suffix, JSON_PATCH, [start, ...built.flat()])).status).toBe(400);
  });
});

describe('a result that is no resource', () => {
  test.each<[string, Headers, unknown]>([
    ['merge: spec null', MERGE, { spec: null }],
    ['merge: spec a list', MERGE, { spec: [] }],
    ['merge: spec a text', MERGE, { spec: 'x' }],
    ['JSON Patch: spec removed', JSON_PATCH, [{ op: 'remove', path: '/spec' }]],
    ['JSON Patch: spec a number', JSON_PATCH, [{ op: 'replace', path: '/spec', value: 1 }]],
    ['JSON Patch: the whole removed', JSON_PATCH, [{ op: 'remove', path: '' }]],
    ['JSON Patch: the whole a list', JSON_PATCH, [{ op: 'replace', path: '', value: [] }]],
    ['JSON Patch: spec moved away', JSON_PATCH, [{ op: 'move', path: '/metadata/x', from: '/spec' }]],
    ['shorthand: spec null', SHORTHAND_PATCH, { spec: null }],
    ['shorthand: spec false', SHORTHAND_PATCH, { spec: false }],
  ])('500 on the resource: %s', async (_name, headers, body) => {
    const response = await patchThing('', headers, body);
    expect(response.status).toBe(500);
    expect(JSON.parse(response.text)).toMatchObject({ title: 'Internal Server Error', status: 500 });
  });

  test.each<[string, Headers, unknown]>([
    ['merge: status null', MERGE, { status: null }],
    ['merge: status a list', MERGE, { status: [] }],
    ['JSON Patch: status removed', JSON_PATCH, [{ op: 'remove', path: '/status' }]],
    ['JSON Patch: the whole removed', JSON_PATCH, [{ op: 'remove', path: '' }]],
    ['shorthand: status a text', SHORTHAND_PATCH, { status: 'x' }],
  ])('400 on the status: %s', async (_name, headers, body) => {
    const response = await patchThing('/status', headers, body);
    expect([response.status, failures(response)]).toEqual([400, ['#/status type']]);
  });
});

describe('forms of a status patch', () => {
  test.each<[string, Headers, unknown, JsonObject]>([
    ['merge, wrapped', MERGE, { status: { phase: 'x' } }, { phase: 'x' }],
    ['merge, bare', MERGE, { phase: 'x' }, { phase: 'x' }],
    ['merge, bare, with a version', MERGE, { apiVersion: 'v1', phase: 'x' }, { phase: 'x' }],
    ['merge, wrapped, beside a spec', MERGE, { spec: null, status: { phase: 'x' } }, { phase: 'x' }],
    ['merge, empty', MERGE, {}, {}],
    ['JSON Patch', JSON_PATCH, [{ op: 'add', path: '/status/phase', value: 'x' }], { phase: 'x' }],
    [
      'JSON Patch, beside a spec',
      JSON_PATCH,
      [
        { op: 'remove', path: '/spec' },
        { op: 'add', path: '/status', value: { phase: 'x' } },
      ],
      { phase: 'x' },
    ],
    ['shorthand', SHORTHAND_PATCH, { 'status.phase': 'x', 'spec.any': 2 }, { phase: 'x' }],
    ['shorthand, whole', SHORTHAND_PATCH, { status: { phase: 'x' } }, { phase: 'x' }],
  ])('%s', async (_name, headers, body, want) => {
    const response = await patchThing('/status', headers, body);
    expect([response.status, response.text]).toEqual([200, expect.anything()]);
    const { status = {}, spec } = JSON.parse(response.text) as { status?: object; spec: object };
    expect([status, spec]).toEqual([want, { any: 1, text: 'abc', flag: true }]);
  });
});
