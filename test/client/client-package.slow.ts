import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import ts from 'typescript';
import { run } from '../../src/cli/run';
import { loadProject } from '../../src/load/load-project';
import { startService, type TestService } from '../runtime/support/harness';
import { Terminal } from '../support/terminal';

// `svcgen client`: the package in a folder with nothing else installed, compiled against and run against a service.

const ROOT = join(__dirname, '../..');
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'client-package-'))));
afterEach(() => rmSync(folder, { recursive: true }));

async function svcgen(...args: string[]): Promise<{ exit: number; out: string; err: string }> {
  const terminal = new Terminal(folder);
  const exit = await run(['client', ...args], terminal);
  return { exit, out: terminal.out, err: terminal.err };
}

/** Compiles a program in the folder as a user's project does; returns what the compiler says. */
function compile(file: string, options: ts.CompilerOptions = {}): string[] {
  const program = ts.createProgram([join(folder, file)], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    outDir: join(folder, 'out'),
    ...options,
  });
  program.emit();
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ messageText, file }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

const PROGRAM = `
import { createClient, mergePatch, ApiError, type DeviceV1, type DeviceV2beta1Spec } from '@example/devices';

async function main(): Promise<void> {
  const client = createClient({ baseUrl: process.argv[2]! });
  const device: DeviceV1 = await client.devices.create({ spec: { name: 'lamp', location: 'hall' } });
  const { uid } = device.metadata;
  await client.devices.update(uid, ({ spec }) => { spec.location = 'attic'; });
  const spoke: DeviceV2beta1Spec = (await client.apis['example.svc.dev'].v2beta1.devices.get(uid)).spec;
  // @ts-expect-error there is no such field
  await client.devices.patch(uid, mergePatch({ spec: { place: 'x' } })).catch((error: unknown) => {
    console.log(spoke.site, error instanceof ApiError && error.status);
  });
  for await (const { data } of client.events({ lastEventId: '0' })) {
    console.log(data.resourceKind, data.action);
    break;
  }
}
void main();
declare const process: { argv: string[] };
`;

describe('the package of the demo', () => {
  let service: TestService;
  beforeAll(async () => {
    const { project } = loadProject(join(ROOT, 'examples/device-service'));
    service = await startService(project, { environment: { EVENTS_POLL_MS: '5' } });
  });
  afterAll(() => service.close());

  test.each(['mts', 'cts'])('a program of the type %s compiles and runs with it alone', async (type) => {
    const project = join(ROOT, 'examples/device-service');
    const out = join('node_modules', '@example', 'devices');
    const made = await svcgen('--project', project, '--out', out, '--name', '@example/devices');
    expect(made).toMatchObject({
      exit: 0,
      out: '',
      err: expect.stringContaining('@example/devices') as string,
    });
    writeFileSync(join(folder, `main.${type}`), PROGRAM);
    expect(compile(`main.${type}`)).toEqual([]);
    const main = join(folder, 'out', `main.${type.replace('ts', 'js')}`);
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      '--no-warnings',
      main,
      service.url,
    ]);
    expect([stdout, stderr]).toEqual(['attic 400\nDevice created\n', '']);
  });
});

const LIBRARY = `
import { createClient, mergePatch } from 'all';
export const client = createClient({ baseUrl: '' });
export const { books, devices } = client;
export const stream = client.events({ version: 'shop.example.dev/v1beta1' });
export const patch = mergePatch<typeof client>({});
export const history = (uid: string) => devices.versions.list(uid);
export const snapshots = devices.versions;
`;

const MAIN = `
const all = require('all');
const { exports: { '.': { require: path } } } = require('./node_modules/all/package.json');
const names = Object.keys(require('./node_modules/all/' + path));
import('all').then(({ ApiError }) =>
  console.log(names.sort().join() === Object.keys(all).sort().join(), ApiError === all.ApiError));
`;

test('it holds nothing of the server, and no package, and libraries of all sorts can use it', async () => {
  const project = join(ROOT, 'fixtures/everything');
  const { exit, out } = await svcgen('--project', project, '--out', 'node_modules/all', '--json');
  expect(exit).toBe(0);
  const { package: made } = JSON.parse(out) as { package: { name: string; files: string[] } };
  expect(made.name).toBe('everything-client');
  const modules = made.files.filter((path) => path.endsWith('.js'));
  expect(modules.filter((path) => !/^dist\/(?:cjs\/)?(?:index|client\/[a-z-]+)\.js$/.test(path))).toEqual([]);
  const imports = made.files
    .filter((path) => path.startsWith('dist/'))
    .flatMap(
      (path) => ts.preProcessFile(readFileSync(join(folder, 'node_modules/all', path), 'utf8')).importedFiles,
    );
  expect(imports.filter(({ fileName }) => !/^\.\.?\/.*\.js$/.test(fileName))).toEqual([]);
  // Libraries whose own types are declared by those of the client.
  const { Bundler, Node16 } = ts.ModuleResolutionKind;
  writeFileSync(join(folder, 'library.ts'), LIBRARY);
  const bundled = { module: ts.ModuleKind.ESNext, moduleResolution: Bundler };
  expect(compile('library.ts', { ...bundled, declaration: true })).toEqual([]);
  writeFileSync(join(folder, 'library.cts'), LIBRARY);
  const common = { module: ts.ModuleKind.Node16, moduleResolution: Node16 };
  expect(compile('library.cts', { ...common, declaration: true })).toEqual([]);
  // Jest takes the modules for require; Node has one of each for both.
  writeFileSync(join(folder, 'main.cjs'), MAIN);
  const printed = execFileSync(process.execPath, ['--no-warnings', 'main.cjs'], { cwd: folder });
  expect(printed.toString()).toBe('true true\n');
});

/** Bundles a program of the folder for browsers; returns the bundle. */
async function bundled(source: string): Promise<string> {
  writeFileSync(join(folder, 'page.js'), source);
  const options = { bundle: true, minify: true, write: false, format: 'cjs', platform: 'browser' } as const;
  const { outputFiles } = await build({ ...options, entryPoints: [join(folder, 'page.js')] });
  return outputFiles[0].text;
}

test('a bundle has one copy of it, and only what is used', async () => {
  const project = join(ROOT, 'fixtures/minimal');
  await svcgen('--project', project, '--out', 'node_modules/devices');
  writeFileSync(join(folder, 'library.js'), "module.exports = require('devices').ApiError;");
  const both =
    "import { ApiError } from 'devices'; import error from './library'; export const one = ApiError === error;";
  const page = { exports: {} };
  new Function('module', await bundled(both))(page);
  expect(page.exports).toMatchObject({ one: true });
  const patches = await bundled(
    "import { mergePatch } from 'devices'; console.log(mergePatch({ spec: {} }));",
  );
  expect(patches.length).toBeLessThan(300);
});

describe('the folder', () => {
  const project = '--project';
  beforeEach(() => cpSync(join(ROOT, 'examples/device-service/project.yaml'), join(folder, 'project.yaml')));

  test('a package that was written before is replaced', async () => {
    await svcgen('--out', 'package');
    const stale = join(folder, 'package/dist/stale.js');
    writeFileSync(stale, '');
    expect((await svcgen('--out', 'package')).exit).toBe(0);
    expect(existsSync(stale)).toBe(false);
  });

  test('nothing is written through a link, and a working folder of an interrupted run is no obstacle', async () => {
    mkdirSync(join(folder, 'package/.svcgen/staging-1'), { recursive: true });
    expect((await svcgen('--out', 'package')).exit).toBe(0);
    expect(existsSync(join(folder, 'package/.svcgen'))).toBe(false);
    const [dist, outside] = [join(folder, 'package/dist'), join(folder, 'outside')];
    renameSync(dist, outside);
    symlinkSync(outside, dist);
    writeFileSync(join(outside, 'mine'), 'mine');
    const before = readdirSync(outside);
    const { exit, err } = await svcgen('--out', 'package');
    expect([exit, err]).toEqual([2, expect.stringMatching(/^dist: is a symbolic link/)]);
    expect(readdirSync(outside)).toEqual(before);
  });

  test('a package.json that is a pipe is not waited for', async () => {
    execFileSync('mkfifo', [join(folder, 'package.json')]);
    expect(await svcgen('--out', '.')).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/contains files that svcgen client did not write/) as string,
    });
  });

  test.each([
    ['other files', ['--out', '.'], /^svcgen: \. contains files that svcgen client did not write\n/],
    ['a file', ['--out', 'project.yaml'], /project\.yaml: not a directory/],
    ['no folder', [], /'--out <folder>' not specified/],
    ['no name of a package', ['--out', 'x', '--name', 'A b'], /"A b" is not a valid package name/],
    ['no project', ['--out', 'x', project, 'nowhere'], /no project\.yaml in /],
  ])('%s is refused, and nothing is written', async (_, args, message) => {
    mkdirSync(join(folder, 'nowhere'));
    const { exit, err } = await svcgen(...args);
    expect([exit, err]).toEqual([2, expect.stringMatching(message)]);
    expect(readdirSync(folder).sort()).toEqual(['nowhere', 'project.yaml']);
  });
});
