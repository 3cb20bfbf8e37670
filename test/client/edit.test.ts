import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startService, type TestService } from '../runtime/support/harness';
import { testProject } from '../runtime/support/projects';
import { CtlProgram, type Result } from './ctl-program';
import { createClient, type Device, SPEC } from './devices';
import { startServer } from './server';

// `ctl describe`, `diff` and `edit`; the editor is a program that changes the file as its test says.

const FOLDER = join(__dirname, '../../.tmp/ctl-edit');
const EDITOR = join(FOLDER, 'my editor.js');
const program = new CtlProgram(FOLDER, testProject());
let service: TestService;
let client: ReturnType<typeof createClient>;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  service = await startService(testProject());
  program.url = service.url;
  client = createClient({ baseUrl: service.url });
});
afterAll(() => service.close());

const create = (name: string, labels = {}): Promise<Device> =>
  client.devices.create({ metadata: { name, labels }, spec: SPEC });

describe('describe', () => {
  test('shows all of a resource, and the newest of its versions', async () => {
    const { metadata } = await create('shown', { env: 'prod', tier: 'a' });
    for (let index = 0; index < 6; index++)
      await client.devices.update(metadata.uid, ({ spec }) => (spec.model = `\u001b${index}`));
    const { code, out, err } = await program.run(['describe', 'devices', 'shown', metadata.uid]);
    expect([code, err]).toEqual([0, '']);
    const [first, second] = out.split('\n\n');
    const withoutAges = (text: string): string => text.replace(/\b\d+[sm]\b/g, 'a while');
    expect(withoutAges(`${first}\n`)).toBe(withoutAges(second));
    const lines = first.split('\n');
    expect(lines.slice(0, 8)).toEqual([
      'Name:         shown',
      `UID:          ${metadata.uid}`,
      'Kind:         Device (example.svc.dev/v1)',
      expect.stringMatching(/^Created: +2\S+Z \(\d+[sm] ago\)$/),
      expect.stringMatching(/^Updated: +2\S+Z \(\d+[sm] ago\)$/),
      'Generation:   7',
      'Labels:       env=prod',
      '              tier=a',
    ]);
    expect(lines.slice(8)).toEqual([
      'Annotations:  -',
      'Spec:',
      '  name: lamp',
      '  location: hall',
      expect.not.stringContaining('\u001b'),
      'Status:',
      '  ready: false',
      expect.stringMatching(/^ {2}version: /),
      'Versions (the newest 5):',
      expect.stringMatching(/^ {2}VERSION +AGE +NAME$/),
      ...Array.from({ length: 5 }, () => expect.stringMatching(/^ {2}\d+-\d+ +\d+[sm] +shown$/) as string),
    ]);
  });

  test('what is not there', async () => {
    expect((await program.run(['describe', 'devices', 'nobody'])).code).toBe(1);
    expect((await program.run(['describe', 'devices'])).code).toBe(2);
  });
});

describe('diff', () => {
  const diff = (input: string): Promise<Result> => program.run(['diff', '-f', '-'], { input });

  test('shows what apply would change, and changes nothing', async () => {
    const before = await create('diff', { env: 'prod', 'a.b/c': 'x' });
    const { uid } = before.metadata;
    const input =
      'kind: Device\nmetadata: { name: diff, labels: { env: test, "a.b/c": x } }\n' +
      'spec: { location: attic, name: lamp, config: { a: b } }\n' +
      '---\nkind: Book\nmetadata: { name: new }\nspec: { title: T, author: A }\n';
    expect(await diff(input)).toEqual({
      code: 1,
      out: [
        `devices/${uid}`,
        '- metadata.labels.env: "prod"',
        '+ metadata.labels.env: "test"',
        '- spec.location: "hall"',
        '+ spec.location: "attic"',
        '+ spec.config: {"a":"b"}',
        'books: a new one',
        '+ metadata: {"annotations":{},"labels":{},"name":"new"}',
        '+ spec: {"author":"A","title":"T"}',
        '',
      ].join('\n'),
      err: '',
    });
    expect(await client.devices.get(uid)).toEqual(before);
    await program.run(['apply', '-f', '-'], { input });
    expect(await diff(input)).toEqual({ code: 0, out: '', err: '' });
  });

  test('an error is neither', async () => {
    await create('same');
    await create('same');
    expect(await diff('kind: Device\nmetadata: { name: same }\nspec: {}\n')).toMatchObject({
      code: 2,
      out: '',
    });
    expect(await diff('kind: Device\nmetadata: { uid: dev-0000000000000000 }\nspec: {}\n')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/404 Not Found/) as string,
    });
    expect((await program.run(['diff', '-f', '/nowhere'])).code).toBe(2);
  });
});

describe('edit', () => {
  /** Edits a device; each change is a function of the file's text, the last one for all further times. */
  async function edit(
    name: string,
    ...changes: ((text: string) => string)[]
  ): Promise<Result & { seen: string[] }> {
    rmSync(join(FOLDER, 'seen.json'), { force: true });
    const steps = changes.map(String).join(',\n');
    writeFileSync(
      EDITOR,
      `const fs = require('node:fs');
const log = ${JSON.stringify(join(FOLDER, 'seen.json'))};
const file = process.argv.at(-1);
const seen = fs.existsSync(log) ? JSON.parse(fs.readFileSync(log)) : [];
const changes = [${steps}];
const text = fs.readFileSync(file, 'utf8');
fs.writeFileSync(log, JSON.stringify([...seen, text]));
fs.writeFileSync(file, changes[Math.min(seen.length, changes.length - 1)](text));
`,
    );
    const env = { EDITOR: `"${process.execPath}" "${EDITOR}" --wait` };
    const result = await program.run(['edit', 'devices', name], { env });
    return { ...result, seen: JSON.parse(readFileSync(join(FOLDER, 'seen.json'), 'utf8')) as string[] };
  }
  const savedIn = (err: string): string => / is saved in (.*)\n$/.exec(err)![1];

  test('sends what was changed, without what was deleted', async () => {
    const { metadata } = await create('edited', { env: 'prod' });
    const { code, out, err, seen } = await edit('edited', (text) =>
      text.replace('location: hall', 'location: attic').replace(/ {2}labels:\n.*\n/, ''),
    );
    expect([code, out, err]).toEqual([0, `devices/${metadata.uid} edited\n`, '']);
    expect(seen).toEqual([
      '# Save and close to apply your changes; an unchanged file is not sent.\n' +
        'apiVersion: example.svc.dev/v1\nkind: Device\nmetadata:\n  name: edited\n  labels:\n    env: prod\n' +
        'spec:\n  name: lamp\n  location: hall\n',
    ]);
    const after = await client.devices.get(metadata.uid);
    expect(after.spec).toEqual({ ...SPEC, location: 'attic' });
    expect(after.metadata.labels).toBeUndefined();
  });

  test.each([
    ['nothing', (text: string) => text],
    [
      'the layout alone',
      (text: string) => text.replace('name: lamp\n  location: hall', 'location: hall\n  name: lamp'),
    ],
    ['everything deleted', () => '# nothing\n'],
  ])('%s: nothing is sent', async (_, change) => {
    const before = await create(`same ${_}`);
    const { code, out } = await edit(before.metadata.uid, change);
    expect([code, out]).toEqual([0, `devices/${before.metadata.uid} unchanged\n`]);
    expect(await client.devices.get(before.metadata.uid)).toEqual(before);
  });

  test('what is refused is opened again with the failures, until it is right', async () => {
    const { metadata } = await create('refused');
    const { code, seen } = await edit(
      'refused',
      (text) => text.replace('location: hall', 'location: 5'),
      (text) => text.replace('location: 5', 'location: ['),
      (text) =>
        text.replace(/^ {2}location: \[$/m, '  location: attic').replace('kind: Device', 'kind: Book'),
      (text) => text.replace('kind: Book', 'kind: Device'),
    );
    expect(code).toBe(0);
    expect(seen[1]).toMatch(
      /^# 400 Bad Request: .*\n# {3}#\/spec\/location: .* \(type\)\napiVersion: [^#]*location: 5\n$/,
    );
    expect(seen[2]).toMatch(/^# the edit: .*\n(?:#.*\n)*apiVersion: [^#]*location: \[\n$/);
    expect(seen[3]).toMatch(
      /^# apiVersion and kind must not change: example.svc.dev\/v1, Device\napiVersion: /,
    );
    expect((await client.devices.get(metadata.uid)).spec.location).toBe('attic');
  });

  test('who gives up keeps the edit', async () => {
    const before = await create('given up');
    const { code, err } = await edit(
      'given up',
      (text) => text.replace('location: hall', 'location: 5'),
      (text) => text.replace('#', '# Comments do not count:'),
    );
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^test-servicectl: nothing was sent; the edit is saved in /),
    ]);
    expect(readFileSync(savedIn(err), 'utf8')).toContain('location: 5');
    rmSync(dirname(savedIn(err)), { recursive: true });
    expect(await client.devices.get(before.metadata.uid)).toEqual(before);
  });

  test('an alias of nothing is opened again: it was meant as text', async () => {
    const { metadata } = await create('alias');
    const { code, err, seen } = await edit(
      'alias',
      (text) => text.replace('location: hall', 'location: *.txt'),
      (text) => text.replace('*.txt', "'*.txt'"),
    );
    expect([code, err]).toEqual([0, '']);
    expect(seen[1]).toMatch(/^# the edit: Unresolved alias .*: \.txt\napiVersion: /);
    expect((await client.devices.get(metadata.uid)).spec.location).toBe('*.txt');
  });

  test('an edit that is not UTF-8 is saved and not sent, as its characters are unknown', async () => {
    const before = await create('latin');
    const change = "(text) => Buffer.from(text.replace('hall', 'caf\\xe9'), 'latin1')";
    const { code, err } = await edit('latin', { toString: () => change } as () => string);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^test-servicectl: the edit is not UTF-8 text; nothing was sent, it is saved in /,
      ),
    ]);
    expect(readFileSync(savedIn(err), 'latin1')).toContain('location: caf\xe9');
    rmSync(dirname(savedIn(err)), { recursive: true });
    expect(await client.devices.get(before.metadata.uid)).toEqual(before);
  });

  test('a write of somebody else in between is not lost', async () => {
    const { metadata } = await create('contended');
    const change = `(text) => {
      require('node:child_process').execFileSync('curl', ['-s', '-X', 'PATCH', '${service.url}/devices/${metadata.uid}',
        '-H', 'Content-Type: application/merge-patch+json', '-d', '{"spec":{"model":"theirs"}}']);
      return text.replace('location: hall', 'location: attic');
    }`;
    const { code, err } = await edit('contended', { toString: () => change } as () => string);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/412 Precondition Failed: [^]*the edit is saved in /),
    ]);
    expect(existsSync(savedIn(err))).toBe(true);
    rmSync(dirname(savedIn(err)), { recursive: true });
    expect((await client.devices.get(metadata.uid)).spec).toEqual({ ...SPEC, model: 'theirs' });
  });

  test('a uid of the service is no part of a command or of a path', async () => {
    const metadata = { name: 'odd', uid: '$(echo run >&2)' };
    const odd = { apiVersion: 'example.svc.dev/v1', kind: 'Device', metadata, spec: SPEC };
    const server = await startServer((_req, res) => {
      res.setHeader('Content-Type', 'application/json').end(JSON.stringify(odd));
    });
    const env = { EDITOR: 'true', TEST_SERVICE_SERVER: server.url };
    const result = await program.run(['edit', 'devices', 'dev-0123456789abcdef'], { env });
    server.close();
    expect(result).toEqual({ code: 0, out: 'devices/dev-0123456789abcdef unchanged\n', err: '' });
  });

  test('metadata without members is no change', async () => {
    await create('bare');
    const { code, out, err } = await edit('bare', (text) =>
      text.replace(/metadata:[^]*(?=spec:)/, 'metadata:\n'),
    );
    expect([code, out, err]).toEqual([0, expect.stringMatching(/ edited\n$/), '']);
  });

  test('a folder that cannot be made is reported', async () => {
    await create('nowhere');
    const env = { EDITOR: 'true', TMPDIR: join(FOLDER, 'nowhere') };
    const { code, err } = await program.run(['edit', 'devices', 'nowhere'], { env });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^test-servicectl: no file can be made for the editor: ENOENT.*\n$/),
    ]);
  });

  test('an editor that fails', async () => {
    await create('no editor');
    const { code, err } = await program.run(['edit', 'devices', 'no editor'], { env: { EDITOR: 'false' } });
    const [, file = ''] =
      /^test-servicectl: the editor false ended with 1; nothing was sent, (.*) is unchanged\n$/.exec(err)!;
    expect([code, existsSync(file)]).toEqual([1, true]);
    rmSync(dirname(file), { recursive: true });
  });
});
