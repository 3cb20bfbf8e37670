import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { blocksOf } from '../support/page';
import { startService, type TestService } from './harness';

// The backups of docs/operations.md, made of a service that runs: a service on each has all that was answered.

const root = join(__dirname, '../..');
const { project } = loadProject(join(root, 'examples/device-service'));
const commands = blocksOf(join(root, 'docs/operations.md'))
  .filter(({ language, directive }) => language === 'sh' && directive !== 'not run')
  .flatMap(({ text }) => text.trim().split('\n'));
const hasSqlite = spawnSync('sqlite3', ['--version']).status === 0;
const runnable = commands.filter((command) => hasSqlite || !command.includes('; sqlite3 '));

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
  const keyed = { method: 'POST', body, headers: { 'Idempotency-Key': 'a-key' } };
  const first = await (await fetch(`${service.url}/devices`, keyed)).text();
  const devices = await textOf(service);
  const env = { ...process.env, NODE_PATH: join(root, 'node_modules') };
  execFileSync('bash', ['-c', command], { cwd: folder, env });
  expect(statSync(join(folder, 'backup.db')).mode & 0o777).toBe(0o600);
  const restored = await on('backup.db');
  expect(await (await fetch(`${restored.url}/devices`, keyed)).text()).toBe(first);
  expect(await textOf(restored)).toBe(devices);
  await restored.close();
});

async function textOf({ url }: TestService): Promise<string> {
  const response = await fetch(`${url}/devices`);
  expect(response.status).toBe(200);
  return response.text();
}
