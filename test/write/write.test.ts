import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { GENERATED_HEADER, type OutputFile } from '../../src/files/ownership';
import { type Problem, ProjectError } from '../../src/model/problem';
import { CACHE_FILE, type FileChange, planTree } from '../../src/write/tree-plan';
import { unifiedDiff } from '../../src/write/unified-diff';
import { rewriteProject, writeTree } from '../../src/write/write';

const header = `// ${GENERATED_HEADER}\n`;
const routes: OutputFile = { path: 'src/generated/routes.ts', text: `${header}routes\n`, owner: 'svcgen' };
const device: OutputFile = {
  path: 'src/generated/a.dev/device/kind.ts',
  text: `${header}device\n`,
  owner: 'svcgen',
};
const app: OutputFile = { path: 'src/app.ts', text: 'app\n', owner: 'user' };
const all = [app, device, routes];

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen write ü-'));
});
afterEach(() => {
  fs.rmSync(root, { recursive: true, force: true });
});

/** Puts files into the project folder: path → text. */
function given(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
}

/** Everything below a folder: path → text; folders end with `/`. */
function tree(folder = root): Record<string, string> {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries.map((entry) => [path.join(entry.parentPath, entry.name), entry.isFile()] as const);
  return Object.fromEntries(
    names.map(([name, isFile]) => {
      const relative = path.relative(folder, name);
      return isFile ? [relative, fs.readFileSync(name, 'utf8')] : [`${relative}/`, ''];
    }),
  );
}

const filesOf = (found: Record<string, string>) => Object.keys(found).filter((name) => !name.endsWith('/'));

const actions = (changes: FileChange[]) => changes.map(({ path: name, action }) => `${action} ${name}`);

describe('what happens to a file', () => {
  test.each<[string, { disk: Record<string, string>; files: OutputFile[]; want: string[] }]>([
    [
      'is created where nothing is',
      { disk: {}, files: all, want: all.map(({ path: name }) => `create ${name}`) },
    ],
    [
      'is not written when its bytes are the same',
      { disk: { [routes.path]: routes.text }, files: [routes], want: ['unchanged src/generated/routes.ts'] },
    ],
    [
      'is updated when it is svcgen’s, whatever was made of it',
      { disk: { [routes.path]: 'edited' }, files: [routes], want: ['update src/generated/routes.ts'] },
    ],
    [
      'is left alone when it is the user’s',
      { disk: { 'src/app.ts': 'mine' }, files: [app], want: ['unchanged src/app.ts'] },
    ],
    [
      'is deleted when nothing renders it any longer',
      {
        disk: {
          [device.path]: header,
          'test/generated/old.test.ts': header,
          '.svcgen/x.json': `{"$comment":"${GENERATED_HEADER}"}`,
        },
        files: [routes],
        want: [
          'delete .svcgen/x.json',
          'delete src/generated/a.dev/device/kind.ts',
          'create src/generated/routes.ts',
          'delete test/generated/old.test.ts',
        ],
      },
    ],
    [
      'is left alone when its name begins with a dot, and so is its folder',
      {
        disk: {
          'src/generated/.DS_Store': '',
          'src/generated/.git/config': '',
          'src/generated/a.dev/device/.kind.ts.swp': 'edited',
          [device.path]: header,
        },
        files: [routes],
        want: ['delete src/generated/a.dev/device/kind.ts', 'create src/generated/routes.ts'],
      },
    ],
    [
      'is the user’s in any other folder called generated',
      { disk: { 'generated/a.ts': 'a', 'src/kinds/generated/b.ts': 'b' }, files: [], want: [] },
    ],
  ])('%s', async (_, { disk, files, want }) => {
    given(disk);
    const before = tree();
    const plan = planTree(root, files);
    expect(actions(plan.changes)).toEqual(want);
    expect(tree()).toEqual(before);

    await writeTree(root, files);
    const rendered = Object.fromEntries(files.map(({ path: name, text }) => [name, text]));
    const remaining = Object.entries(disk).filter(([name]) => !want.includes(`delete ${name}`));
    const mine = remaining.filter(([name]) => want.includes(`unchanged ${name}`) || !rendered[name]);
    expect(tree()).toMatchObject({ ...rendered, ...Object.fromEntries(mine) });
    expect(filesOf(tree()).length).toBe(
      new Set([...remaining.map(([name]) => name), ...Object.keys(rendered)]).size,
    );
  });

  test('the link that Emacs puts next to an edited file is left alone', async () => {
    await writeTree(root, all);
    fs.symlinkSync('me@host.1:2', path.join(root, 'src/generated/.#routes.ts'));
    const plan = await writeTree(root, all);
    expect(actions(plan.changes)).toEqual(all.map(({ path: name }) => `unchanged ${name}`).sort());
  });

  test('a second run writes nothing', async () => {
    await writeTree(root, all);
    const before = fs.statSync(path.join(root, routes.path)).ino;
    const plan = await writeTree(root, all);
    expect(actions(plan.changes)).toEqual(all.map(({ path: name }) => `unchanged ${name}`).sort());
    expect(fs.statSync(path.join(root, routes.path)).ino).toBe(before);
  });

  test('a file is read once, where others are written too', async () => {
    await writeTree(root, all);
    const read = jest.spyOn(fs, 'readFileSync');
    await writeTree(root, [app, { ...device, text: `${header}new\n` }, routes]);
    const paths = read.mock.calls.map(([name]) => path.relative(root, String(name)));
    jest.restoreAllMocks();
    expect(paths.filter((name) => name === routes.path)).toHaveLength(1);
  });

  test('a defect is not hidden where there is nothing to write', async () => {
    await writeTree(root, all);
    const cache = (): string => {
      throw new TypeError('a defect');
    };
    await expect(writeTree(root, all, { cache })).rejects.toThrow(TypeError);
  });

  test('folders left empty are removed, the user’s are not', async () => {
    given({
      [device.path]: header,
      'src/generated/b/empty/x.ts': header,
      'src/kinds/a.dev/device.ts': 'mine',
    });
    fs.mkdirSync(path.join(root, 'empty'));
    await writeTree(root, [routes]);
    expect(Object.keys(tree()).sort()).toEqual([
      'empty/',
      'src/',
      'src/generated/',
      'src/generated/routes.ts',
      'src/kinds/',
      'src/kinds/a.dev/',
      'src/kinds/a.dev/device.ts',
    ]);
  });

  test('a cache that cannot be written is done without', async () => {
    await writeTree(root, all);
    const before = tree();
    jest.spyOn(fs, 'mkdirSync').mockImplementation(() => {
      throw Object.assign(new Error('EROFS'), { syscall: 'mkdir', errno: -30, code: 'EROFS' });
    });
    const plan = await writeTree(root, all, { cache: () => header });
    jest.restoreAllMocks();
    expect(actions(plan.changes)).toEqual(all.map(({ path: name }) => `unchanged ${name}`).sort());
    expect(tree()).toEqual(before);
  });

  test('a file keeps its mode', async () => {
    given({ [routes.path]: header });
    fs.chmodSync(path.join(root, routes.path), 0o640);
    await writeTree(root, [routes]);
    expect(fs.statSync(path.join(root, routes.path)).mode & 0o777).toBe(0o640);
  });
});

describe('what stands in the way', () => {
  let outside: string;
  beforeEach(() => {
    outside = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen-outside-'));
  });
  afterEach(() => {
    fs.rmSync(outside, { recursive: true, force: true });
  });

  const at = (name: string) => path.join(root, name);

  test.each<[string, () => void, string[]]>([
    [
      'files in svcgen’s folders that it did not write, all of them',
      () => given({ 'src/generated/mine.ts': 'mine', '.svcgen/notes': '' }),
      [
        'src/generated/mine.ts was not written by svcgen, but is in a generated folder',
        '.svcgen/notes was not written by svcgen, but is in a generated folder',
      ],
    ],
    [
      'a generated folder that is a link',
      () => (given({ 'src/app.ts': '' }), fs.symlinkSync(outside, at('src/generated'))),
      ['src/generated is a symbolic link; svcgen writes only into real folders'],
    ],
    [
      'a parent folder that is a link',
      () => fs.symlinkSync(outside, at('src')),
      ['src is a symbolic link; svcgen writes only into real folders'],
    ],
    [
      'a generated file that is a link',
      () => (given({ 'src/generated/x.ts': header }), fs.symlinkSync('x.ts', at(routes.path))),
      ['src/generated/routes.ts is a symbolic link; svcgen does not write through it'],
    ],
    [
      'a stale file that is a link',
      () => (
        given({ 'src/generated/x.ts': header }),
        fs.symlinkSync('/etc/passwd', at('src/generated/y.ts'))
      ),
      ['src/generated/y.ts is a symbolic link; svcgen does not write through it'],
    ],
    [
      'a working folder that is a link',
      () => fs.symlinkSync(outside, at('.svcgen')),
      ['.svcgen is a symbolic link; svcgen writes only into real folders'],
    ],
    [
      'a folder where a file goes',
      () => (
        fs.mkdirSync(at('src/app.ts'), { recursive: true }),
        fs.mkdirSync(at(routes.path), { recursive: true })
      ),
      [
        'src/app.ts is a folder, svcgen writes a file there',
        'src/generated/routes.ts is a folder, svcgen writes a file there',
      ],
    ],
    [
      'a folder where the cache goes',
      () => fs.mkdirSync(at(CACHE_FILE), { recursive: true }),
      ['.svcgen/cache is a folder, svcgen writes a file there'],
    ],
    ['a file where a folder goes', () => given({ src: '' }), ['src is not a folder']],
    [
      'a named pipe',
      () => (given({ 'src/generated/x.ts': header }), void spawnSync('mkfifo', [at(routes.path)])),
      ['src/generated/routes.ts is not a regular file'],
    ],
  ])('%s', async (_, arrange, want) => {
    arrange();
    const before = [Object.keys(tree()), tree(outside)];
    await expect(writeTree(root, all)).rejects.toThrow(ProjectError);
    const problems = await writeTree(root, all).catch((error: ProjectError) => error.problems);
    expect((problems as Problem[]).map(({ file, message }) => `${file} ${message}`).sort()).toEqual(
      want.sort(),
    );
    expect([Object.keys(tree()), tree(outside)]).toEqual(before);
  });

  test('on the first run, a file in the place of a generated one', async () => {
    given({ [routes.path]: 'of another tool' });
    await expect(writeTree(root, all, { first: true })).rejects.toThrow(/was not written by svcgen/);
    expect(tree()[routes.path]).toBe('of another tool');
  });

  test('a user’s file may be a link, even one that leads nowhere', async () => {
    given({ 'elsewhere.ts': 'mine' });
    fs.mkdirSync(at('src'));
    fs.symlinkSync('nowhere', at('src/app.ts'));
    expect(actions(planTree(root, [app]).changes)).toEqual(['unchanged src/app.ts']);
  });
});

describe('two at once', () => {
  const lock = () => path.join(root, '.svcgen', 'lock');

  test('the second one stops and says so', async () => {
    given({ '.svcgen/lock': String(process.ppid) });
    await expect(writeTree(root, all)).rejects.toThrow(
      `another svcgen is running in this project (process ${process.ppid})`,
    );
    expect(filesOf(tree())).toEqual(['.svcgen/lock']);
  });

  test.each([
    ['of a dead process', () => String(spawnSync('true').pid)],
    ['of nobody', () => ''],
    ['of a process that has our id', () => String(process.pid)],
  ])('a lock %s is taken over', async (_, text) => {
    given({ '.svcgen/lock': text() });
    await writeTree(root, all);
    expect(fs.existsSync(lock())).toBe(false);
    expect(filesOf(tree()).sort()).toEqual(all.map(({ path: name }) => name).sort());
  });

  test('a file system without hard links can be locked', async () => {
    const link = jest.spyOn(fs, 'linkSync').mockImplementation(() => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM', errno: -1, syscall: 'link' });
    });
    try {
      await writeTree(root, all);
      given({ '.svcgen/lock': String(spawnSync('true').pid) });
      await writeTree(root, all);
      given({ '.svcgen/lock': String(process.ppid) });
      await expect(writeTree(root, [app])).rejects.toThrow(ProjectError);
    } finally {
      link.mockRestore();
    }
  });

  test.each([
    ['ENOSPC', -os.constants.errno.ENOSPC, 'no space left on device'],
    ['Unknown system error -122', -os.constants.errno.EDQUOT, 'disk quota exceeded'],
  ])('a write that fails with %s names the folder', async (code, errno, reason) => {
    const write = jest.spyOn(fs, 'writeFileSync').mockImplementation(() => {
      throw Object.assign(new Error(code), { code, errno, syscall: 'write' });
    });
    try {
      await expect(writeTree(root, all)).rejects.toMatchObject({
        problems: [{ message: `${root}: ${reason}`, hint: 'make room, then run svcgen again' }],
      });
    } finally {
      write.mockRestore();
    }
  });

  test('an old lock is taken over, whoever has the process id', async () => {
    given({ '.svcgen/lock': String(process.ppid) });
    fs.utimesSync(lock(), 0, 0);
    await writeTree(root, all);
    expect(fs.existsSync(lock())).toBe(false);
  });
});

describe('in a process of its own', () => {
  const compiled = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen-compiled-'));
  afterAll(() => fs.rmSync(compiled, { recursive: true }));

  /** Writes the files and kills itself, as kill -9 does, at the given call of the file system. */
  const script = `
    const fs = require('node:fs');
    const [root, files, moment] = JSON.parse(process.argv[2]);
    let count = 0;
    for (const name of ['writeFileSync', 'mkdirSync', 'renameSync', 'linkSync', 'rmSync', 'rmdirSync', 'chmodSync']) {
      const real = fs[name];
      fs[name] = (...args) => {
        count += 1;
        if (count !== moment) return real(...args);
        if (name === 'writeFileSync') real(args[0], args[1].slice(0, args[1].length / 2));
        process.kill(process.pid, 'SIGKILL');
      };
    }
    const cache = files[1].text;
    require('./src/write/write.js').writeTree(root, files, { cache: () => cache }).catch(({ problems: [problem] }) => console.log(problem.file, problem.message));
  `;

  beforeAll(() => {
    const repository = path.join(__dirname, '../..');
    // The generator reads files as services do.
    const sources = ['src', 'templates/runtime/files'].flatMap((folder) =>
      fs
        .readdirSync(path.join(repository, folder), { encoding: 'utf8', recursive: true })
        .map((name) => path.join(folder, name)),
    );
    for (const name of sources) {
      if (!name.endsWith('.ts')) continue;
      const { outputText } = ts.transpileModule(fs.readFileSync(path.join(repository, name), 'utf8'), {
        compilerOptions: {
          module: ts.ModuleKind.CommonJS,
          target: ts.ScriptTarget.ES2023,
          esModuleInterop: true,
        },
      });
      const target = path.join(compiled, name.replace(/ts$/, 'js'));
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, outputText);
    }
    fs.writeFileSync(path.join(compiled, 'child.js'), script);
    fs.chmodSync(compiled, 0o755);
  });

  const whole = (generation: string) => `${header}${generation}\n${'line\n'.repeat(500)}// end\n`;
  const render = (generation: string, kinds: string[]): OutputFile[] => [
    app,
    ...kinds.map((kind): OutputFile => ({
      path: `src/generated/${kind}/kind.ts`,
      text: whole(generation),
      owner: 'svcgen',
    })),
  ];

  async function killedAt(moment: number): Promise<boolean> {
    const input = JSON.stringify([root, render('new', ['a', 'b', 'new']), moment]);
    const run = promisify(execFile)(process.execPath, [path.join(compiled, 'child.js'), input]);
    return run.then(
      () => false,
      (error: Error & { signal?: string }) => error.signal === 'SIGKILL' || Promise.reject(error),
    );
  }

  test('one at a time does its work, however many there are, and a dead lock is taken over once', async () => {
    const count = `
      const fs = require('node:fs');
      const { withLock } = require('./src/write/write-lock.js');
      const [root] = process.argv.slice(2);
      const add = () => fs.writeFileSync(root + '/count', String(Number(fs.readFileSync(root + '/count', 'utf8')) + 1));
      // What another has kept from its work for too long tries again.
      const patiently = () => withLock(root, add).catch((error) => error.problems?.[0].message.startsWith('another svcgen') ? patiently() : Promise.reject(error));
      (async () => { for (let left = 40; left > 0; left--) await patiently(); })();
    `;
    fs.writeFileSync(path.join(compiled, 'count.js'), count);
    given({ count: '0', '.svcgen/lock': String(spawnSync('true').pid) });
    const counting = () => promisify(execFile)(process.execPath, [path.join(compiled, 'count.js'), root]);
    await Promise.all(Array.from({ length: 5 }, counting));
    expect(tree()).toEqual({ count: '200' });
  });

  test('another one that asks for the lock disturbs nothing', async () => {
    given({ '.svcgen/project.schema.json': '{}' });
    const asking = `
      const fs = require('node:fs');
      fs.writeSync(1, 'begun');
      for (;;) { fs.writeFileSync('lock-4711', '4711'); fs.rmSync('lock-4711', { force: true }); }
    `;
    const other = spawn(process.execPath, ['-e', asking], { cwd: path.join(root, '.svcgen') });
    try {
      await once(other.stdout, 'data');
      for (let left = 300; left > 0; left--) await rewriteProject(root, () => 'name: a');
    } finally {
      other.kill('SIGKILL');
      await once(other, 'close');
    }
  });

  test('a read-only folder is a problem, and nothing is written', async () => {
    given({ 'src/main.ts': 'mine' });
    fs.chmodSync(root, 0o755);
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    fs.chmodSync(path.join(root, 'src'), 0o555);
    const run = spawnSync(
      process.execPath,
      [path.join(compiled, 'child.js'), JSON.stringify([root, all, 0])],
      user,
    );
    fs.chmodSync(path.join(root, 'src'), 0o755);
    expect(String(run.stdout)).toBe('src is read-only\n');
    expect(filesOf(tree())).toEqual(['src/main.ts']);
  });

  test('a read-only project cannot be locked, and the message says why', () => {
    fs.chmodSync(root, 0o555);
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const lock = `require('./src/write/write-lock.js').withLock(${JSON.stringify(root)}, () => {}).catch(({ problems }) => console.log(problems[0].message));`;
    const run = spawnSync(process.execPath, ['-e', lock], { ...user, cwd: compiled, encoding: 'utf8' });
    fs.chmodSync(root, 0o755);
    expect(run.stdout).toBe(`${root} is read-only\n`);
  });

  test('a file system that takes no more content is left without a lock', () => {
    const lock = `require('./src/write/write-lock.js').withLock(${JSON.stringify(root)}, () => {}).catch(({ code }) => console.log(code));`;
    // Files have at most 0 bytes: they can be created, but not written.
    const run = spawnSync(
      'bash',
      ['-c', `trap '' XFSZ; ulimit -f 0; exec "$0" -e "$1" | cat`, process.execPath, lock],
      {
        cwd: compiled,
        encoding: 'utf8',
      },
    );
    expect(run.stdout).toBe('EFBIG\n');
    expect(filesOf(tree())).toEqual([]);
  });

  test('a read-only folder can be compared', () => {
    fs.chmodSync(root, 0o555);
    const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const compare = `
      const { compareTree } = require('./src/write/write.js');
      console.log(compareTree(${JSON.stringify(root)}, ${JSON.stringify([app])}).changes[0].action);`;
    const run = spawnSync(process.execPath, ['-e', compare], { ...user, cwd: compiled });
    fs.chmodSync(root, 0o755);
    expect(String(run.stdout)).toBe('create\n');
  });

  test('a kill at any moment leaves whole files, and the next run completes the tree', async () => {
    const old = render('old', ['a', 'b', 'gone']);
    const wanted = render('later', ['a', 'new']);
    let moment = 1;
    const cached = (generation: string) => ({ cache: () => whole(generation) });
    await writeTree(root, old, cached('old'));
    while (await killedAt(moment)) {
      for (const [name, text] of Object.entries(tree())) {
        if (name.startsWith('src/generated') && name.endsWith('.ts'))
          expect([whole('old'), whole('new')]).toContain(text);
      }
      expect(tree()['src/app.ts']).toBe(app.text);
      expect([whole('old'), whole('new')]).toContain(tree()[CACHE_FILE]);

      await writeTree(root, wanted, cached('later'));
      const want = Object.fromEntries(wanted.map(({ path: name, text }) => [name, text]));
      const found = tree();
      expect(Object.fromEntries(filesOf(found).map((name) => [name, found[name]]))).toEqual({
        ...want,
        [CACHE_FILE]: whole('later'),
      });
      await writeTree(root, old, cached('old'));
      moment += 1;
    }
    expect(moment).toBeGreaterThan(15);
  });
});

test('a diff can be applied', async () => {
  given({ [routes.path]: `${header}old\nkept\n`, [device.path]: header });
  const files = [{ ...routes, text: `${header}new\nkept\n` }, app];
  const { changes } = planTree(root, files);
  const patch = changes.map((change) => unifiedDiff(root, change)).join('');
  expect(patch).toBe(`--- /dev/null
+++ b/src/app.ts
@@ -0,0 +1,1 @@
+app
--- a/src/generated/a.dev/device/kind.ts
+++ /dev/null
@@ -1,1 +0,0 @@
-// ${GENERATED_HEADER}
--- a/src/generated/routes.ts
+++ b/src/generated/routes.ts
@@ -1,3 +1,3 @@
 // ${GENERATED_HEADER}
-old
+new
 kept
`);
  expect(spawnSync('git', ['apply', '-'], { cwd: root, input: patch, encoding: 'utf8' })).toMatchObject({
    stderr: '',
  });
  expect(actions(planTree(root, files).changes)).toEqual([
    'unchanged src/app.ts',
    'unchanged src/generated/routes.ts',
  ]);
});

test.each([
  ['a\nb\n', 'b\nc'],
  ['', 'a\n'],
  ['a', 'b\n'],
])('a diff whose comparison takes too long replaces the whole file: %j by %j', (before, after) => {
  const old = `${header}${before}`;
  given({ [routes.path]: old });
  const files = [{ ...routes, text: `${header}${after}` }];
  const [change] = planTree(root, files).changes;
  const patch = unifiedDiff(root, change, { timeout: -1 });
  expect(spawnSync('git', ['apply', '-'], { cwd: root, input: patch, encoding: 'utf8' })).toMatchObject({
    stderr: '',
  });
  expect(patch).toContain(`-// ${GENERATED_HEADER}`);
  expect(actions(planTree(root, files).changes)).toEqual(['unchanged src/generated/routes.ts']);
});
