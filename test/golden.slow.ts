import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadProject } from '../src/load/load-project';
import { plannedProject } from '../src/plan/planned-project';
import { render } from '../src/render/render';
import { FIXTURES, GOLDEN, ROOT, writeTree } from './fixtures';

// What svcgen makes of the fixtures compiles and passes its own tests.

const run = promisify(execFile);

describe.each(GOLDEN)('%s', (name) => {
  const built = join(ROOT, '.tmp', 'golden', name);

  beforeAll(() => writeTree(built, render(plannedProject(loadProject(join(FIXTURES, name)).project))));

  test('compiles', async () => {
    // Projects may forbid what is unused.
    const unused = ['--noUnusedLocals', '--noUnusedParameters'];
    await command(built, 'typescript/bin/tsc', '-p', 'tsconfig.json', ...unused);
  });

  test('passes its own tests', async () => {
    await command(built, 'jest/bin/jest.js', '--silent');
  });
});

/** Runs a tool of this repository in a folder; what it prints is the failure's message. */
async function command(cwd: string, tool: string, ...args: string[]): Promise<void> {
  const program = join(ROOT, 'node_modules', tool);
  await run(process.execPath, [program, ...args], { cwd }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr);
    },
  );
}
