import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { generate } from '../../src/generate/generate';
import type { Generation } from '../../src/generate/pipeline';
import { loadProject } from '../../src/load/load-project';
import { ProjectError } from '../../src/model/problem';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';
import { Progress } from '../../src/terminal/io';
import { CACHE_FILE } from '../../src/write/tree-plan';
import { REGISTER } from '../support/compiled';
import { Terminal } from '../support/terminal';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen cache ü-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

const at = (name: string): string => path.join(folder, name);
const read = (name: string): string => fs.readFileSync(at(name), 'utf8');

function given(name: string, text: string | Buffer): void {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
}

/** A progress that notes the files that are rendered. */
class Noted extends Progress {
  readonly rendered: string[] = [];

  constructor() {
    super({ io: new Terminal(folder), json: true });
  }

  override step(text: string): void {
    const [, name] = /^rendering (.*)$/.exec(text) ?? [];
    if (name !== undefined) this.rendered.push(name);
  }
}

async function run(write = true): Promise<Generation & { rendered: string[] }> {
  const progress = new Noted();
  const generation = await generate(folder, { write, isAcknowledged: () => true, progress });
  return { ...generation, rendered: progress.rendered };
}

/** Returns the expected content of svcgen's folders, generated from nothing. */
function fresh(): { [name: string]: string } {
  const files = render(plannedProject(loadProject(folder).project));
  return Object.fromEntries(
    files.filter(({ owner }) => owner === 'svcgen').map(({ path, text }) => [path, text]),
  );
}

/** Returns the content of svcgen's folders. */
function found(): { [name: string]: string } {
  const owned = ['src/generated', 'test/generated', '.svcgen'].flatMap((name) =>
    fs
      .readdirSync(at(name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name))),
  );
  const names = [...owned.filter((name) => name !== CACHE_FILE), 'svcgen.lock'].sort();
  return Object.fromEntries(names.map((name) => [name, read(name)]));
}

const PROJECT = `name: shop
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v2beta1]
    imports: [types.yaml]
    kinds:
      - name: Device
        versions:
          v1: { spec: { name: string, place: Place } }
          v2beta1: { spec: { name: string } }
      - name: Room
        versions:
          v1: { spec: { name: string } }
`;
const TYPES = 'types: { Place: { name: string } }\n';
const DEVICE = 'src/generated/kinds/example.svc.dev/device/v1.ts';

describe('a second run', () => {
  beforeEach(async () => {
    given('project.yaml', PROJECT);
    given('types.yaml', TYPES);
    await run();
  });

  const actions = ({ changes }: Generation): string[] =>
    changes.filter(({ action }) => action !== 'unchanged').map(({ action, path }) => `${action} ${path}`);

  test('renders nothing, and repeats no notice', async () => {
    const { rendered, warnings, notices, ...again } = await run();
    expect([rendered, actions({ warnings, notices, ...again }), warnings]).toEqual([[], [], []]);
    expect(notices).toEqual([]);
  });

  test('repeats no notice in a checkout, which has no cache', async () => {
    fs.rmSync(at(CACHE_FILE));
    expect((await run(false)).notices).toEqual([]);
    expect((await run()).notices).toEqual([]);
  });

  test('parses nothing: neither the parser of YAML nor the validator of schemas is loaded', () => {
    const start = `require('./src/cli/run').run(['generate', '--project', process.argv[1]], process)
      .then(() => console.log(Object.keys(require.cache).filter((file) => /node_modules.(yaml|ajv)./.test(file)).length))`;
    const args = ['--require', REGISTER, '-e', start, folder];
    const { stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: path.join(__dirname, '..', '..'),
      encoding: 'utf8',
    });
    expect([stdout, stderr]).toEqual(['0\n', expect.stringMatching(/^svcgen: \d+ unchanged\n$/)]);
  });

  test('renders the kind that changed, and what all kinds are in', async () => {
    given(
      'project.yaml',
      PROJECT.replace('v1: { spec: { name: string } }', 'v1: { spec: { size: integer } }'),
    );
    const { rendered, notices } = await run();
    expect(notices).toEqual([]);
    expect(rendered.filter((name) => name.includes('/device/') || name.includes('/runtime/'))).toEqual([]);
    expect(rendered).toContain('src/generated/kinds/example.svc.dev/room/v1.validate.ts');
    expect(rendered).toContain('src/generated/openapi.json');
    expect(found()).toEqual(fresh());
  });

  test('tells what is wrong with a kind that did not change, and with the one that did', async () => {
    given('types.yaml', TYPES.replace('Place', 'Address'));
    await expect(run()).rejects.toMatchObject({
      problems: [{ message: 'unknown type "Place"', line: 10, column: 46 }],
    });
    given('types.yaml', TYPES);
    given(
      'project.yaml',
      PROJECT.replace('v1: { spec: { name: string } }', 'v1: { spec: { name: strong } }'),
    );
    await expect(run()).rejects.toMatchObject({
      problems: [{ message: 'unknown type "strong"', line: 14, column: 31 }],
    });
  });

  test.each<[what: string, change: () => void, want: string[]]>([
    ['an import', () => given('types.yaml', TYPES.replace('string', 'integer')), [`update ${DEVICE}`]],
    ['a generated file', () => given(DEVICE, read(DEVICE).replace('string', 'number')), [`update ${DEVICE}`]],
    ['a generated file that is gone', () => fs.rmSync(at(DEVICE)), [`create ${DEVICE}`]],
    ["a user's file that is gone", () => fs.rmSync(at('src/app.ts')), ['create src/app.ts']],
    ['a file that is too much', () => given(`${DEVICE}x`, read(DEVICE)), [`delete ${DEVICE}x`]],
    [
      'svcgen.lock',
      () => given('svcgen.lock', read('svcgen.lock').replace('Room', 'Hall')),
      ['update svcgen.lock'],
    ],
  ])('sees %s', async (_, change, want) => {
    change();
    expect(actions(await run())).toEqual(expect.arrayContaining(want));
    expect(found()).toEqual(fresh());
    expect(actions(await run(false))).toEqual([]);
  });

  test.each<[what: string, damage: (cache: string) => void]>([
    ['is cut short', (cache) => given(CACHE_FILE, cache.slice(0, -7))],
    ['is empty', () => given(CACHE_FILE, '')],
    ['is of another svcgen', (cache) => given(CACHE_FILE, cache.replace(/\n.*\n/, `\n${'A'.repeat(43)}=\n`))],
    [
      'says something else',
      (cache) => given(CACHE_FILE, cache.replace('runtime/serve.ts', 'runtime/save.ts')),
    ],
    ['is gone', () => fs.rmSync(at(CACHE_FILE))],
  ])('makes no use of a cache that %s, and mends it', async (_, damage) => {
    const whole = read(CACHE_FILE);
    damage(whole);
    const { rendered } = await run();
    expect(rendered).toContain(DEVICE);
    expect(read(CACHE_FILE)).toBe(whole);
    expect(found()).toEqual(fresh());
  });

  test('to compare makes no use of the cache, and leaves it as it is', async () => {
    const before = read(CACHE_FILE);
    given('project.yaml', PROJECT.replace('shop', 'store'));
    const { rendered } = await run(false);
    expect(rendered).toContain(DEVICE);
    expect(read(CACHE_FILE)).toBe(before);
  });

  test('a cache of another project changes nothing', async () => {
    const other = read(CACHE_FILE);
    given('project.yaml', PROJECT.replaceAll('Room', 'Hall').replace('name: string, ', ''));
    await run();
    given(CACHE_FILE, other);
    await run();
    expect(found()).toEqual(fresh());
  });

  test('a cache that is a link is in the way', async () => {
    const whole = read(CACHE_FILE);
    fs.renameSync(at(CACHE_FILE), at('cache'));
    fs.symlinkSync('../cache', at(CACHE_FILE));
    await expect(run()).rejects.toThrow('is a symbolic link; svcgen does not write through it');
    expect(read('cache')).toBe(whole);
  });
});

test('two at once leave what one leaves', async () => {
  given('project.yaml', PROJECT);
  given('types.yaml', TYPES);
  const start = `require('./src/cli/run').run(['generate', '--project', process.argv[1]], process)`;
  const another = () =>
    promisify(execFile)(process.execPath, ['--require', REGISTER, '-e', start, folder], {
      cwd: path.join(__dirname, '..', '..'),
    });
  await Promise.all([another(), another(), another()]);
  expect(found()).toEqual(fresh());
  expect(fs.readdirSync(at('.svcgen')).sort()).toEqual(['.gitignore', 'cache', 'project.schema.json']);
});

test.each<[string, string, string]>([
  ['project.yaml', 'project.yaml', PROJECT.replace('name: shop', 'name: store')],
  ['an import', 'types.yaml', TYPES.replace('name', 'title')],
  ['project.yaml, with a mistake', 'project.yaml', 'name: ['],
])('a run during which somebody changes %s does not write what it was before', async (_what, name, text) => {
  given('project.yaml', PROJECT.replace('name: shop', 'name: first'));
  given('types.yaml', TYPES);
  await run();
  const before = found();
  given('project.yaml', PROJECT);
  const progress = new Noted();
  const step = jest.spyOn(progress, 'step').mockImplementation((what) => {
    if (what === 'writing') given(name, text);
  });
  const outcome = generate(folder, { write: true, isAcknowledged: () => true, progress });
  await outcome.catch((error: unknown) => expect(error).toBeInstanceOf(ProjectError));
  expect(step.mock.calls.filter(([what]) => what === 'writing')).toHaveLength(text === 'name: [' ? 1 : 2);
  expect(found()).toEqual(text === 'name: [' ? before : fresh());
});

describe('after any edits the files are those of a run from nothing', () => {
  const names = fc.constantFrom('Device', 'Room', 'Sensor');
  const field = fc.constantFrom(
    'string',
    'integer',
    'Place',
    '{ type: string, rules: [max=9] }',
    'timestamp',
  );
  const kinds = fc.uniqueArray(fc.record({ name: names, hub: field, spoke: fc.boolean() }), {
    selector: ({ name }) => name,
    minLength: 1,
  });
  const place = fc.constantFrom('string', 'integer');
  const project = fc.record({ kinds, place, events: fc.boolean() });
  const picked = fc.nat();
  const edits = fc.array(
    fc.oneof(
      { weight: 4, arbitrary: project.map((value) => () => writeProject(value)) },
      { weight: 1, arbitrary: picked.map((pick) => () => tamper(pick, (text) => `${text}// mine\n`)) },
      { weight: 1, arbitrary: picked.map((pick) => () => tamper(pick, (text) => text.replace('e', 'o'))) },
      { weight: 1, arbitrary: picked.map((pick) => () => tamper(pick, () => undefined)) },
      { weight: 1, arbitrary: picked.map((pick) => () => damageCache(pick)) },
    ),
    { minLength: 2, maxLength: 5 },
  );

  function writeProject({ kinds, place, events }: { kinds: Kind[]; place: string; events: boolean }): void {
    const text = kinds.map(({ name, hub, spoke }) => {
      const version = (own: string) => `{ spec: { name: string, own: ${own} } }`;
      const more = spoke ? `\n          v2beta1: ${version(hub)}` : '';
      return `      - name: ${name}\n        versions:\n          v1: ${version(hub)}${more}\n`;
    });
    const head = PROJECT.slice(0, PROJECT.indexOf('      - name')).replace(
      'groups',
      `events: ${events}\ngroups`,
    );
    given('project.yaml', head + text.join(''));
    given('types.yaml', TYPES.replace('string', place));
  }

  type Kind = { name: string; hub: string; spoke: boolean };

  /** Changes one of svcgen's files, or removes it. */
  function tamper(pick: number, change: (text: string) => string | undefined): void {
    const all = Object.keys(found());
    const name = all.filter((each) => each !== 'svcgen.lock')[pick % (all.length - 1)];
    const text = change(read(name));
    if (text === undefined) fs.rmSync(at(name));
    else given(name, text);
  }

  function damageCache(pick: number): void {
    const bytes = fs.readFileSync(at(CACHE_FILE));
    bytes[pick % bytes.length] ^= 1;
    given(CACHE_FILE, bytes);
  }

  test('in any order', async () => {
    await fc.assert(
      fc.asyncProperty(project, edits, async (first, changes) => {
        writeProject(first);
        await run();
        for (const change of changes) {
          change();
          await run();
          expect(found()).toEqual(fresh());
        }
      }),
      { numRuns: Number(process.env['EDIT_RUNS'] ?? 3) },
    );
  });
});
