import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { examine } from '../../src/doctor/finding';
import { checkInProject } from '../../src/doctor/running';
import { loadProject } from '../../src/load/load-project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';
import { Progress } from '../../src/terminal/io';
import { FIXTURES, ROOT, writeTree } from '../fixtures';
import { Terminal } from '../support/terminal';

// A project of the time when TypeScript 6, ts-jest and ts-node were in its package.json goes on to work with them.

const JEST = `module.exports = {
  roots: ['<rootDir>/test'],
  testEnvironment: 'node',
  transform: { '^.+\\\\.ts$': ['ts-jest', { diagnostics: false }] },
};
`;
const NEWER = ['tsx', '@swc/core', '@swc/jest'];
const OLDER = ['ts-jest', 'ts-node', 'fast-check', '@photostructure/sqlite'];

const folder = mkdtempSync(join(tmpdir(), 'svcgen-older-'));
const run = promisify(execFile);

beforeAll(() => {
  writeTree(folder, render(plannedProject(loadProject(join(FIXTURES, 'minimal')).project)));
  writeFileSync(join(folder, 'jest.config.js'), JEST);
  const { dependencies, devDependencies } = require(join(folder, 'package.json')) as {
    dependencies: object;
    devDependencies: object;
  };
  const packages = new Set([...Object.keys(dependencies), ...Object.keys(devDependencies), ...OLDER]);
  for (const name of NEWER) packages.delete(name);
  for (const name of packages) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a program of a package of the project. */
const program = (path: string, ...parameters: string[]) =>
  run(process.execPath, [join(folder, 'node_modules', path), ...parameters], { cwd: folder });

test('compiles', async () => {
  expect((await program('typescript/bin/tsc', '--version')).stdout).toBe('Version 6.0.3\n');
  await program('typescript/bin/tsc', '-p', 'tsconfig.json');
});

test('passes its own tests', async () => {
  await program('jest/bin/jest.js', '--silent');
});

test('is examined by svcgen doctor', async () => {
  const terminal = new Terminal(folder);
  const examination = examine(folder, process.env, 120_000, new Progress({ io: terminal, json: true }));
  const found = await checkInProject(examination, 'settings');
  expect(found).toMatchObject({ verdict: 'ok', detail: 'valid' });
});
