import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { Collection } from '../../templates/client/collection';
import { Connection } from '../../templates/client/connection';
import type { Resource } from '../../templates/runtime/model/resource';
import { startService, type TestService } from '../runtime/support/harness';
import { testProject } from '../runtime/support/projects';
import { CtlProgram } from './ctl-program';
import { createClient, type Device, SPEC } from './devices';
import { startServer } from './server';

// The command line as it is rendered and compiled, in a process of its own, against a service.

const FOLDER = join(__dirname, '..', '..', '.tmp', 'ctl');
const PROJECT = { ...testProject(), events: true };

let program: CtlProgram;
let service: TestService;
let client: ReturnType<typeof createClient>;

beforeAll(async () => {
  program = new CtlProgram(FOLDER, PROJECT);
  service = await startService(PROJECT, {
    environment: { EVENTS_POLL_MS: '5' },
    middleware: (app) =>
      app.use((req, res, next) => {
        if (req.headers['x-tenant'] === 'wrong' || req.headers.authorization === 'Bearer wrong')
          res.status(401).end('Invalid token');
        else next();
      }),
  });
  program.url = service.url;
  client = createClient({ baseUrl: service.url });
});

afterAll(() => service.close());

const start: CtlProgram['start'] = (args, environment) => program.start(args, environment);
const ctl: CtlProgram['run'] = (args, options) => program.run(args, options);

const create = (name: string, labels = {}): Promise<Device> =>
  client.devices.create({ metadata: { name, labels }, spec: SPEC });

test('the rendered client is what it is built on', async () => {
  const { createClient } = require(join(FOLDER, 'src/generated/client/index.js')) as {
    createClient: (options: object) => {
      things: { create(input: object): Promise<Device> };
      apis: { [group: string]: { v1: { things: { get(uid: string): Promise<Device> } } } };
    };
  };
  const { things, apis } = createClient({ baseUrl: service.url });
  const created = await things.create({ spec: { text: 'abc' } });
  expect(await apis['example.svc.dev'].v1.things.get(created.metadata.uid)).toEqual(created);
});

describe('get', () => {
  test('a table, by labels', async () => {
    const { metadata } = await create('first', { env: 'prod' });
    await client.devices.replaceStatus(metadata.uid, { phase: 'Ready', ready: true });
    await create('second', { env: 'test' });
    const { code, out, err } = await ctl(['get', 'devices', '-l', 'env=prod']);
    expect([code, err]).toEqual([0, '']);
    const [head, row, ...rest] = out.split('\n');
    expect(head.split(/ {2,}/)).toEqual(['NAME', 'UID', 'AGE', 'GENERATION', 'PHASE', 'READY']);
    expect(row.split(/ {2,}/)).toEqual([
      'first',
      metadata.uid,
      expect.stringMatching(/^\d+s$/),
      '1',
      'Ready',
      'true',
    ]);
    expect(rest).toEqual(['']);
  });

  test('columns of the kind: values, lists, times and fields of types; wide ones with -o wide', async () => {
    const spec = {
      text: 'abc',
      at: '2020-01-01T00:00:00Z',
      words: ['a', 'b'],
      tree: { label: 'root' },
      any: { a: [1] },
    };
    const things = new Collection<Resource>(
      new Connection({ baseUrl: service.url }),
      'example.svc.dev/v1/things',
    );
    const { uid } = (await things.create({ metadata: { name: 'all' }, spec })).metadata;
    await things.create({ metadata: { name: 'none' }, spec: {} });
    const rows = async (...args: string[]): Promise<string[][]> =>
      (await ctl(['get', 'things', ...args])).out.split('\n').map((line) => line.split(/ {2,}/).slice(4));
    const ofAll = ['true', expect.stringMatching(/^\d+d$/), 'a,b', 'root'];
    expect(await rows('all')).toEqual([['FLAG', 'SINCE', 'WORDS', 'LABEL'], ofAll, []]);
    expect(await rows(uid, '-o', 'wide')).toEqual([
      ['FLAG', 'SINCE', 'WORDS', 'LABEL', 'ANY'],
      [...ofAll, '{"a":[1]}'],
      [],
    ]);
    expect((await rows('none', '-o', 'wide'))[1]).toEqual(['true']);
  });

  test('one or several, in JSON and YAML', async () => {
    const [a, b] = [await create('a'), await create('b')];
    const [first, second] = [a.metadata.uid, b.metadata.uid];
    expect(JSON.parse((await ctl(['get', 'device', first, '-o', 'json'])).out)).toEqual(a);
    expect(parse((await ctl(['get', 'Device', first, second, '-o', 'yaml'])).out)).toEqual([a, b]);
  });

  test('many, with few connections', async () => {
    const resource = await create('many');
    const connections = new Set<unknown>();
    const server = await startServer(({ socket }, res) => {
      connections.add(socket);
      res.end(JSON.stringify(resource));
    });
    const uids = Array.from({ length: 400 }, (_, index) => `dev-${String(index).padStart(16, '0')}`);
    const { out, err } = await ctl(['get', 'devices', ...uids, '-s', server.url]);
    server.close();
    expect([out.split('\n').length, err]).toEqual([402, '']);
    expect(connections.size).toBeLessThan(200);
  });

  test('names are printed, not obeyed', async () => {
    const { metadata } = await create('\u001b[2Jred\n');
    expect((await ctl(['get', 'devices', metadata.uid])).out).toContain('\\u001b[2Jred\\u000a');
    const odd = { metadata: { uid: 'dev\u001b[2J', name: 'odd' }, spec: {} };
    const server = await startServer(({ url }, res) =>
      res.end(JSON.stringify(url!.includes('/devices/') ? odd : [odd])),
    );
    const input = JSON.stringify({ kind: 'Device', metadata: { name: 'odd' }, spec: { name: 'b' } });
    const { out } = await ctl(['diff', '-f', '-', '-s', server.url], { input });
    server.close();
    expect(out).toMatch(/^devices\/dev\\u001b\[2J\n/);
  });
});

describe('apply', () => {
  const file = (name: string, content: string): string => {
    const path = join(FOLDER, name);
    writeFileSync(path, content);
    return path;
  };

  test('creates what has no uid, updates what has one, leaves what is the same', async () => {
    const path = file(
      'new.yaml',
      'kind: Device\nmetadata: { name: new, labels: { env: test } }\nspec: { name: "1.0", location: hall }\n' +
        '---\napiVersion: example.svc.dev/v1\nkind: Book\nspec: { title: T, author: A }\n---\n',
    );
    const { code, out } = await ctl(['apply', '-f', path]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^devices\/dev-\w+ created\nbooks\/boo-\w+ created\n$/),
    ]);
    const uid = /dev-\w+/.exec(out)![0];

    const { out: shown } = await ctl(['get', 'devices', uid, '-o', 'yaml']);
    expect((await ctl(['apply', '-f', '-'], { input: shown })).out).toBe(`devices/${uid} unchanged\n`);
    const changed = shown.replace('location: hall', 'location: attic');
    expect((await ctl(['apply', '-f', '-'], { input: changed })).out).toBe(`devices/${uid} updated\n`);
    expect(await client.devices.get(uid)).toMatchObject({
      metadata: { name: 'new', labels: { env: 'test' } },
      spec: { name: '1.0', location: 'attic' },
    });
  });

  test('a file without uids can be applied again: resources are found by their names', async () => {
    const path = file(
      'named.yaml',
      'kind: Device\nmetadata: { name: again }\nspec: { name: a, location: hall }\n',
    );
    const words = async (): Promise<string> => (await ctl(['apply', '-f', path])).out.split(' ')[1];
    expect([await words(), await words()]).toEqual(['created\n', 'unchanged\n']);
    const twin = await create('again');
    const { code, err } = await ctl(['apply', '-f', path]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/ 2 devices are called "again": dev-\w+, dev-\w+; choose one by its uid\n$/),
    ]);
    await client.devices.delete(twin.metadata.uid);
    const twice = file(
      'twice.yaml',
      'kind: Book\nmetadata: { name: b }\nspec: { title: T, author: A }\n---\n'.repeat(2),
    );
    expect((await ctl(['apply', '-f', twice])).out).toMatch(
      /^books\/(boo-\w+) created\nbooks\/\1 unchanged\n$/,
    );
  });

  test('a list in JSON; what is refused is told, and the rest goes on', async () => {
    const documents = [
      { kind: 'Device', spec: { name: 'a' } },
      { kind: 'Device', metadata: { uid: 'dev-0000000000000000' }, spec: SPEC },
      { kind: 'Device', metadata: { name: 'last' }, spec: SPEC },
    ];
    const { code, out, err } = await ctl(['apply', '-f', file('some.json', JSON.stringify(documents))]);
    expect([code, out]).toEqual([1, expect.stringMatching(/^devices\/dev-\w+ created\n$/)]);
    expect(err).toMatch(/^test-servicectl: 400 Bad Request: .*\n {2}#\/spec\/location: .* \(required\)\n/);
    expect(err).toMatch(/\ntest-servicectl: 404 Not Found: /);
  });
});

describe('patch, delete, versions', () => {
  test.each([
    ['merge', 'spec: { model: x }'],
    ['json', '[{"op":"add","path":"/spec/model","value":"x"}]'],
    ['shorthand', '{"spec.model": "x"}'],
  ])('%s', async (type, patch) => {
    const { metadata } = await create(type);
    const { code, out } = await ctl(['patch', 'devices', metadata.uid, '--type', type, '-p', patch]);
    expect([code, out]).toEqual([0, `devices/${metadata.uid} patched\n`]);
    expect((await client.devices.get(metadata.uid)).spec.model).toBe('x');
  });

  test('the status', async () => {
    const { metadata } = await create('s');
    const { out } = await ctl([
      'patch',
      'devices',
      metadata.uid,
      '--status',
      '-p',
      '{"ready":true}',
      '-o',
      'json',
    ]);
    expect((JSON.parse(out) as Device).status?.ready).toBe(true);
  });

  test('resources as they are printed', async () => {
    const uids = [(await create('p')).metadata.uid, (await create('q')).metadata.uid];
    const places = uids.map((uid) => `devices/${uid}`);
    expect((await ctl(['get', ...places])).out).toContain(uids[1]);
    expect((await ctl(['patch', places[0], '-p', 'spec: { model: x }'])).out).toBe(`${places[0]} patched\n`);
    const { code, err } = await ctl(['delete', places[0], 'books/boo-1']);
    expect([code, err]).toEqual([2, expect.stringContaining('"books/boo-1" is not among "devices"')]);
    expect((await ctl(['delete', ...places])).out).toBe(places.map((place) => `${place} deleted\n`).join(''));
  });

  test('delete goes on after a failure', async () => {
    const { metadata } = await create('d');
    const { code, out, err } = await ctl(['delete', 'devices', 'dev-0000000000000000', metadata.uid]);
    expect([code, out]).toEqual([1, `devices/${metadata.uid} deleted\n`]);
    expect(err).toMatch(/404 Not Found/);
  });

  test('with --dry-run nothing is written', async () => {
    const before = await create('dry');
    const place = `devices/${before.metadata.uid}`;
    const dry = (...args: string[]) => ctl([...args, '--dry-run']);
    const [known, fresh] = [before.metadata, { name: 'never' }].map((metadata) =>
      JSON.stringify({ kind: 'Device', metadata, spec: { name: 'a', location: 'attic' } }),
    );
    const document = join(FOLDER, 'dry.yaml');
    writeFileSync(document, `${known}\n---\n${fresh}\n---\n${fresh}\n`);
    const created = 'devices/dev-\\w+ created \\(dry run\\)\n';
    expect((await dry('apply', '-f', document)).out).toMatch(
      new RegExp(`^${place} updated \\(dry run\\)\n${created}${created}$`),
    );
    expect((await dry('patch', place, '-p', 'spec: { model: x }')).out).toBe(`${place} patched (dry run)\n`);
    expect((await dry('delete', place)).out).toBe(`${place} deleted (dry run)\n`);
    expect((await dry('patch', place, '-p', 'spec: { name: 7 }')).err).toContain('400 Bad Request');
    expect((await dry('get', 'devices')).err).toContain('--dry-run is not an option of get');
    expect(await client.devices.get(before.metadata.uid)).toEqual(before);
    expect((await client.devices.list()).filter(({ metadata }) => metadata.name === 'never')).toEqual([]);
  });

  test('versions', async () => {
    const { metadata, status } = await create('v');
    const { out } = await ctl(['versions', 'devices', metadata.uid]);
    expect(out).toMatch(new RegExp(`^VERSION +AGE +NAME\n${status?.version} +\\d+s +v\n$`));
    const one = await ctl(['versions', 'devices', metadata.uid, status!.version!]);
    expect(parse(one.out)).toMatchObject({ versionId: status?.version, spec: SPEC });
    expect((await ctl(['versions', 'books', 'boo-1'])).code).toBe(2);
  });
});

describe('names', () => {
  test('stand for uids in every command', async () => {
    const { metadata } = await create('by name');
    const { uid } = metadata;
    expect(parse((await ctl(['get', 'devices', 'by name', '-o', 'yaml'])).out)).toMatchObject({
      metadata: { uid },
    });
    expect((await ctl(['patch', 'devices/by name', '-p', 'spec: { model: x }'])).out).toBe(
      `devices/${uid} patched\n`,
    );
    expect((await ctl(['versions', 'devices', 'by name'])).out.split('\n')).toHaveLength(4);
    expect((await ctl(['delete', 'devices', 'by name'])).out).toBe(`devices/${uid} deleted\n`);
  });

  test('may have slashes, behind the kind', async () => {
    const { metadata } = await create('a/b');
    expect((await ctl(['get', 'devices/a/b'])).out).toContain(metadata.uid);
    expect((await ctl(['delete', 'devices', 'devices/a/b'])).out).toBe(`devices/${metadata.uid} deleted\n`);
  });

  test('that several have are refused with the uids, and nothing is done', async () => {
    const twins = [await create('twin'), await create('twin')];
    const [a, b] = twins.map(({ metadata }) => metadata.uid);
    for (const args of [['get'], ['delete'], ['patch', '-p', '{}'], ['versions']]) {
      const [command = '', ...rest] = args;
      expect(await ctl([command, 'devices', 'twin', ...rest])).toEqual({
        code: 1,
        out: '',
        err: `test-servicectl: 2 devices are called "twin": ${a}, ${b}; choose one by its uid\n`,
      });
    }
    expect((await ctl(['get', 'devices', a])).code).toBe(0);
  });

  test('that nothing has', async () => {
    const { code, out, err } = await ctl(['get', 'devices', 'nobody']);
    expect([code, out, err]).toEqual([1, '', 'test-servicectl: no devices are called "nobody"\n']);
  });
});

describe('watch', () => {
  test('what happens, from a position on', async () => {
    const child = start(['watch', 'books', '--from', '0', '-l', 'watched']);
    const labels = { watched: '' };
    const { metadata } = await client.books.create({
      metadata: { name: 'w', labels },
      spec: { title: 'T', author: 'A' },
    });
    await client.books.updateStatus(metadata.uid, (status) => (status.phase = 'Ready'));
    let out = '';
    for await (const chunk of child.stdout!) if ((out += String(chunk)).split('\n').length > 2) break;
    child.kill();
    const [first, second] = out.split('\n').map((line) => line.split(/ {2,}/).slice(1));
    expect(first).toEqual(['created', 'Book', metadata.uid, 'w', 'ready=false']);
    expect(second).toEqual(['status', 'Book', metadata.uid, 'w', 'Ready', 'ready=false']);
  });

  test('says once that the service does not respond, and goes on when it does', async () => {
    let connections = 0;
    const server = await startServer((_, res) => {
      connections += 1;
      if (connections === 2 || connections === 3) return res.socket!.destroy();
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write(`retry: 1\nid: ${connections}\n\n`);
      if (connections === 1) res.end();
    });
    const child = start(['watch', 'books', '--server', server.url]);
    const warnings = text(child.stderr!);
    while (connections < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    child.kill();
    expect(await warnings).toBe('warning: the service does not respond; the watch goes on when it does\n');
    server.close();
  });

  test('what is not kept', async () => {
    const { code, err } = await ctl(['watch', '--from', 'x']);
    expect([code, err]).toEqual([1, expect.stringMatching(/^test-servicectl: 400 Bad Request: /)]);
  });

  test('in a version', async () => {
    const { err } = await ctl(['watch', '--api-version', 'v9']);
    expect(err).toMatch(/^test-servicectl: 406 Not Acceptable: /);
    expect((await ctl(['watch', 'books', '--api-version', 'v9'])).err).toMatch(/books have no version "v9"/);
  });
});

describe('what is wrong', () => {
  const table: [args: string[], message: RegExp][] = [
    [[], /a command is missing: get, describe, apply/],
    [['gte'], /there is no command "gte"; there are: get, describe, apply/],
    [['toString'], /there is no command/],
    [['get'], /usage: get <kind> \[name\.\.\.\]/],
    [['get', 'gadgets'], /there is no kind "gadgets"; there are: devices, products, books, things/],
    [['get', 'devices', '--api-version', 'v9'], /devices have no version "v9"; there are: v1/],
    [['get', 'devices', '-o', 'xml'], /--output is one of table, wide, json, yaml, not "xml"/],
    [['get', 'devices', 'dev-1', '-l', 'a'], /either names or --selector/],
    [['get', 'devices', '..'], /"\.\." names no resource/],
    [['get', 'devices', '--force'], /Unknown option '--force'/],
    [['get', 'devices', '-p', '{}'], /--patch is not an option of get/],
    // No kind of this service has selectable fields.
    [['get', 'devices', '--where', 'spec.name=a'], /--where is not an option of get/],
    [['get', 'devices', '-H', 'x'], /a header is "Name: text"/],
    [['get', 'devices', '--timeout', 'x'], /--timeout is a number of seconds/],
    [['get', 'devices', '--server', 'ftp://x'], /is not an http or https URL/],
    [
      ['get', 'devices', '--server', 'http://user:s3cr3t@x'],
      /^test-servicectl: the URL of the server must have no user, query/,
    ],
    [['get', 'devices', '--server', 'http://x/?a=b'], /: the URL of the server must have no user, query/],
    [['apply'], /usage: apply -f <file>/],
    [['apply', '-f', '/nowhere'], /ENOENT/],
    [['apply', '-f', '-'], /it contains no resource/],
    [['patch', 'devices', 'dev-1', '--type', 'x', '-p', '{}'], /--type is one of merge, json, shorthand/],
    [['patch', 'devices', 'dev-1', '-p', '{'], /--patch: /],
  ];
  test.each(table)('%j', async (args, message) => {
    const { code, out, err } = await ctl(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^test-servicectl: [^]*\ntest-servicectl --help has the details\n$/);
    expect(err).toMatch(message);
  });

  test.each([
    ['spec: {}', /kind is missing/],
    ['kind: Device', /spec is not an object/],
    ['{ kind: Gadget, spec: {} }', /there is no kind "Gadget"/],
    ['a: [', /at line 1/],
  ])('apply of %j', async (input, message) => {
    const { code, err } = await ctl(['apply', '-f', '-'], { input });
    expect([code, err]).toEqual([expect.any(Number), expect.stringMatching(message)]);
    expect(code).toBeGreaterThan(0);
  });

  test('apply of a document that is not UTF-8', async () => {
    const path = join(FOLDER, 'latin1.yaml');
    writeFileSync(path, Buffer.from('kind: Device\nspec: { name: caf\xe9 }', 'latin1'));
    const { code, err } = await ctl(['apply', '-f', path]);
    expect([code, err]).toEqual([2, expect.stringContaining(`${path} is not UTF-8 text`)]);
  });

  test('nobody listens', async () => {
    const gone = await startServer(() => undefined);
    gone.close();
    const { code, err } = await ctl(['get', 'devices', '-s', gone.url]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^test-servicectl: GET .* got no response: .*ECONNREFUSED.*\n$/),
    ]);
  });

  test.each([
    ['a token', ['get', 'devices'], { TEST_SERVICE_TOKEN: 'wrong' }],
    ['the token of --token', ['get', 'devices', '--token', 'wrong'], { TEST_SERVICE_TOKEN: 'other' }],
    ['a header', ['get', 'devices', '-H', 'X-Tenant: wrong'], {}],
  ])('%s is sent', async (_, args, env) => {
    const { code, err } = await ctl(args, { env });
    expect([code, err]).toEqual([
      1,
      'test-servicectl: 401 Unauthorized: Invalid token\ngive a token by TEST_SERVICE_TOKEN or --token\n',
    ]);
  });
});

test('help', async () => {
  const { code, out } = await ctl(['--help']);
  expect(code).toBe(0);
  expect(out).toMatch(/^Usage: test-servicectl <command> \[options\]\n\n {2}get <kind> \[name\.\.\.\] /);
  expect(out).toContain('TEST_SERVICE_SERVER');
  expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThan(100);
  expect((await ctl(['get', '-h'])).out).toBe(out);
});

test('a reader that has enough', async () => {
  for (let index = 0; index < 5; index++) await create('x'.repeat(50_000));
  const child = start(['get', 'devices', '-o', 'json']);
  child.stdout!.once('data', () => child.stdout!.destroy());
  const [err, [code]] = await Promise.all([text(child.stderr!), once(child, 'close') as Promise<[number]>]);
  expect([code, err]).toEqual([0, '']);
});
