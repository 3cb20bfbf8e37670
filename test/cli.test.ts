import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from '../src/cli';
import * as renderer from '../src/render/render';
import { Terminal } from './terminal';

const project = `name: shop
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v2beta1]
    kinds: # ours
      - name: Device
        versions:
          v1:
            spec:
              name: { type: string, rules: [required] }
`;

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen cli ü-'));
});
afterEach(() => {
  fs.rmSync(root, { recursive: true, force: true });
});

/** Runs svcgen in a folder below the root. */
async function svcgen(argv: string, { folder = '.', io = new Terminal(path.join(root, folder)) } = {}) {
  const words = argv.split(' ').filter((word) => word !== '');
  const exit = await run(words, io);
  return { exit, out: io.out, err: io.err };
}

function given(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
}

const read = (name: string) => fs.readFileSync(path.join(root, name), 'utf8');
const exists = (name: string) => fs.existsSync(path.join(root, name));

/** Every file below the root with its text. */
const tree = () =>
  fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort()
    .map((name) => [name, read(name)]);

describe('wrong input: exit 2, a message and nothing on stdout, nothing written', () => {
  test.each<[argv: string, message: string | RegExp, files?: Record<string, string>]>([
    ['generat', "svcgen: unknown command 'generat'\n  hint: did you mean generate?\n"],
    ['generate --chekc', "svcgen: unknown option '--chekc'\n  hint: did you mean --check?\n"],
    ['generate extra', /^svcgen: too many arguments/],
    ['', /^Usage: svcgen[^]*svcgen: a command is missing\n$/],
    ['add', /^Usage: svcgen add[^]*svcgen: a command is missing\n$/],
    ['add kidn X', "svcgen: unknown command 'kidn'\n  hint: did you mean kind?\n"],
    ['add kind', "svcgen: missing required argument 'Kind'\n"],
    ['init --validation strikt', /^svcgen: option '--validation <mode>' argument 'strikt' is invalid/],
    ['generate --diff', 'svcgen: --diff goes with --check or --dry-run\n'],
    ['generate --watch --check', /^svcgen: option '--watch' cannot be used with option '--check'/],
    [
      'generate',
      /^svcgen: no project.yaml in .* or above it\n {2}hint: svcgen init starts a project; --project names one\n$/,
    ],
    ['generate --project nowhere', /^svcgen: no project.yaml in .*nowhere\n/],
    [
      'generate',
      /^project.yaml:2:1: .*\n {2}grups: \[\]\n {2}\^\n {2}hint: did you mean "groups"/m,
      { 'project.yaml': 'name: a\ngrups: []\n' },
    ],
    [
      'add kind X --version v3',
      'svcgen: version v3 not found in group example.svc.dev; available: v1, v2beta1\n',
      { 'project.yaml': project },
    ],
    [
      'add kind Device',
      'svcgen: kind Device is in version v1 of group example.svc.dev already\n',
      { 'project.yaml': project },
    ],
    [
      'add kind device',
      /^svcgen: "device" cannot be the name of a resource kind\n/,
      { 'project.yaml': project },
    ],
    [
      'add kind A --plural devices',
      /^svcgen: the kinds .* have the same plural "devices"/,
      { 'project.yaml': project },
    ],
    ['add kind A', /^project.yaml:2:1: /m, { 'project.yaml': 'name: a\ngrups: []\n' }],
    ['add version 2', /^svcgen: "2" cannot be/, { 'project.yaml': project }],
    [
      'add version v1',
      'svcgen: version v1 is declared in group example.svc.dev already\n',
      { 'project.yaml': project },
    ],
    ['init', /^svcgen: .* has a project.yaml already\n/, { 'project.yaml': '' }],
    ['init --versions v1,x', /^svcgen: "x" cannot be/],
    ['init --versions ,', /^svcgen: --versions names no version\n/],
    ['init --storage-version v2', 'svcgen: version v2 not found in group example.svc.dev; available: v1\n'],
    ['init --name Ü', /^svcgen: "Ü" cannot be/],
    ['help kidn', /^Usage: svcgen[^]*svcgen: unknown command 'kidn'\n$/],
    ['generate --project=', 'svcgen: the option --project is empty\n'],
    ['add kind A --version=', 'svcgen: the option --version is empty\n'],
    ['init a --project b', 'svcgen: the folder is named twice, by the argument and by --project\n'],
    ['init a.txt/b', /^svcgen: .*a.txt\/b: not a directory\n$/, { 'a.txt': '' }],
    ['init a.txt', /^svcgen: .*a.txt is not a folder\n$/, { 'a.txt': '' }],
    [
      'init',
      /^src\/generated\/routes.ts: was not written by svcgen/m,
      { 'src/generated/routes.ts': 'theirs' },
    ],
  ])('svcgen %s: %s', async (argv, message, files = {}) => {
    given(files);
    const before = tree();
    const { exit, out, err } = await svcgen(argv);
    expect({ exit, out, err }).toEqual({
      exit: 2,
      out: '',
      err: typeof message === 'string' ? message : expect.stringMatching(message),
    });
    const json = await svcgen(`${argv} --json`);
    expect(json).toEqual({ exit: 2, out: expect.stringMatching(/^\{.*\}\n$/), err: '' });
    expect(JSON.parse(json.out)).toEqual({
      ok: false,
      files: [],
      problems: expect.arrayContaining([expect.objectContaining({ message: expect.any(String) })]),
    });
    expect(tree()).toEqual(before);
  });

  test('an empty argument', async () => {
    const io = new Terminal(root);
    expect(await run(['init', ''], io)).toBe(2);
    expect([io.err, tree()]).toEqual(['svcgen: the argument folder is empty\n', []]);
  });

  test('as JSON, a problem has its place', async () => {
    given({ 'project.yaml': 'name: a\ngrups: []\n' });
    const { problems } = JSON.parse((await svcgen('generate --json')).out);
    expect(problems).toContainEqual({
      file: 'project.yaml',
      line: 2,
      column: 1,
      message: 'unknown key "grups"',
      hint: 'did you mean "groups"?',
    });
  });
});

describe('help and version', () => {
  test.each(['--help', 'help', 'generate --help', 'help add', 'add kind --help'])(
    'svcgen %s',
    async (argv) => {
      const { exit, out, err } = await svcgen(argv);
      expect({ exit, err }).toEqual({ exit: 0, err: '' });
      expect(out).toMatch(/^Usage: svcgen/);
      expect(out).toContain('--project <folder>');
      expect(JSON.parse((await svcgen(`${argv} --json`)).out)).toMatchObject({ ok: true });
    },
  );

  test.each(['version', '--version'])('svcgen %s', async (argv) => {
    const { version } = JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8'));
    expect(await svcgen(argv)).toEqual({ exit: 0, out: `${version}\n`, err: '' });
    expect(JSON.parse((await svcgen(`${argv} --json`)).out)).toEqual({
      ok: true,
      files: [],
      problems: [],
      version,
    });
  });
});

describe('svcgen init', () => {
  test('makes a project of the folder’s name and says what is next', async () => {
    const { exit, out, err } = await svcgen('init My-Größe');
    expect({ exit, out }).toEqual({ exit: 0, out: '' });
    expect(err).toMatch(/^svcgen: \d+ created\nnext:\n {2}cd 'My-Größe'\n {2}npm install\n {2}npm start\n/);
    expect(read('My-Größe/project.yaml')).toMatch(/^name: my-gro-e$/m);
    expect(await svcgen('generate --check', { folder: 'My-Größe/src' })).toMatchObject({ exit: 0, out: '' });
  });

  test('takes every flag', async () => {
    const flags = '--name a --group b.dev --versions v1beta1,v2 --validation warn --events --yes';
    const { exit, out } = await svcgen(`init ${flags} --json`);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      files: expect.arrayContaining([{ path: 'project.yaml', action: 'create' }]),
    });
    expect(read('project.yaml')).toMatch(
      /^name: a\nvalidation: warn.*\nevents: true.*\ngroups:\n {2}- name: b.dev\n {4}storageVersion: v2\n {4}versions: \[v1beta1, v2\]\n/m,
    );
  });

  test('leaves what is there', async () => {
    given({ 'package.json': '{}' });
    const { exit, err } = await svcgen('init');
    expect(exit).toBe(0);
    expect(err).toContain('svcgen: package.json was there already and stays as it is\n');
    expect(read('package.json')).toBe('{}');
  });

  test.each([
    ['CI', new Map([['CI', 'true']])],
    ['--yes', new Map()],
    ['--json', new Map()],
  ])('asks nothing on a terminal with %s', async (flag, env) => {
    const io = new Terminal(root, true, Object.fromEntries(env));
    expect(await svcgen(flag === 'CI' ? 'init' : `init ${flag}`, { io })).toMatchObject({ exit: 0 });
  });
});

describe('svcgen add', () => {
  beforeEach(() => given({ 'project.yaml': project }));

  test('kind adds to project.yaml and keeps the rest', async () => {
    const { exit, out, err } = await svcgen('add kind Room --spec-versioning --plural places');
    expect({ exit, out }).toEqual({ exit: 0, out: '' });
    expect(err).toBe('svcgen: kind Room is in project.yaml now; edit its fields, then run svcgen generate\n');
    expect(read('project.yaml')).toBe(`${project}      - name: Room
        plural: places
        specVersioning: true
        versions:
          v1:
            spec:
              description: { type: string, rules: [max=200] }
            status:
              phase: string
              message: string
              ready: { type: boolean, default: false }
`);
    expect(tree().map(([name]) => name)).toEqual(['project.yaml']);
  });

  test('version copies the fields', async () => {
    const { exit, out } = await svcgen('add version v2 --json');
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toEqual({
      ok: true,
      files: [{ path: 'project.yaml', action: 'update' }],
      problems: [],
    });
    expect(read('project.yaml')).toBe(
      `${project}          v2:\n            spec:\n              name: { type: string, rules: [required] }\n`.replace(
        'v2beta1]',
        'v2beta1, v2]',
      ),
    );
  });

  test('version warns of unstable storage, unless told', async () => {
    expect((await svcgen('add version v2alpha1 --storage')).err).toContain('stored data is in v2alpha1 now');
    expect((await svcgen('add version v2alpha2 --storage --force')).err).not.toContain('stored data');
    expect(read('project.yaml')).toContain('storageVersion: v2alpha2\n');
  });

  test('kind makes the first group', async () => {
    given({ 'project.yaml': 'name: shop\ngroups:\n' });
    expect(await svcgen('add kind A')).toMatchObject({ exit: 0 });
    expect(read('project.yaml')).toContain('- name: example.svc.dev\n');
  });

  test('writes nothing through a link', async () => {
    given({ 'elsewhere/real.yaml': project });
    fs.rmSync(path.join(root, 'project.yaml'));
    fs.symlinkSync('elsewhere/real.yaml', path.join(root, 'project.yaml'));
    expect(await svcgen('add kind A')).toMatchObject({
      exit: 2,
      err: expect.stringContaining('is a symbolic link'),
    });
    expect(read('elsewhere/real.yaml')).toBe(project);
  });
});

describe('svcgen generate', () => {
  const routes = 'src/generated/routes.ts';
  beforeEach(async () => {
    given({ 'project.yaml': project });
    await svcgen('generate');
  });

  test('changes nothing the second time', async () => {
    const before = tree();
    expect(await svcgen('generate', { folder: 'src/generated' })).toEqual({
      exit: 0,
      out: '',
      err: `svcgen: ${before.length - 2} unchanged\n`,
    });
    expect(tree()).toEqual(before);
  });

  test('--check lists what is stale and exits 1', async () => {
    given({ [routes]: 'edited\n' });
    fs.rmSync(path.join(root, 'src/generated/service.ts'));
    const { exit, out, err } = await svcgen('generate --check');
    expect({ exit, out }).toEqual({
      exit: 1,
      out: `update    ${routes}\ncreate    src/generated/service.ts\n`,
    });
    expect(err).toMatch(/^svcgen: 1 to create, 1 to update, \d+ unchanged\n$/);
    expect(read(routes)).toBe('edited\n');
    const json = JSON.parse((await svcgen('generate --check --json')).out);
    expect(json.ok).toBe(false);
    expect(json.files).toContainEqual({ path: routes, action: 'update' });
  });

  test('--dry-run tells of every file and exits 0', async () => {
    given({ [routes]: 'edited\n' });
    const { exit, out } = await svcgen('generate --dry-run');
    expect(exit).toBe(0);
    expect(out).toContain(`update    ${routes}\n`);
    expect(out).toContain('unchanged src/generated/service.ts\n');
    expect(read(routes)).toBe('edited\n');
  });

  test('--diff shows the lines, in colour on a terminal', async () => {
    const [first] = read(routes).split('\n');
    given({ [routes]: read(routes).replace(first!, `${first} edited`) });
    const { exit, out } = await svcgen('generate --check --diff');
    expect(exit).toBe(1);
    expect(out).toContain(`--- a/${routes}\n+++ b/${routes}\n@@ -1,4 +1,4 @@\n-${first} edited\n+${first}\n`);
    const files: { path: string; diff?: string }[] = JSON.parse(
      (await svcgen('generate --dry-run --diff --json')).out,
    ).files;
    expect(files.find((file) => file.path === routes)?.diff).toBe(out);

    const terminal = await svcgen('generate --dry-run --diff', { io: new Terminal(root, true) });
    expect(terminal.out).toContain(`\u001b[31m-${first} edited\u001b[39m\n`);
    const plain = await svcgen('generate --dry-run --diff', {
      io: new Terminal(root, true, { NO_COLOR: '1' }),
    });
    expect(plain.out).toBe(out);
  });

  test('removes what a kind leaves, names the user’s file and keeps it', async () => {
    given({ 'project.yaml': project.slice(0, project.indexOf(' # ours')) + ' []\n' });
    const { exit, err } = await svcgen('generate --force');
    expect(exit).toBe(0);
    expect(err).toContain(
      'svcgen: src/kinds/example.svc.dev/device.ts is yours and stays, though its kind is gone\n',
    );
    expect(exists('src/kinds/example.svc.dev/device.ts')).toBe(true);
    expect(exists('src/generated/example.svc.dev')).toBe(false);
  });

  test('a defect is exit 70 with its stack', async () => {
    given({ 'project.yaml': `${project}# of another time\n` });
    jest.spyOn(renderer, 'planFiles').mockImplementation(() => {
      throw new TypeError('oops');
    });
    const { exit, out, err } = await svcgen('generate');
    const json = await svcgen('generate --json');
    jest.restoreAllMocks();
    expect({ exit, out }).toEqual({ exit: 70, out: '' });
    expect(err).toMatch(/^TypeError: oops\n +at [^]*svcgen: a defect of svcgen: oops\n/);
    expect(json).toMatchObject({ exit: 70, err: expect.stringMatching(/^TypeError: oops\n +at /) });
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      problems: [{ message: 'a defect of svcgen: oops' }],
    });
  });

  test.each(['SIGINT', 'SIGTERM'])(
    '--watch follows project.yaml and its imports until %s',
    async (signal) => {
      const types = 'types:\n  Size: { width: integer }\n';
      given({ 'types/common.yaml': types });
      const io = new Terminal(root);
      const ended = run(['generate', '--watch', '--force'], io);
      const next = async (files: Record<string, string>, pattern: RegExp) => {
        io.err = '';
        given(files);
        await io.until(pattern);
      };
      try {
        await io.until(/watching project.yaml\n/);
        await next({ 'project.yaml': 'name: [' }, /project.yaml:\d[^]*watching/);
        const imports = project.replace('    kinds:', '    imports: [types/common.yaml]\n    kinds:');
        await next({ 'project.yaml': `${imports}              size: Size\n` }, /updated[^]*watching/);
        await next({ 'types/common.yaml': types.replace('width', 'height') }, /updated[^]*watching/);
        expect(read('src/generated/openapi.json')).toContain('height');
        fs.renameSync(path.join(root, 'types/common.yaml'), path.join(root, 'types/old.yaml'));
        await next({ 'types/common.yaml': types }, /updated[^]*watching/);
      } finally {
        io.emit(signal);
      }
      expect(await ended).toBe(0);
      expect(io.listenerCount(signal)).toBe(0);
    },
  );
});
