import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../src/cli';
import { Terminal } from './terminal';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'convert-'));
  cpSync(join(__dirname, '../examples/device-service/project.yaml'), join(folder, 'project.yaml'));
  mkdirSync(join(folder, 'files'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const v1 = {
  apiVersion: 'example.svc.dev/v1',
  kind: 'Device',
  metadata: { name: 'a' },
  spec: { name: 'a', location: 'berlin', timeoutMs: 2000 },
  status: { ready: true },
};
const v2beta1 = {
  ...v1,
  apiVersion: 'example.svc.dev/v2beta1',
  spec: { name: 'a', site: 'berlin', timeoutSeconds: 2 },
};

async function convert(args: string, input = ''): Promise<{ exit: number; out: string; err: string }> {
  const terminal = new Terminal(folder, false, {}, input);
  const exit = await run(['convert', ...args.split(' ')], terminal);
  return { exit, out: terminal.out, err: terminal.err };
}

describe('svcgen convert', () => {
  test.each([
    ['v1', 'v2beta1', v1, v2beta1],
    ['v2beta1', 'v1', v2beta1, v1],
    ['v1', 'v1', v1, v1],
  ])('%s to %s, from stdin', async (from, to, given, want) => {
    const { exit, out } = await convert(`--kind Device --from ${from} --to ${to}`, JSON.stringify(given));
    expect([exit, JSON.parse(out)]).toEqual([0, want]);
  });

  test('from a file, as JSON', async () => {
    writeFileSync(join(folder, 'files/device.json'), JSON.stringify(v1));
    const { out } = await convert('--kind Device --from v1 --to v2beta1 --json files/device.json');
    expect(JSON.parse(out)).toMatchObject({ ok: true, document: v2beta1 });
  });

  test.each([
    ['--kind Devise --from v1 --to v1', '{}', 'kind Devise not found'],
    ['--kind Device --from v3 --to v1', '{}', 'version v3 not found in kind Device; available: v1, v2beta1'],
    ['--kind Device --from v1 --to v1', '{', 'stdin is not JSON'],
    ['--kind Device --from v1 --to v1', '{}', 'stdin is no resource'],
    ['--kind Device --from v1 --to v1 files/none.json', '', 'cannot read'],
    ['--kind Device --from v1', '', "required option '--to <version>' not specified"],
  ])('%s: refused', async (args, input, message) => {
    const { exit, out, err } = await convert(args, input);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
