import { request } from 'node:http';
import express from 'express';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import { setActor } from '../../../templates/runtime/http/security/actor';
import type { KindHooks } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { rowsOf } from '../store/database-rows';
import { type HttpResponse, JSON_TYPE, send } from '../support/client';
import { onBothStores } from '../support/databases';
import { startService, type TestService } from '../support/harness';
import { versionedProject } from '../support/versioned-project';

// A create that is repeated with the same Idempotency-Key gets the first response again, and creates nothing.

const BODY = '{"spec":{"name":"lamp","location":"hall"}}';

/** A response with its headers as they came, but for the date. */
interface Raw {
  status: number;
  headers: string[];
  text: string;
}

function post(
  port: number,
  path: string,
  key: string,
  body: string | Buffer = BODY,
  headers = {},
): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = {
      ...JSON_TYPE,
      'Idempotency-Key': key,
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    };
    const sending = request({ port, method: 'POST', path, headers: sent, agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      res.on('end', () => {
        const pairs = res.rawHeaders.flatMap((name, n, all) => (n % 2 ? [] : [`${name}: ${all[n + 1]}`]));
        const others = pairs.filter((line) => !line.startsWith('Date: '));
        resolve({ status: res.statusCode!, headers: others, text: Buffer.concat(chunks).toString() });
      });
    });
    sending.on('error', reject).end(body);
  });
}

const uidOf = ({ text }: Pick<Raw, 'text'>): string => (JSON.parse(text) as Resource).metadata.uid;
const detailOf = ({ text }: Pick<HttpResponse, 'text'>): string =>
  (JSON.parse(text) as { detail: string }).detail;

/** The location that the kind's own check refuses at the moment. */
let refused: string | undefined;

const hooks: { [kind: string]: KindHooks } = {
  Device: {
    policy: { canCreate: ({ request: req }) => ({ allowed: req.headers['refused'] === undefined }) },
    validate: ({ spec }) =>
      'location' in spec && spec.location === refused ? [{ detail: 'not there' }] : [],
  },
};

const project = versionedProject();
project.groups[0].deprecations = { v1alpha1: { since: '2026-01-01', sunset: '2030-01-01' } };

onBothStores((makeUrl) => {
  let url: string;
  let service: TestService;
  let port: number;

  const start = async (environment = {}, started = project): Promise<void> => {
    service = await startService(started, {
      hooks,
      environment: { DATABASE_URL: url, ...environment },
      middleware: (app) => {
        if ('PARSED' in environment) app.use(express.json());
        app.use((req, _res, next) => {
          const { actor, tenant } = req.headers;
          if (typeof actor === 'string') setActor(req, actor);
          if (typeof tenant === 'string') setLabelScope(req, { tenant });
          next();
        });
      },
    });
    port = service.port;
  };

  beforeEach(async () => {
    refused = undefined;
    url = await makeUrl();
    await start();
  });

  afterEach(() => service.close());

  const counts = async (): Promise<{ [table: string]: number }> => {
    const { resources, snapshots, events, responses } = await rowsOf(url);
    const rows = { resources, snapshots, events, responses };
    return Object.fromEntries(Object.entries(rows).map(([table, { length }]) => [table, length]));
  };

  test.each([
    ['the storage version', '/devices', {}, BODY],
    [
      'a deprecated version',
      '/apis/example.svc.dev/v1alpha1/devices',
      {},
      '{"spec":{"title":"é","location":"x"}}',
    ],
    [
      'a version in Accept',
      '/devices?x=1',
      { Accept: 'application/json;version=v2beta1' },
      '{"spec":{"name":"lamp","site":"x"}}',
    ],
  ])(
    '%s: the first response again, byte for byte, whatever became of the resource',
    async (_, path, headers, body) => {
      const first = await post(port, path, 'k-1', body, headers);
      expect(first.status).toBe(201);
      const item = `/devices/${uidOf(first)}`;
      expect(await post(port, path, 'k-1', body, headers)).toEqual(first);
      expect(await counts()).toEqual({ resources: 1, snapshots: 1, events: 1, responses: 1 });
      await send(port, 'PUT', item, {
        headers: JSON_TYPE,
        body: { spec: { name: 'other', location: 'roof' } },
      });
      expect(await post(port, path, 'k-1', body, headers)).toEqual(first);
      await service.close();
      await start();
      expect(await post(port, path, '"k-1"', body, headers)).toEqual(first);
      expect((await send(port, 'DELETE', item)).status).toBe(200);
      expect(await post(port, path, 'k-1', body, headers)).toEqual(first);
      expect(await counts()).toEqual({ resources: 0, snapshots: 0, events: 3, responses: 1 });
      const { expiresAt } = (await service.service.store.responses.find(await onlyKey()))!;
      expect(Math.abs(expiresAt - Date.now() - 86_400_000)).toBeLessThan(600_000);
    },
  );

  test('a request that names no version is the same one after the storage version has moved', async () => {
    const headers = { Accept: 'application/json;version=v2beta1' };
    const first = await post(port, '/devices', 'plain');
    const named = await post(port, '/devices', 'named', '{"spec":{"name":"lamp","site":"x"}}', headers);
    expect([first.status, named.status]).toEqual([201, 201]);
    await service.close();
    await start({}, versionedProject('v2beta1'));
    expect(await post(port, '/devices', 'plain')).toEqual(first);
    expect(await post(port, '/devices', 'named', '{"spec":{"name":"lamp","site":"x"}}', headers)).toEqual(
      named,
    );
    expect((await post(port, '/devices', 'plain', BODY, headers)).status).toBe(422);
    expect((await counts()).resources).toBe(2);
  });

  const onlyKey = async (): Promise<string> => {
    const [key] = await service.service.store.responses.expired(Number.MAX_SAFE_INTEGER, 2);
    return key;
  };

  test.each([
    ['k', '"k"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["!#$%&'*+-.^_`|~", '"!#$%&\'*+-.^_`|~"'],
    ['k'.repeat(255), `"${'k'.repeat(255)}"`],
  ])('%s is the same key as %s', async (bare, quoted) => {
    const first = await post(port, '/devices', bare);
    expect([first.status, await post(port, '/devices', quoted)]).toEqual([201, first]);
  });

  test.each([
    '',
    '""',
    '"',
    '"k',
    'k k',
    '"k k"',
    '"a"b"',
    '"a\\b"',
    '"k";q=1',
    'k'.repeat(256),
    `"${'k'.repeat(256)}"`,
    'ké',
    '"k", "l"',
  ])('the key %j returns 400, and nothing is written', async (key) => {
    for (const path of ['/devices', '/devices?dryRun=true']) {
      const { status, text } = await post(port, path, key);
      expect([status, detailOf({ text })]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
    }
    expect(await counts()).toEqual({ resources: 0, snapshots: 0, events: 0, responses: 0 });
  });

  test('two keys return 400', async () => {
    const headers = { ...JSON_TYPE, 'Idempotency-Key': ['a', 'a'] };
    expect((await send(port, 'POST', '/devices', { headers, body: BODY })).status).toBe(400);
  });

  const V2 = { Accept: 'application/json;version=v2beta1' };
  test.each<[string, string, string | Buffer, object]>([
    ['another query', '/devices?x=1', BODY, {}],
    ['another path', '/apis/example.svc.dev/v1/devices', BODY, {}],
    ['another version', '/devices', BODY, V2],
    ['white space', '/devices', ` ${BODY}`, {}],
    ['no JSON', '/devices', '{"spec":', {}],
    ['no UTF-8', '/devices', Buffer.from([0xff]), {}],
    ['an unknown version', '/devices', '{"apiVersion":"example.svc.dev/v9","spec":{}}', {}],
    ['no object', '/devices', '7', {}],
    ['a condition that does not hold', '/devices', '{}', { 'If-Match': '"x"' }],
  ])(
    '%s: 422 for a used key, and the request has its own result with another',
    async (_, path, body, headers) => {
      await post(port, '/devices', 'used');
      const other = await post(port, path, 'used', body, headers);
      expect([other.status, detailOf(other)]).toEqual([
        422,
        expect.stringContaining('was used for another request'),
      ]);
      const fresh = await post(port, path, 'fresh', body, headers);
      expect(fresh.status).not.toBe(422);
      if (fresh.status !== 201) expect((await counts()).responses).toBe(1);
    },
  );

  test('a key belongs to the kind, the actor and the label scope', async () => {
    const callers = [
      {},
      { actor: 'alice' },
      { actor: 'bob' },
      { tenant: 'a' },
      { tenant: 'b' },
      { actor: 'alice', tenant: 'a' },
    ];
    const made = await Promise.all(callers.map((headers) => post(port, '/devices', 'k', BODY, headers)));
    const gadget = await post(port, '/gadgets', 'k', '{"spec":{}}');
    expect([...made, gadget].map(({ status }) => status)).toEqual([...callers, gadget].map(() => 201));
    expect(new Set([...made, gadget].map(uidOf)).size).toBe(callers.length + 1);
    for (const [n, headers] of callers.entries())
      expect(await post(port, '/devices', 'k', BODY, headers)).toEqual(made[n]);
  });

  test('whoever may not create gets 403, whatever the key and the body', async () => {
    await post(port, '/devices', 'k');
    for (const key of ['k', 'new']) {
      for (const body of [BODY, '{', '{"apiVersion":"v9"}'])
        expect((await post(port, '/devices', key, body, { refused: 'yes' })).status).toBe(403);
    }
  });

  test('a refusal is not stored: the next attempt is a new one, and may succeed', async () => {
    refused = 'hall';
    for (let n = 0; n < 2; n++) expect((await post(port, '/devices', 'k')).status).toBe(400);
    expect((await post(port, '/devices', 'k', '{')).status).toBe(400);
    expect((await counts()).responses).toBe(0);
    refused = undefined;
    const made = await post(port, '/devices', 'k');
    refused = 'hall';
    expect([made.status, await post(port, '/devices', 'k')]).toEqual([201, made]);
  });

  test('of many at once one creates, and all get its response', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => post(port, '/devices', 'k')));
    expect(all[0].status).toBe(201);
    expect(all).toEqual(all.map(() => all[0]));
    expect(await counts()).toEqual({ resources: 1, snapshots: 1, events: 1, responses: 1 });
  });

  test('a key is free again when its time is over', async () => {
    const first = await post(port, '/devices', 'k');
    const now = Date.now();
    service.service.now = () => now + 86_300_000;
    expect(await post(port, '/devices', 'k')).toEqual(first);
    service.service.now = () => now + 86_500_000;
    const second = await post(port, '/devices', 'k', '{"spec":{"name":"other","location":"hall"}}');
    expect(second.status).toBe(201);
    expect(uidOf(second)).not.toBe(uidOf(first));
    expect(await counts()).toEqual({ resources: 2, snapshots: 2, events: 2, responses: 1 });
  });

  test('a dry run neither needs nor takes a key', async () => {
    const dry = await post(port, '/devices?dryRun=true', 'k');
    expect([dry.status, (await counts()).responses]).toEqual([201, 0]);
    const first = await post(port, '/devices', 'k');
    expect(uidOf(first)).not.toBe(uidOf(dry));
    expect((await post(port, '/devices?dryRun=true', 'k')).status).toBe(201);
    expect((await counts()).resources).toBe(1);
  });

  test('a body that middleware has parsed is compared as JSON', async () => {
    await service.close();
    await start({ PARSED: 'true' });
    const first = await post(port, '/devices', 'k');
    expect([first.status, await post(port, '/devices', 'k', ` ${BODY}\n`)]).toEqual([201, first]);
    expect((await post(port, '/devices', 'k', '{"spec":{"name":"x","location":"hall"}}')).status).toBe(422);
  });

  test('other methods take no notice of it', async () => {
    const path = `/devices/${uidOf(await post(port, '/devices', 'k'))}`;
    for (const method of ['PUT', 'GET', 'DELETE']) {
      const headers = { ...JSON_TYPE, 'Idempotency-Key': 'k k' };
      const body = method === 'PUT' ? BODY : undefined;
      expect((await send(port, method, path, { headers, body })).status).toBe(200);
    }
  });
});
