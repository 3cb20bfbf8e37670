import { join } from 'node:path';
import { startService, type TestService } from '../runtime/support/harness';
import { testProject } from '../runtime/support/projects';
import { CtlProgram } from './ctl-program';
import { createClient, SPEC } from './devices';

// The writes of the command line against a service with `requireIfMatch`.

const PROJECT = testProject({ requireIfMatch: true });
const program = new CtlProgram(join(__dirname, '../../.tmp/ctl-condition'), PROJECT);
let service: TestService;
let client: ReturnType<typeof createClient>;
/** Runs before the service sees a write with a condition. */
let beforeWrite: (() => Promise<unknown>) | undefined;

beforeAll(async () => {
  service = await startService(PROJECT, {
    middleware: (app) =>
      app.use(async (req, _res, next) => {
        const action = req.headers['if-match'] === undefined ? undefined : beforeWrite;
        if (action !== undefined) {
          beforeWrite = undefined;
          await action();
        }
        next();
      }),
  });
  program.url = service.url;
  client = createClient({ baseUrl: service.url });
});
afterAll(() => service.close());

const WRITES: [words: string, word: string][] = [
  ['patch -p {"spec":{"model":"x"}}', 'patched'],
  ['patch --type json -p [{"op":"add","path":"/spec/model","value":"x"}]', 'patched'],
  ['patch --status -p {"phase":"Ready"}', 'patched'],
  ['patch --dry-run -p {"spec":{"model":"x"}}', 'patched (dry run)'],
  ['delete', 'deleted'],
  ['delete --dry-run', 'deleted (dry run)'],
];

describe.each(WRITES)('%s', (words, word) => {
  const [command, ...options] = words.split(' ');

  test.each([
    ['the state is the one that it has read', false],
    ['somebody else writes in between', true],
  ])('%s', async (_, isDisturbed) => {
    const { uid } = (await client.devices.create({ spec: SPEC })).metadata;
    const other = (): Promise<unknown> => client.devices.update(uid, ({ spec }) => (spec.location = 'attic'));
    beforeWrite = isDisturbed ? other : undefined;
    expect(await program.run([command, 'devices', uid, ...options])).toEqual({
      code: 0,
      out: `devices/${uid} ${word}\n`,
      err: '',
    });
    expect(beforeWrite).toBeUndefined();
    const after = await client.devices.get(uid).catch(() => undefined);
    if (word === 'deleted') expect(after).toBeUndefined();
    else expect(after!.spec.location).toBe(isDisturbed ? 'attic' : 'hall');
    if (word === 'patched')
      expect(after).toMatchObject(
        words.includes('status') ? { status: { phase: 'Ready' } } : { spec: { model: 'x' } },
      );
  });
});

test('apply creates and updates', async () => {
  const apply = async (location: string): Promise<string> => {
    const input = JSON.stringify({
      kind: 'Device',
      metadata: { name: 'applied' },
      spec: { ...SPEC, location },
    });
    return (await program.run(['apply', '-f', '-'], { input })).out.split(' ')[1];
  };
  expect([await apply('hall'), await apply('attic')]).toEqual(['created\n', 'updated\n']);
});

test('a resource that is not there is reported as such', async () => {
  const { code, err } = await program.run(['delete', 'devices', 'dev-0000000000000000']);
  expect([code, err]).toEqual([1, expect.stringContaining('404 Not Found')]);
});
