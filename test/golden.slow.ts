import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadProject } from '../src/load/load-project';
import type { Project } from '../src/model/project';
import { plannedProject } from '../src/plan/planned-project';
import { render } from '../src/render/render';
import { FIXTURES, GOLDEN, ROOT, writeTree } from './fixtures';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from './runtime/store/postgres/postgres-server';

// What svcgen makes of the fixtures compiles and passes its own tests.

const run = promisify(execFile);
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');

/** Tests of kinds that are there for their names: the compiler sees them, and the tests of `Promise` run. */
const NAMED_LIKE_TYPES = '/(array|class|object|record|unknown).test.ts$';

describe.each(GOLDEN)('%s', (name) => {
  const built = join(ROOT, '.tmp', 'golden', name);

  beforeAll(() => writeTree(built, render(plannedProject(loadProject(join(FIXTURES, name)).project))));

  test('compiles', async () => {
    // Projects may forbid what is unused.
    const unused = ['--noUnusedLocals', '--noUnusedParameters'];
    await command(built, '.bin/tsc', '-p', 'tsconfig.json', ...unused);
  });

  test('passes its own tests', async () => {
    await command(built, 'jest/bin/jest.js', '--silent', '--testPathIgnorePatterns', NAMED_LIKE_TYPES);
  });
});

/** The tests of a kind with a unique name, selectable fields and references, and those of the whole service. */
const SOME = ['part.test.ts', 'service.test.ts'];

/** The project with names, fields and references, changed; returns its folder. */
function changed(name: string, changes: Partial<Project>): string {
  const built = join(ROOT, '.tmp', 'golden', name);
  const { project } = loadProject(join(FIXTURES, 'parts'));
  writeTree(built, render(plannedProject({ ...project, ...changes })));
  return built;
}

test('passes its own tests where writes need a condition', async () => {
  await command(changed('conditions', { requireIfMatch: true }), 'jest/bin/jest.js', '--silent', ...SOME);
});

describeWithPostgres('with PostgreSQL alone', () => {
  let server: PostgresServer;
  beforeAll(async () => void (server = await postgresServer()));
  afterAll(() => server?.close());

  test('passes its own tests in schemas of their own', async () => {
    const built = changed('postgres', { databases: ['postgres'] });
    const none = run(process.execPath, [JEST, 'test/generated/service.test.ts'], { cwd: built, env: {} });
    await expect(none).rejects.toThrow('set TEST_DATABASE_URL');
    const env = { PATH: process.env['PATH'], TEST_DATABASE_URL: await server.newDatabase() };
    await run(process.execPath, [JEST, '--silent', ...SOME], { cwd: built, env });
  });
});

/** Runs a tool of this repository in a folder; what it prints is the failure's message. The laws are tried on few resources. */
async function command(cwd: string, tool: string, ...args: string[]): Promise<void> {
  const program = join(ROOT, 'node_modules', tool);
  const env = { LAW_RUNS: '20', ...process.env };
  await run(process.execPath, [program, ...args], { cwd, env }).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr);
    },
  );
}
