import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { blocksOf } from '../page';
import { startService, type TestService } from './harness';

// The backups of docs/operations.md, made of a service that runs: a service on each has all that was answered.

const root = join(__dirname, '../..');
const { project } = loadProject(join(root, 'examples/device-service'));
const commands = blocksOf(join(root, 'docs/operations.md'))
  .filter(({ language, directive }) => language === 'sh' && directive !== 'not run')
  .flatMap(({ text }) => text.trim().split('\n'));
const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0;
const runnable = commands.filter((command) => hasSqlite || !command.startsWith('sqlite3 '));

let folder: string;
let service: TestService;

const on = (file: string): Promise<TestService> =>
  startService(project, { environment: { DATABASE_URL: `sqlite:${join(folder, file)}` } });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen backup '));
  service = await on('data/device-service.db');
});

afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(runnable)('%s', async (command) => {
  const body = JSON.stringify({ spec: { name: 'sensor', location: 'berlin' } });
  await fetch(`${service.url}/devices`, { method: 'POST', body });
  const devices = await textOf(service);
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
  execFileSync('bash', ['-c', command], { cwd: folder, env });
  const restored = await on('backup.db');
  expect(await textOf(restored)).toBe(devices);
  await restored.close();
});

async function textOf({ url }: TestService): Promise<string> {
  const answer = await fetch(`${url}/devices`);
  expect(answer.status).toBe(200);
  return answer.text();
}
