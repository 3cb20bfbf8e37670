import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Command } from 'commander';
import { describeCommands } from '../../src/cli/describe';
import { run } from '../../src/cli/run';
import * as renderer from '../../src/render/render';
import { Terminal } from '../support/terminal';

// A copy, whose function can be replaced.
jest.mock('../../src/render/render', () => ({
  __esModule: true,
  ...jest.requireActual<typeof renderer>('../../src/render/render'),
}));

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

/** Runs the commands `npm pkg set …` that svcgen has printed. */
function runNotes(printed: string): void {
  const commands = printed.match(/(?<=: run )npm pkg set .*/g) ?? [];
  for (const command of commands) execFileSync('sh', ['-c', command], { cwd: root });
}

interface Manifest {
  bin: object;
  scripts: object;
  dependencies: { [name: string]: string };
  devDependencies: object;
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

describe.each([
  ['re2js', 'the rule pattern', project.replace('rules: [required]', () => "rules: ['pattern=^[a-z]+$']")],
  ['cloudevents', 'events: true', `events: true\n${project}`],
])('%s, which %s of a project needs', (name, feature, withFeature) => {
  const line = new RegExp(
    `^svcgen: package.json lacks ${name}, which ${feature} needs: run npm install ${name}@\\^\\S+$`,
    'm',
  );

  test('is in the package.json of a new project that has it', async () => {
    given({ 'project.yaml': withFeature });
    expect((await svcgen('generate')).err).not.toMatch(/lacks/);
    expect(read('package.json')).toContain(`"${name}"`);
  });

  test('is named by every generate until package.json has it', async () => {
    given({ 'project.yaml': project });
    await svcgen('generate');
    expect(read('package.json')).not.toContain(name);
    given({ 'project.yaml': withFeature });
    for (const command of ['generate --dry-run --force', 'generate --force', 'generate'])
      expect(await svcgen(command)).toMatchObject({ exit: 0, err: expect.stringMatching(line) });
    given({
      'package.json': read('package.json').replace('"express"', `"${name}": "*",\n    "express"`),
    });
    expect((await svcgen('generate')).err).not.toMatch(/lacks/);
  });
});

test('the part of the runtime that needs the CloudEvents SDK comes and goes with events: true', async () => {
  const file = 'src/generated/runtime/cloudevents/sdk.ts';
  given({ 'project.yaml': project });
  await svcgen('generate');
  expect(exists(file)).toBe(false);
  given({ 'project.yaml': `events: true\n${project}` });
  await svcgen('generate');
  expect(exists(file)).toBe(true);
  given({ 'project.yaml': project });
  await svcgen('generate');
  expect(exists(file)).toBe(false);
});

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
    ['generate --diff', 'svcgen: --diff requires --check or --dry-run\n'],
    ['generate --watch --check', /^svcgen: option '--watch' cannot be used with option '--check'/],
    [
      'generate',
      /^svcgen: no project.yaml in .* or above it\n {2}hint: run svcgen init to create a project, or choose one with --project\n$/,
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
      'svcgen: kind Device already exists in version v1 of group example.svc.dev\n',
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
      'svcgen: version v1 is already declared in group example.svc.dev\n  hint: it is the storage version\n',
      { 'project.yaml': project },
    ],
    ['init', /^svcgen: .* already has a project.yaml\n/, { 'project.yaml': '' }],
    ['init --versions v1,x', /^svcgen: "x" cannot be/],
    ['init --versions ,', /^svcgen: --versions names no version\n/],
    [
      'init --storage-version v2',
      'svcgen: version v2 not found in group example.svc.dev; available: v1\n  hint: --versions v1,v2 declares it\n',
    ],
    ['init --name Ü', /^svcgen: "Ü" cannot be/],
    ['help kidn', /^Usage: svcgen[^]*svcgen: unknown command 'kidn'\n$/],
    ['generate --project=', 'svcgen: the option --project is empty\n'],
    ['add kind A --version=', 'svcgen: the option --version is empty\n'],
    ['init a --project b', 'svcgen: the folder is given twice, as the argument and with --project\n'],
    // Node's own recursive mkdir never returns from there.
    ['init /proc/none/of', /^svcgen: \/proc.*: the folder cannot be made: .*\n$/],
    // Node 20 refuses to look into a file, later ones to make a folder there.
    [
      'init a.txt/b',
      /^svcgen: .*a.txt(?:\/b: not a directory|: the folder cannot be made: file already exists)\n$/,
      { 'a.txt': '' },
    ],
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

/** Every command with all of its arguments and the options that it demands, such as `client --out x`. */
function commandLines(command: Command, words: string[]): string[] {
  if (command.commands.length > 0)
    return command.commands.flatMap((each) => commandLines(each, [...words, each.name()]));
  const demanded = command.options.filter(({ mandatory }) => mandatory);
  const given = demanded.flatMap(({ long }) => [long, 'x']);
  return [[...words, ...given, ...command.registeredArguments.map(() => 'x')].join(' ')];
}
const program = new Command();
describeCommands(program, () => () => Promise.reject(new Error('it runs')));

describe.each(commandLines(program, []))('svcgen %s refuses what it does not know', (argv) => {
  test.each([
    ['--unknown-option', "unknown option '--unknown-option'"],
    ['surplus', 'too many arguments'],
  ])('%s', async (more, message) => {
    given({ 'project.yaml': project });
    const before = tree();
    const { exit, out, err } = await svcgen(`${argv} ${more}`);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(`svcgen: ${message}`);
    const json = await svcgen(`${argv} ${more} --json`);
    expect(json.exit).toBe(2);
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      problems: [{ message: expect.stringContaining(message) }],
    });
    expect(tree()).toEqual(before);
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
    const { version } = JSON.parse(fs.readFileSync(path.join(__dirname, '../..', 'package.json'), 'utf8'));
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
    expect(err).toMatch(
      /^svcgen: \d+ created\nnext:\n {2}cd 'My-Größe'\n {2}svcgen add kind <Kind> .*\n {2}svcgen generate .*--watch.*\n {2}npm install\n {2}npm start .*npm run dev.*\n$/,
    );
    expect(read('My-Größe/project.yaml')).toMatch(/^name: my-gro-e$/m);
    expect(await svcgen('generate --check', { folder: 'My-Größe/src' })).toMatchObject({ exit: 0, out: '' });
  });

  test('prints a command that enters a folder whose name starts with a dash', async () => {
    expect((await svcgen('init --yes -- -x')).err).toContain('\n  cd ./-x\n');
  });

  test('makes a project without kinds, in which nothing can be converted', async () => {
    await svcgen('init --yes bare');
    expect(await svcgen('convert --kind Device --from v1 --to v1', { folder: 'bare' })).toEqual({
      exit: 2,
      out: '',
      err: 'svcgen: project.yaml has no kinds yet\n  hint: svcgen add kind adds one\n',
    });
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
    expect(err).toContain('svcgen: package.json already existed and was not changed\n');
    expect(read('package.json')).toBe('{}');
  });

  test('says what a package.json lacks that is there', async () => {
    await svcgen('init --name shop other');
    const whole = JSON.parse(read('other/package.json')) as Manifest;
    given({ 'package.json': '{ "scripts": { "test": "mocha" }, "dependencies": { "express": "5" } }' });
    const { err } = await svcgen('init --name shop');
    runNotes(err);
    const { scripts, bin } = JSON.parse(read('package.json')) as Manifest;
    expect({ scripts, bin }).toEqual({ bin: whole.bin, scripts: { ...whole.scripts, test: 'mocha' } });
    const { express, ...packages } = whole.dependencies;
    expect(express).toBeDefined();
    // The || of a range is an operator of the shell unless it is quoted.
    const ranges = (all: object): string =>
      Object.entries(all)
        .map(([name, range]) => (name === 'typescript' ? `"${name}@${range}"` : `${name}@${range}`))
        .join(' ');
    expect(err).toContain(`run npm install ${ranges(packages)}\n`);
    expect(err).toContain(`run npm install -D ${ranges(whole.devDependencies)}\n`);
  });

  test('says that a package of a package.json has an earlier major version', async () => {
    const dependencies = { express: '^4.18.0', pg: '>=7', pino: '8 || 10', ajv: 'latest' };
    const devDependencies = { typescript: '^5.9.3', jest: 'npm:jest@28' };
    given({ 'package.json': JSON.stringify({ dependencies, devDependencies }) });
    const { err } = await svcgen('init --name shop');
    expect(err).toMatch(/run npm install .*\bexpress@\^5/);
    expect(err).toMatch(/run npm install -D .*"typescript@~/);
    expect(err).not.toMatch(/ (pg|pino|ajv|jest)@/);
  });

  test('says that a package.json has another type of modules than the build', async () => {
    const notice =
      'svcgen: package.json says "type": "module", but the build makes CommonJS: run npm pkg set type=commonjs';
    await svcgen('init --name shop other');
    given({ 'package.json': read('other/package.json').replace('"commonjs"', '"module"') });
    expect((await svcgen('init --name shop')).err).toContain(notice);
    expect((await svcgen('init --name shop other2')).err).not.toContain(notice);
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
    expect(err).toMatch(
      /^svcgen: added kind Room to project.yaml; edit its fields, then run svcgen generate\nsvcgen: v1 is stable: .*--force=compatible.*\n$/,
    );
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

  test.each([
    ['v2', 'svcgen: data is still stored in v1; svcgen add version v2 --storage stores it in v2\n'],
    ['v2beta2', ''],
    ['v2 --storage', ''],
  ])('version %s says where data is stored if that is an earlier version', async (argv, note) => {
    const { err } = await svcgen(`add version ${argv}`);
    expect(err.replace(/^svcgen: .*run svcgen generate.*\n/, '')).toBe(note);
  });

  test('version warns of unstable storage, unless told', async () => {
    expect((await svcgen('add version v2alpha1 --storage')).err).toContain('stored data now uses v2alpha1');
    expect((await svcgen('add version v2alpha2 --storage --force')).err).not.toContain('stored data now');
    expect(read('project.yaml')).toContain('storageVersion: v2alpha2\n');
  });

  test.each(['v2 --storage', 'v3 --from v2 --storage'])(
    'version %s names defaults that its rules supplied',
    async (argv) => {
      given({
        'project.yaml': `name: shop
groups:
  - storageVersion: v1
    versions: [v1, v2]
    kinds:
      - name: Device
        versions:
          v1: { spec: { name: string } }
          v2:
            spec: { name: string, mode: string, tone: string }
            conversion:
              - default: { spoke: spec.mode, value: safe }
              - drop: { spoke: spec.tone }
`,
      });
      const { exit, err } = await svcgen(`add version ${argv}`);
      const [name] = argv.split(' ');
      expect(exit).toBe(0);
      expect(err.split('\n').slice(1, -1)).toEqual([
        `svcgen: Device: the rule default of spec.mode now applies to other versions only; give the field a default in ${name} if clients of ${name} leave it out`,
      ]);
    },
  );

  test('kind in an unstable version says nothing of stable ones', async () => {
    given({ 'project.yaml': 'name: shop\ngroups: [{ versions: [v1alpha1] }]\n' });
    expect((await svcgen('add kind Room')).err).toBe(
      'svcgen: added kind Room to project.yaml; edit its fields, then run svcgen generate\n',
    );
  });

  test('kind makes the first group', async () => {
    given({ 'project.yaml': 'name: shop\ngroups:\n' });
    expect(await svcgen('add kind A')).toMatchObject({ exit: 0 });
    expect(read('project.yaml')).toContain('- name: example.svc.dev\n');
  });

  test.each(['kind Room', 'version v2'])('%s writes nothing that svcgen does not read', async (argv) => {
    const full = (left: number) => `${project}#${'x'.repeat(256 * 1024 - project.length - 2 - left)}\n`;
    given({ 'project.yaml': full(10) });
    expect(await svcgen(`add ${argv}`)).toMatchObject({
      exit: 2,
      err: expect.stringContaining('project.yaml would be larger than 256 KiB'),
    });
    expect(read('project.yaml')).toBe(full(10));
    given({ 'project.yaml': full(1000) });
    expect(await svcgen(`add ${argv}`)).toMatchObject({ exit: 0 });
    expect(await svcgen('generate --dry-run')).toMatchObject({ exit: 0 });
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
    given({ [routes]: read(routes).replace(first, `${first} edited`) });
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
      'svcgen: src/kinds/example.svc.dev/device.ts is yours and was not deleted, although its kind no longer exists\n',
    );
    expect(exists('src/kinds/example.svc.dev/device.ts')).toBe(true);
    expect(exists('src/generated/kinds')).toBe(false);
  });

  test('a defect is exit 70 with its stack', async () => {
    given({ 'project.yaml': `${project}# of another time\n` });
    jest.spyOn(renderer, 'render').mockImplementation(() => {
      throw new TypeError('oops');
    });
    const { exit, out, err } = await svcgen('generate');
    const json = await svcgen('generate --json');
    jest.restoreAllMocks();
    expect({ exit, out }).toEqual({ exit: 70, out: '' });
    expect(err).toMatch(/^TypeError: oops\n +at [^]*svcgen: a defect in svcgen: oops\n/);
    expect(json).toMatchObject({ exit: 70, err: expect.stringMatching(/^TypeError: oops\n +at /) });
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      problems: [{ message: 'a defect in svcgen: oops' }],
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
        // As another branch of git without the folder, and back.
        io.err = '';
        fs.rmSync(path.join(root, 'types'), { recursive: true });
        await io.until(/does not exist[^]*watching/);
        await next({ 'types/common.yaml': types.replace('width', 'depth') }, /updated[^]*watching/);
        await next({ 'types/common.yaml': types.replace('width', 'length') }, /updated[^]*watching/);
      } finally {
        io.emit(signal);
      }
      expect(await ended).toBe(0);
      expect(io.listenerCount(signal)).toBe(0);
    },
  );
});

test('--watch --json writes a line for every run, and none at its end', async () => {
  given({ 'project.yaml': project });
  const io = new Terminal(root);
  const ended = run(['generate', '--watch', '--json'], io);
  await io.until(/\n/, 'out');
  io.emit('SIGTERM');
  expect(await ended).toBe(0);
  expect(io.out.trimEnd().split('\n')).toEqual([expect.stringMatching(/^\{"ok":true,"files":\[\{/)]);
});

describe('changes of a stable version', () => {
  const optional = `${project}              size: integer\n`;
  const breaking = optional.replace('name: { type: string, rules: [required] }', 'name: integer');
  const added = 'Device in example.svc.dev/v1: spec.size: a field was added (compatible)';
  const lock = 'svcgen.lock';

  beforeEach(async () => {
    given({ 'project.yaml': project });
    await svcgen('generate');
  });

  test.each<[string, string, string]>([
    ['compatible', optional, 'svcgen generate --force=compatible'],
    ['breaking', breaking, 'svcgen generate --force'],
  ])(
    '%s: refused without a terminal, and the next command is in the message',
    async (_class, text, command) => {
      given({ 'project.yaml': text });
      for (const argv of ['generate', 'generate --check', 'generate --dry-run']) {
        const { exit, err } = await svcgen(argv);
        expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining(added) });
        expect(err).toContain(`acknowledge with "${command}", or revert the change`);
        expect(err).toContain('"svcgen add version v3"');
      }
      const { exit } = await svcgen(command.replace('svcgen ', ''));
      expect(exit).toBe(0);
      expect(await svcgen('generate --check')).toMatchObject({ exit: 0 });
    },
  );

  test('--force=compatible refuses breaking ones, and names them alone', async () => {
    given({ 'project.yaml': breaking });
    const { exit, err } = await svcgen('generate --force=compatible');
    expect(exit).toBe(2);
    expect(err).toContain('the type changed from string to integer (breaking');
    expect(err).not.toContain(added);
    expect(read(lock)).not.toContain('size');
  });

  test.each([
    ['generate --force extra', /^svcgen: option '--force \[changes\]' argument 'extra' is invalid/],
    ['generate --force=nothing', /Allowed choices are all, compatible/],
    [
      'generate --force --force=compatible',
      /^svcgen: --force=all and --force=compatible contradict each other\n  hint: choose one of the two; --force without a value acknowledges all changes\n$/,
    ],
    ['generate --force=', /argument '' is invalid/],
  ])('svcgen %s: exit 2', async (argv, message) => {
    given({ 'project.yaml': optional });
    expect(await svcgen(argv)).toMatchObject({ exit: 2, err: expect.stringMatching(message) });
    expect(read(lock)).not.toContain('size');
  });

  test('--force in front of another option is all', async () => {
    given({ 'project.yaml': breaking });
    expect(await svcgen('generate --force --project .')).toMatchObject({ exit: 0 });
  });

  test.each([
    ['CI', ['generate'], { CI: 'true' }],
    ['--json', ['generate', '--json'], {}],
    ['--check', ['generate', '--check'], {}],
    ['--dry-run', ['generate', '--dry-run'], {}],
    ['--force=compatible', ['generate', '--force=compatible'], {}],
  ])('asks nothing on a terminal with %s', async (_what, argv, env) => {
    given({ 'project.yaml': breaking });
    expect(await run(argv, new Terminal(root, true, env))).toBe(2);
  });

  test('--watch without a terminal says the next command and goes on', async () => {
    const io = new Terminal(root);
    const ended = run(['generate', '--watch'], io);
    try {
      await io.until(/watching project.yaml\n/);
      io.err = '';
      given({ 'project.yaml': optional });
      await io.until(/--force=compatible[^]*watching project.yaml\n/);
      io.err = '';
      given({ 'project.yaml': `${project}# as before\n` });
      await io.until(/unchanged\n[^]*watching project.yaml\n/);
      io.err = '';
      const sound = read(lock);
      given({ [lock]: `<<<<<<< HEAD\n${sound}` });
      await io.until(/svcgen.lock:1:1: this file has a merge conflict[^]*watching project.yaml\n/);
      io.err = '';
      given({ [lock]: sound });
      await io.until(/unchanged\n[^]*watching project.yaml\n/);
    } finally {
      io.emit('SIGINT');
    }
    expect(await ended).toBe(0);
  });
});

describe('files that a repository may hold', () => {
  const outside = () => fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen outside-'));
  const pipe = (name: string) => execFileSync('mkfifo', [path.join(root, name)]);
  const replace = (name: string, make: () => void) => {
    fs.rmSync(path.join(root, name), { force: true });
    make();
  };
  beforeEach(async () => {
    given({ 'project.yaml': project });
    await svcgen('generate');
  });

  test.each<[string, (name: string) => void, string]>([
    ['a pipe', pipe, 'is not a regular file'],
    ['a device', (name) => fs.symlinkSync('/dev/zero', path.join(root, name)), 'is not a regular file'],
    ['a folder', (name) => fs.mkdirSync(path.join(root, name)), 'is not a regular file'],
    ['too large', (name) => fs.truncateSync(path.join(root, name), 2 ** 30), 'is larger than'],
    ['no UTF-8', (name) => fs.writeFileSync(path.join(root, name), Buffer.of(0xff)), 'is not UTF-8 text'],
    [
      'a link that leaves the project',
      (name) => {
        const secret = path.join(outside(), 'secret');
        fs.writeFileSync(secret, 's3cr3t: [');
        fs.symlinkSync(secret, path.join(root, name));
      },
      'leaves the project folder',
    ],
  ])('%s is a problem of project.yaml and of svcgen.lock', async (what, make, message) => {
    for (const name of ['svcgen.lock', 'project.yaml']) {
      replace(name, () => {
        if (what === 'too large') given({ [name]: '' });
        make(name);
      });
      for (const argv of ['generate', 'generate --check', 'generate --dry-run --diff']) {
        const { exit, out, err } = await svcgen(argv);
        expect({ exit, out }).toEqual({ exit: 2, out: '' });
        expect(err).toContain(`${name}: ${message}`);
        expect(err).not.toContain('s3cr3t');
      }
    }
    expect(await svcgen('add kind Other')).toMatchObject({ exit: 2 });
  });

  test.each(['.svcgen/lock', '.svcgen/cache', 'package.json', 'src/generated/openapi.json'])(
    'a pipe in the place of %s is not waited for',
    async (name) => {
      replace(name, () => pipe(name));
      const { exit } = await svcgen('generate');
      expect([0, 2]).toContain(exit);
    },
  );

  test('a large file in the place of a generated one is replaced', async () => {
    fs.truncateSync(path.join(root, 'src/generated/routes.ts'), 2 ** 32);
    expect(await svcgen('generate --check --diff')).toMatchObject({ exit: 1 });
    expect(await svcgen('generate')).toMatchObject({ exit: 0 });
    expect(read('src/generated/routes.ts')).toContain('DO NOT EDIT');
  });
});

describe('what a feature needs and package.json lacks', () => {
  test('NATS: says what to install', async () => {
    given({ 'project.yaml': project });
    await svcgen('generate');
    expect(read('package.json')).not.toContain('nats');
    given({ 'project.yaml': project.replace('groups:', 'events: { nats: true }\ngroups:') });
    expect(await svcgen('generate')).toMatchObject({
      exit: 0,
      err: expect.stringMatching(
        /^svcgen: package.json lacks @nats-io\/jetstream, .*: run npm install @nats-io\/jetstream@\S+$/m,
      ),
    });
    expect(read('src/generated/service.ts')).toContain('natsSink');
    expect(exists('src/generated/runtime/events/nats/nats-sink.ts')).toBe(true);
    given({ 'project.yaml': project.replace('groups:', 'events: true\ngroups:') });
    expect((await svcgen('generate')).err).not.toContain('lacks @nats-io');
    expect(exists('src/generated/runtime/events/nats/nats-sink.ts')).toBe(false);
  });
});

test.each([
  ['with a merge conflict', '<<<<<<< HEAD\n{}\n', 'has a merge conflict, .*: edit the lines'],
  ['that is no JSON', '{', 'is not JSON, .*: npm pkg get name'],
])('a package.json %s: generate says that it is not checked', async (_what, text, message) => {
  given({ 'project.yaml': project, 'package.json': text });
  const { exit, err } = await svcgen('generate');
  expect(exit).toBe(0);
  expect(err).toMatch(new RegExp(`^svcgen: package.json ${message}`, 'm'));
});

describe('commands of a feature', () => {
  const line =
    'svcgen: package.json lacks the command kubeconfig, which kubernetes: true needs: run npm pkg set "scripts[prekubeconfig]=npm run --silent build" "scripts[kubeconfig]=node --enable-source-maps dist/generated/kubeconfig.js"';
  const withFeature = project.replace('groups:', 'events: true\nkubernetes: true\ngroups:');

  test('are in the package.json of a new project that has it', async () => {
    given({ 'project.yaml': withFeature });
    expect((await svcgen('generate')).err).not.toContain('lacks');
    expect(read('package.json')).toContain('"kubeconfig"');
  });

  test('are named by every generate until package.json has them', async () => {
    given({ 'project.yaml': project });
    await svcgen('generate');
    expect(read('package.json')).not.toContain('kubeconfig');
    given({ 'project.yaml': withFeature });
    // Unique names are a breaking change of v1.
    expect((await svcgen('generate --force')).err).toContain(line);
    expect((await svcgen('generate')).err).toContain(line);
    const manifest = JSON.parse(read('package.json')) as { scripts: object };
    Object.assign(manifest.scripts, { prekubeconfig: '', kubeconfig: 'mine' });
    given({ 'package.json': JSON.stringify(manifest) });
    expect((await svcgen('generate')).err).not.toContain('the command');
  });

  test('the command line is one of them', async () => {
    given({ 'project.yaml': project.replace('groups:', 'ctl: false\ngroups:') });
    await svcgen('generate');
    expect(read('package.json')).not.toContain('"bin"');
    given({ 'project.yaml': project });
    const { err } = await svcgen('generate');
    expect(err).toContain('package.json lacks the command shopctl, which ctl needs: run npm pkg set');
    expect(err).toContain('package.json lacks yaml, which ctl needs: run npm install yaml@');
    runNotes(err);
    expect(JSON.parse(read('package.json'))).toMatchObject({ bin: { shopctl: 'dist/generated/ctl.js' } });
    expect((await svcgen('generate')).err).not.toContain('the command');
  });
});

test('groups may be named like files that svcgen writes', async () => {
  const names = ['ctl.ts', 'copy-store.ts', 'migrate-storage.ts', 'service.test.ts'];
  const [, group] = project.split('groups:\n');
  const groups = names.map((name) => group.replace('example.svc.dev', name)).join('');
  given({ 'project.yaml': `name: shop\ngroups:\n${groups}` });
  expect(await svcgen('generate')).toMatchObject({ exit: 0 });
  expect(await svcgen('generate --check')).toMatchObject({ exit: 0 });
});

test('a field that one version alone has is noted once', async () => {
  const two = (more = '') =>
    `${project}              place: string\n          v2beta1: { spec: { name: string } }\n${more}`;
  const note = 'Device: `spec.place` is in v1, not in v2beta1';
  given({ 'project.yaml': two() });
  expect((await svcgen('generate --dry-run')).err).toContain(note);
  expect((await svcgen('generate')).err).toContain(note);
  given({ 'project.yaml': two('# more\n') });
  for (const argv of ['generate --check', 'generate', 'generate', 'generate --force'])
    expect((await svcgen(argv)).err).not.toContain(note);
});

test('a current folder that was removed is a problem of the user', () => {
  const bin = path.join(__dirname, '../../bin/svcgen.js');
  const line = 'mkdir gone && cd gone && rmdir ../gone && "$1" "$2" generate';
  const { status, stderr } = spawnSync('bash', ['-c', line, 'bash', process.execPath, bin], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'svcgen: the current folder was removed\n  hint: change to another one\n',
  });
});

describe('stdout that cannot be written', () => {
  const bin = path.join(__dirname, '../../bin/svcgen.js');
  const shell = (line: string) => {
    const { status, stderr } = spawnSync('bash', ['-c', line, 'bash', process.execPath, bin], { cwd: root });
    return { status, stderr: stderr.toString() };
  };

  test('a full disk: exit 2, in one line', () => {
    expect(shell('"$1" "$2" --help > /dev/full')).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^svcgen: cannot write to stdout: ENOSPC.*\n$/),
    });
    expect(shell('"$1" "$2" generate --json > /dev/full')).toMatchObject({ status: 2 });
  });

  test('a reader that is gone, and streams that are closed: nothing is said', () => {
    expect(shell('set -o pipefail; "$1" "$2" --help | true')).toEqual({ status: 0, stderr: '' });
    expect(shell('"$1" "$2" --help >&-')).toEqual({ status: 0, stderr: '' });
    expect(shell('"$1" "$2" nonsense 2> /dev/full')).toEqual({ status: 2, stderr: '' });
  });
});
