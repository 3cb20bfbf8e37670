import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import fc from 'fast-check';
import { setLabelScope } from '../../../templates/runtime/api/request/label-scope';
import { DatabaseState, ListStates } from '../../../templates/runtime/store/sqlite/cache/database-state';
import { openStore } from '../store/open-store';
import { describeWithPostgres, postgresServer } from '../store/postgres/postgres-server';
import { creation, KIND, OTHER_KIND } from '../store/store-writes';
import { create, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestOptions, type TestService } from '../support/harness';
import { testProject } from '../support/projects';
import { versionedProject } from '../support/versioned-project';

// Entity tags of lists: they change with every state of what is shown, and save the list that a client has already.

const DEVICE = { name: 'a', location: 'b' };
const BOOK = { title: 'a', author: 'b' };
const services: TestService[] = [];
afterEach(() => Promise.all(services.splice(0).map((service) => service.close())));

async function start(options: TestOptions = {}, project = testProject()): Promise<TestService> {
  const service = await startService(project, options);
  services.push(service);
  return service;
}

const tagOf = async (service: TestService, path: string, headers = {}): Promise<string | undefined> =>
  (await send(service.port, 'GET', path, { headers })).headers.etag;

/** Returns the status of a list for a client that has the one of this tag. */
const polled = async (service: TestService, path: string, tag: string | undefined): Promise<number> =>
  (await send(service.port, 'GET', path, { headers: { 'If-None-Match': tag! } })).status;

/** Returns the statuses of a list of which a client demands any tag, and then any state. */
const matched = async (service: TestService, path: string): Promise<number[]> => [
  (await send(service.port, 'GET', path, { headers: { 'If-Match': '"a"' } })).status,
  (await send(service.port, 'GET', path, { headers: { 'If-Match': '*' } })).status,
];

test.each(['false', 'true'])(
  'a list that did not change is 304; writer thread: %s',
  async (WRITER_THREAD) => {
    const service = await start({ environment: { WRITER_THREAD } });
    const { path } = await create(service.port, '/devices', DEVICE);
    const tag = await tagOf(service, '/devices');
    expect(tag).toMatch(/^"[\w-]{43}"$/);
    await create(service.port, '/books', BOOK);
    expect(await polled(service, '/devices', tag)).toBe(304);
    const unchanged = await send(service.port, 'GET', '/devices', {
      headers: { 'If-None-Match': `W/${tag}` },
    });
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', tag]);
    expect(unchanged.headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-cache' });
    for (const [method, to, headers, body] of [
      ['PATCH', path, MERGE, { spec: { location: 'c' } }],
      ['PUT', `${path}/status`, JSON_TYPE, { status: { ready: true } }],
      ['DELETE', path, {}, undefined],
      ['POST', '/devices', JSON_TYPE, { spec: DEVICE }],
    ] as const) {
      const before = await tagOf(service, '/devices');
      expect((await send(service.port, method, to, { headers, body })).status).toBeLessThan(300);
      expect([method, await polled(service, '/devices', before)]).toEqual([method, 200]);
    }
  },
);

test('a list has a tag for each query and scope', async () => {
  const scoped = (app: Express): void => {
    app.use((req, _res, next) => {
      const { tenant } = req.headers;
      if (typeof tenant === 'string') setLabelScope(req, { tenant });
      next();
    });
  };
  const service = await start({ middleware: scoped });
  for (const tenant of ['a', 'b']) await create(service.port, '/devices', DEVICE, { labels: { tenant } });
  const tags = await Promise.all([
    tagOf(service, '/devices'),
    tagOf(service, '/devices', { tenant: 'a' }),
    tagOf(service, '/devices', { tenant: 'b' }),
    tagOf(service, '/devices?limit=1'),
    tagOf(service, '/devices?labelSelector=tenant=a'),
    tagOf(service, '/books'),
  ]);
  expect(new Set(tags).size).toBe(tags.length);
  expect(tags).not.toContain(undefined);
});

test('a list has a tag for each version', async () => {
  const service = await start({}, versionedProject());
  const [first, ...others] = await Promise.all(
    ['v1', 'v1alpha1'].map((version) =>
      tagOf(service, `/devices`, { Accept: `application/json;version=${version}` }),
    ),
  );
  expect(first).toBeDefined();
  expect(others).not.toContain(first);
  expect(others).not.toContain(undefined);
});

test('conditions of a list: If-Match refuses another state, dates are ignored', async () => {
  const service = await start();
  const tag = (await tagOf(service, '/devices'))!;
  const statusOf = async (headers: { [name: string]: string }): Promise<number> =>
    (await send(service.port, 'GET', '/devices', { headers })).status;
  expect(await statusOf({ 'If-Match': tag })).toBe(200);
  expect(await statusOf({ 'If-Match': '"other"' })).toBe(412);
  expect(await statusOf({ 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' })).toBe(200);
  expect(await statusOf({ 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' })).toBe(200);
  expect(await polled(service, '/devices', `"other", ${tag}`)).toBe(304);
});

test('a list of which a policy decides has no tag', async () => {
  const service = await start({ hooks: { Device: { policy: { canGet: () => ({ allowed: true }) } } } });
  expect(await tagOf(service, '/devices')).toBeUndefined();
  expect(await polled(service, '/devices', '"a"')).toBe(200);
  expect(await matched(service, '/devices')).toEqual([412, 200]);
});

describeWithPostgres('PostgreSQL', () => {
  test('a list has no tag', async () => {
    const server = await postgresServer();
    const service = await start({ environment: { DATABASE_URL: await server.newSchema() } });
    await create(service.port, '/devices', DEVICE);
    expect(await tagOf(service, '/devices')).toBeUndefined();
    expect(await polled(service, '/devices', '*')).toBe(200);
    expect(await matched(service, '/devices')).toEqual([412, 200]);
    await services.pop()!.close();
    await server.close();
  });
});

test('a write of another process changes the tag, before it can be seen to be acknowledged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tags-'));
  const [one, other] = await Promise.all([1, 2].map(() => openStore(`sqlite:${join(folder, 'a.db')}`)));
  for (let index = 0; index < 50; index++) {
    const before = one.listState!(KIND);
    expect(before).toBe(one.listState!(KIND));
    await other.write(creation(`n-${index}`));
    expect(one.listState!(KIND)).not.toBe(before);
  }
  await Promise.all([one.close(), other.close()]);
  rmSync(folder, { recursive: true });
});

test('a list that is asked for again shows every write since', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  const environment = { DATABASE_URL: `sqlite:${join(folder, 'a.db')}` };
  const [one, other] = [await start({ environment }), await start({ environment })];
  const paths = ['/devices', '/devices?limit=2', '/devices?labelSelector=odd=true'];
  let asked = 0;
  /** Compares each list, asked for three times, with one that nobody asked for before: `unread` says nothing to the service. */
  const look = async (): Promise<void> => {
    for (const path of paths) {
      const unread = `unread=${asked++}`;
      const expected = await send(one.port, 'GET', path + (path.includes('?') ? '&' : '?') + unread);
      const link = expected.headers.link?.toString().replace(`&${unread}`, '');
      for (let times = 0; times < 3; times++) {
        const { text, headers } = await send(one.port, 'GET', path);
        expect([text, headers.link, headers['content-length']]).toEqual([
          expected.text,
          link,
          expected.headers['content-length'],
        ]);
        const head = await send(one.port, 'HEAD', path);
        expect([head.text, head.headers.etag, head.headers.link]).toEqual(['', headers.etag, link]);
      }
    }
  };
  for (const [index, service] of [one, other, other, one, one, other].entries()) {
    const { path } = await create(
      service.port,
      '/devices',
      { ...DEVICE, name: `n${index}` },
      {
        labels: { odd: String(index % 2 === 1) },
      },
    );
    await look();
    await send(service.port, 'PATCH', path, { headers: MERGE, body: { spec: { location: 'c' } } });
    await look();
    if (index % 3 === 0) await send(other.port, 'DELETE', path);
    await look();
  }
  rmSync(folder, { recursive: true });
});

test('a list that is sent again has the links of its own request', async () => {
  const linking = (app: Express): void => {
    app.use((req, res, next) => {
      res.setHeader('Link', `<${String(req.headers['from'])}>; rel="author"`);
      next();
    });
  };
  const service = await start({ middleware: linking });
  for (const name of ['a', 'b']) await create(service.port, '/devices', { ...DEVICE, name });
  for (const from of ['ann', 'bob', 'eve', 'joe']) {
    const { headers } = await send(service.port, 'GET', '/devices?limit=1', { headers: { from } });
    expect(String(headers.link)).toMatch(
      new RegExp(`^<${from}>; rel="author", ?</devices\\?limit=1&continue=[\\w-]+>; rel="next"$`),
    );
    const all = await send(service.port, 'GET', '/devices', { headers: { from } });
    expect(all.headers.link).toBe(`<${from}>; rel="author"`);
  }
});

test('a list that is written to while it is read does not come back for a later state', async () => {
  const service = await start();
  for (let index = 0; index < 30; index++) {
    const lists = Array.from({ length: 8 }, () => send(service.port, 'GET', '/devices'));
    const [{ resource }] = await Promise.all([create(service.port, '/devices', DEVICE), ...lists]);
    const { text } = await send(service.port, 'GET', '/devices');
    expect(text).toContain(resource.metadata.uid);
  }
});

describe('tokens', () => {
  type Step = ['own' | 'other kind' | 'begin' | 'end' | 'foreign'];

  test('no two states have the same, however commits of this process and of others meet', () => {
    const step = fc.constantFrom<Step[0]>('own', 'other kind', 'begin', 'end', 'foreign');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = 0;
        /** Counts the states of the kind. */
        let content = 0;
        const database = new DatabaseState(() => String(state));
        const states = new ListStates(database);
        const begin = (commands: typeof own): void => {
          database.begin();
          states.count(commands);
        };
        const seen = new Map<string, number>();
        const own = [creation('a')];
        let running: string | undefined;
        const look = (): void => {
          const token = states.of(KIND);
          if (token === undefined) return;
          expect(seen.get(token) ?? content).toBe(content);
          seen.set(token, content);
        };
        const end = (commands: typeof own, before: string): void => {
          const after = String(state);
          database.end(commands, { results: ['done'], positions: new Map(), states: { before, after } });
          states.count(commands);
        };
        for (const each of steps) {
          if (each === 'foreign' && running === undefined) [state, content] = [state + 1, content + 1];
          if (each === 'begin' && running === undefined) {
            begin(own);
            look();
            running = String(state);
            [state, content] = [state + 1, content + 1];
          }
          if (each === 'end' && running !== undefined) {
            end(own, running);
            running = undefined;
          }
          if (['own', 'other kind'].includes(each) && running === undefined) {
            const commands = each === 'own' ? own : [{ ...creation('b'), kind: OTHER_KIND }];
            begin(commands);
            const before = String(state);
            state += 1;
            if (each === 'own') content += 1;
            end(commands, before);
          }
          look();
        }
      }),
      { seed: 1, numRuns: 1_000 },
    );
  });
});
