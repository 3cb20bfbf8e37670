import { spawnSync, type StdioOptions } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { REGISTER } from '../../support/compiled';
import { onBothStores } from '../support/databases';
import { Shop } from './exchange';
import { startShop } from './shop-load';

const ROOT = resolve(__dirname, '../../..');

/** Runs `npm run check-data` on a database: its exit code and its standard output. */
function check(
  url: string,
  { argv = [], stdio }: { argv?: string[]; stdio?: StdioOptions } = {},
): { status: number | null; stdout: string; stderr: string } {
  const words = ['-r', REGISTER, join(__dirname, 'check-child.ts'), ...argv];
  const environment = {
    DATABASE_URL: url,
    FAULT_RUNTIME: join(ROOT, 'templates/runtime'),
  };
  return spawnSync(process.execPath, words, {
    cwd: ROOT,
    encoding: 'utf8',
    stdio,
    env: { ...process.env, ...environment },
  });
}

/** The reason why the shop does not start. */
async function refusal(url: string): Promise<string> {
  return Shop.start(url).then(
    (shop) => shop.close().then(() => 'it started'),
    (error: Error) => `${error.name}: ${error.message}`,
  );
}

onBothStores((url) => {
  test('resources that break a rule are listed by check-data and at the start, which is refused', async () => {
    const database = await url();
    const before = await Shop.start(database, { data: {} });
    const uids: string[] = [];
    for (const [name, spec] of Object.entries({
      same: { sku: 'a' },
      'with-long': { sku: 'x'.repeat(501) },
      'with-supplier': { sku: 'b', supplier: 'nobody' },
    }))
      uids.push((await before.create('/parts', name, spec)).metadata.uid);
    const twin = await before.create('/parts', 'same', { sku: 'a' });
    const thief = await before.create('/parts', uids[0], { sku: 'c' });
    await before.close();
    const part = 'example.svc.dev/Part';
    const lines = [
      `${part} ${twin.metadata.uid}: metadata.name is the same as that of ${uids[0]}, but must be unique`,
      `${part} ${twin.metadata.uid}: spec.sku is the same as that of ${uids[0]}, but must be unique`,
      `${part} ${uids[1]}: spec.sku is longer than 500 characters`,
      `${part} ${uids[2]}: spec.supplier refers to a resource that does not exist`,
      `${part} ${thief.metadata.uid}: metadata.name is the uid of ${uids[0]}`,
    ];
    const checked = check(database);
    expect([checked.status, checked.stdout.trim().split('\n').toSorted()]).toEqual([1, lines.toSorted()]);
    const found = JSON.parse(check(database, { argv: ['--json'] }).stdout) as { rule: string }[];
    expect(found.map(({ rule }) => rule).toSorted()).toEqual(['max=500', 'name', 'ref', 'unique', 'unique']);
    const message = await refusal(database);
    expect(message).toContain('StoreRefused');
    for (const line of lines) expect(message).toContain(line);
    expect(message).toMatch(
      /\nTo change them, start a service without these rules: the former build or, .*$/,
    );

    const repaired = await Shop.start(database, { data: {} });
    for (const uid of [uids[1], twin.metadata.uid, thief.metadata.uid])
      await repaired.delete(`/parts/${uid}`);
    await repaired.send('PATCH', `/parts/${uids[2]}`, { spec: { supplier: null } });
    await repaired.close();
    expect(check(database).status).toBe(0);
    expect(await refusal(database)).toBe('it started');
  });

  test('what is written before a declaration is found by it', async () => {
    const database = await url();
    const before = await Shop.start(database, { data: {} });
    await before.create('/suppliers', 'early');
    await before.create('/parts', 'early-part', { sku: 'early', supplier: 'early' });
    await before.close();
    const shop = await Shop.start(database);
    try {
      expect((await shop.get('/parts/early-part')).status).toBe(200);
      expect((await shop.send('POST', '/parts', { spec: { sku: 'early' } })).status).toBe(409);
      expect((await shop.delete('/suppliers/early')).problem.referrers).toHaveLength(1);
    } finally {
      await shop.close();
    }
  });
});

test('the start logs how far the entries are made', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-start-'));
  const database = `sqlite:${folder}/service.db`;
  try {
    const before = await Shop.start(database, { data: {} });
    for (const name of ['a', 'b', 'c']) await before.create('/parts', name, { sku: name });
    await before.close();
    const { log, child, ended } = await startShop(database);
    child.kill('SIGKILL');
    await ended;
    const progress = { kind: 'example.svc.dev/Part', done: 3, all: 3, msg: 'making index entries' };
    expect(log).toContainEqual(expect.objectContaining(progress));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// Elsewhere there is no /dev/full.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('check-data whose output cannot be written ends with the code of its result', () => {
  const full = openSync('/dev/full', 'w');
  expect(check('sqlite:/nowhere/at/all.db', { stdio: ['ignore', full, full] }).status).toBe(0);
  closeSync(full);
});

test('check-data knows its arguments, and needs no database', () => {
  expect(check('sqlite::memory:', { argv: ['--help'] })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('usage') as string,
  });
  expect(check('sqlite:/nowhere/at/all.db')).toMatchObject({ status: 0 });
});
