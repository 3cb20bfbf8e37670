import type { KindHooks } from '../../../templates/runtime/model/kinds/kind';
import { rowsOf } from '../store/database-rows';
import {
  create,
  type HttpResponse,
  JSON_PATCH,
  JSON_TYPE,
  MERGE,
  send,
  SHORTHAND_PATCH,
} from '../support/client';
import { onBothStores } from '../support/databases';
import { startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

// A dry run responds as the write would, and no row of the database changes.

const SPEC = { name: 'lamp', location: 'hall' };

/** A request to a device, whose path is `$`, or to its first snapshot, whose path is `@`. */
interface Case {
  title: string;
  method: string;
  path: string;
  headers?: object;
  body?: unknown;
  status: number;
}

const at = (
  title: string,
  method: string,
  path: string,
  status: number,
  body?: unknown,
  headers: object = JSON_TYPE,
): Case => ({
  title,
  method,
  path,
  status,
  headers,
  body,
});

const CASES: Case[] = [
  at('create', 'POST', '/devices', 201, { metadata: { name: 'x', labels: { a: 'b' } }, spec: SPEC }),
  at('create in another version', 'POST', '/apis/example.svc.dev/v2beta1/devices', 201, {
    spec: { name: 'lamp', site: 'hall' },
  }),
  at('create of a kind that is not stored yet', 'POST', '/gadgets', 201, { spec: {} }),
  at('create with failures', 'POST', '/devices', 400, { spec: { name: 7 } }),
  at('create that the check refuses', 'POST', '/devices', 400, { spec: { ...SPEC, model: 'refused' } }),
  at('create without JSON', 'POST', '/devices', 400, '{'),
  at('create of another type', 'POST', '/devices', 415, '{}', { 'Content-Type': 'text/plain' }),
  at('create in an unknown version', 'POST', '/devices', 406, { apiVersion: 'v9', spec: SPEC }),
  at(
    'create on a condition',
    'POST',
    '/devices',
    412,
    { spec: SPEC },
    { ...JSON_TYPE, 'If-None-Match': '*' },
  ),
  at(
    'create that the policy refuses',
    'POST',
    '/devices',
    403,
    { spec: SPEC },
    { ...JSON_TYPE, refused: 'yes' },
  ),
  at('replace', 'PUT', '$', 200, {
    metadata: { name: 'y', labels: { c: 'd' } },
    spec: { ...SPEC, model: 'x' },
  }),
  at('replace in another version', 'PUT', '/apis/example.svc.dev/v2beta1$', 200, {
    spec: { name: 'lamp', site: 'hall', nickname: 'n' },
  }),
  at('replace on a condition', 'PUT', '$', 412, { spec: SPEC }, { ...JSON_TYPE, 'If-Match': '"x"' }),
  at('replace of nothing', 'PUT', '/devices/dev-0000000000000000', 404, { spec: SPEC }),
  at('merge patch', 'PATCH', '$', 200, { spec: { model: 'x' } }, MERGE),
  at('JSON patch', 'PATCH', '$', 200, [{ op: 'add', path: '/spec/model', value: 'x' }], JSON_PATCH),
  at('shorthand patch', 'PATCH', '$', 200, { 'spec.model': 'x' }, SHORTHAND_PATCH),
  at('patch that cannot be applied', 'PATCH', '$', 422, [{ op: 'remove', path: '/spec/x' }], JSON_PATCH),
  at('replace of the status', 'PUT', '$/status', 200, { status: { phase: 'Ready' } }),
  at('status with failures', 'PUT', '$/status', 400, { status: { phase: 'No' } }),
  at('patch of the status', 'PATCH', '$/status', 200, { status: { phase: 'Ready' } }, MERGE),
  at('delete', 'DELETE', '$', 200),
  at('delete on a condition', 'DELETE', '$', 412, undefined, { 'If-Match': '"x"' }),
  at('delete of nothing', 'DELETE', '/devices/dev-0000000000000000', 404),
  at('delete of a snapshot', 'DELETE', '@', 200),
  at('delete of no snapshot', 'DELETE', '$/versions/20260101000000-1', 404),
];

/** Removes what differs from one write to the next: uids, times, ids of snapshots, digests. */
function comparable({ status, headers, text }: HttpResponse): unknown {
  const { date: _, 'x-request-id': __, ...others } = headers;
  const stable = (value: string): string =>
    value
      .replace(/\b[a-z]{3}-[0-9a-f]{16}\b/g, 'UID')
      .replace(/\b\d{14}-\d{19}\b/g, 'VERSION')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replace(/[0-9a-f]{64}/g, 'ETAG')
      .replace(/\w{3}, \d\d \w{3} \d{4} [\d:]+ GMT/g, 'DATE');
  return { status, headers: JSON.parse(stable(JSON.stringify(others))) as unknown, text: stable(text) };
}

/** The contexts of the policy and of the check since they were emptied last. */
const seen: (boolean | undefined)[] = [];
const allow = ({ request, dryRun }: { request: { headers: object }; dryRun?: boolean }) => {
  seen.push(dryRun);
  return { allowed: !('refused' in request.headers) };
};
const hooks: { [kind: string]: KindHooks } = {
  Device: {
    policy: { canCreate: allow, canUpdate: allow, canUpdateStatus: allow, canDelete: allow },
    validateOn: ['create', 'update'],
    validate({ spec }, { dryRun }) {
      seen.push(dryRun);
      return 'model' in spec && spec.model === 'refused' ? [{ detail: 'not this one' }] : [];
    },
  },
};

onBothStores((makeUrl) => {
  let url: string;
  let service: TestService;
  let places: { [place: string]: string };

  beforeEach(async () => {
    url = await makeUrl();
    service = await startService(versionedProject(), { hooks, environment: { DATABASE_URL: url } });
    const { path, resource } = await create(service.port, '/devices', SPEC);
    places = { $: path, '@': `${path}/versions/${resource.status!['version'] as string}` };
    seen.length = 0;
  });

  afterEach(() => service.close());

  const ask = ({ method, path, headers, body }: Case, query: string, more = {}): Promise<HttpResponse> => {
    const place = path.replace(/[$@]/, (name) => places[name]);
    return send(service.port, method, place + query, { headers: { ...headers, ...more }, body });
  };

  test.each(CASES)('$title: $status, and nothing is written', async (each) => {
    const before = await rowsOf(url);
    const dry = await ask(each, '?dryRun=true', { 'Idempotency-Key': 'k' });
    const all = await ask(each, '?dryRun=All&dryRun=true');
    expect(await rowsOf(url)).toEqual(before);
    expect(new Set(seen)).toEqual(new Set(seen.length === 0 ? [] : [true]));
    const real = await ask(each, '?dryRun=false');
    expect(real.status).toBe(each.status);
    expect(comparable(dry)).toEqual(comparable(real));
    expect(comparable(all)).toEqual(comparable(real));
    if (real.status < 300) expect(await rowsOf(url)).not.toEqual(before);
  });

  const others = [
    '',
    '=',
    '=True',
    '=all',
    '=1',
    '=yes',
    '=true&dryRun=false',
    '=All&dryRun=',
    '=%74rue%20',
    '=false&dryRun=no',
  ];
  const writes = CASES.filter(({ status }) => status < 300);
  test.each(others)('dryRun%s returns 400 and never writes', async (value) => {
    const before = await rowsOf(url);
    for (const each of writes) {
      const { status, text } = await ask(each, `?dryRun${value}`);
      expect([status, (JSON.parse(text) as { detail: string }).detail]).toEqual([
        400,
        expect.stringContaining('"dryRun"'),
      ]);
    }
    expect(await rowsOf(url)).toEqual(before);
  });

  test('the parameter needs no warning where something is written, and others do', async () => {
    for (const each of writes) {
      expect((await ask(each, '?dryRun=true')).headers.warning).toBeUndefined();
      expect((await ask(each, '?dryRun=true&dryrun=true')).headers.warning).toBe(
        '299 - "unknown query parameter dryrun"',
      );
    }
    const read = await send(service.port, 'GET', `${places['$']}?dryRun=true`);
    expect(read.headers.warning).toBe('299 - "unknown query parameter dryRun"');
  });

  test('a write that others hinder is not made either: every one of many dry runs succeeds', async () => {
    const before = await rowsOf(url);
    const change = at('', 'PATCH', '$', 200, { spec: { model: 'x' } }, MERGE);
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(change, '?dryRun=true')));
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
    expect(await rowsOf(url)).toEqual(before);
  });
});
