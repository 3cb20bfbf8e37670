import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { startService, type TestService } from '../runtime/support/harness';
import { CtlProgram } from './ctl-program';

// `ctl apply` of a file again: defaults of the version, of the hub, and those that rules of conversion supply.

const YAML = `
name: lamps
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v1beta1]
    types:
      Point: { x: { type: number, default: 0 }, y: number }
    kinds:
      - name: Lamp
        specVersioning: true
        versions:
          v1:
            spec:
              name: { type: string, rules: [required] }
              timeoutMs: { type: integer, default: 5000 }
              points: { type: list, items: Point }
              colour: { type: object, fields: { red: { type: integer, default: 1 }, text: string } }
              tags: { type: map, values: string }
          v1beta1:
            spec:
              name: { type: string, rules: [required] }
              timeoutSeconds: integer
              points: { type: list, items: Point }
              mood: { type: string, default: calm }
            conversion:
              - scale: { hub: spec.timeoutMs, spoke: spec.timeoutSeconds, factor: 1000 }
`;

const project = loadProject(__dirname, YAML).project;
const program = new CtlProgram(join(__dirname, '../../.tmp/apply'), project);
let service: TestService;

beforeAll(async () => {
  service = await startService(project);
  program.url = service.url;
});
afterAll(() => service.close());

test.each([
  ['nothing but what is required', 'spec: { name: a }'],
  ['defaults at any depth', 'spec: { name: a, points: [{ y: 1 }], colour: {} }'],
  ['nulls', 'spec: { name: a, timeoutMs: null, tags: null }'],
  ['no labels', '  labels: {}\n  annotations: null\nspec: { name: a }'],
  ['a spoke without what the hub sets', 'spec: { name: a }\napiVersion: example.svc.dev/v1beta1'],
  [
    'a spoke with its own defaults',
    'spec: { points: [{ x: 1 }], name: a, timeoutSeconds: 2 }\napiVersion: example.svc.dev/v1beta1',
  ],
])('%s: the second time nothing is written', async (name, rest) => {
  const input = `kind: Lamp\nmetadata:\n  name: ${name}\n${rest}\n`;
  const first = await program.run(['apply', '-f', '-'], { input });
  expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/ created\n$/) as string });
  const uid = /lam-\w+/.exec(first.out)![0];
  const stored = await (await fetch(`${service.url}/lamps/${uid}`)).json();
  expect(await program.run(['apply', '-f', '-'], { input })).toEqual({
    code: 0,
    out: `lamps/${uid} unchanged\n`,
    err: '',
  });
  expect(await (await fetch(`${service.url}/lamps/${uid}`)).json()).toEqual(stored);
  expect(await (await fetch(`${service.url}/lamps/${uid}/versions`)).json()).toHaveLength(1);
});

test('a version on the command line is that of documents without one', async () => {
  const input = [
    'apiVersion: example.svc.dev/v1\nkind: Lamp\nmetadata: { name: of v1 }\nspec: { name: a, timeoutMs: 7000 }\n',
    'kind: Lamp\nmetadata: { name: of none }\nspec: { name: a, timeoutSeconds: 3 }\n',
  ].join('---\n');
  const args = ['-f', '-', '--api-version', 'v1beta1'];
  expect(await program.run(['apply', ...args], { input })).toMatchObject({ code: 0, err: '' });
  expect(await program.run(['diff', ...args], { input })).toEqual({ code: 0, out: '', err: '' });
  const lamps = (await (await fetch(`${service.url}/lamps`)).json()) as { spec: { timeoutMs: number } }[];
  expect(lamps.slice(-2).map(({ spec }) => spec.timeoutMs)).toEqual([7000, 3000]);
});

test('members in another order are the same; a field that the file no longer has is taken away', async () => {
  const apply = async (spec: string): Promise<string> =>
    (
      await program.run(['apply', '-f', '-'], {
        input: `kind: Lamp\nmetadata: { name: order }\nspec: ${spec}\n`,
      })
    ).out.split(' ')[1];
  expect(await apply('{ name: a, tags: { b: x, a: y }, timeoutMs: 1 }')).toBe('created\n');
  expect(await apply('{ timeoutMs: 1, tags: { a: y, b: x }, name: a }')).toBe('unchanged\n');
  expect(await apply('{ name: a, tags: { a: y, b: x } }')).toBe('updated\n');
  expect(await apply('{ name: a, timeoutMs: 5000, tags: { a: y, b: x } }')).toBe('unchanged\n');
});

describe('a kind with unique names', () => {
  const named = loadProject(
    __dirname,
    YAML.replace('- name: Lamp\n', '- name: Lamp\n        names: unique\n'),
  ).project;
  const ctl = new CtlProgram(join(__dirname, '../../.tmp/apply-named'), named);
  let lamps: TestService;
  let paths: string[] = [];
  beforeAll(async () => {
    lamps = await startService(named, {
      middleware: (app) =>
        void app.use((req, _res, next) => {
          paths.push(`${req.method} ${req.url.replace('/apis/example.svc.dev/v1', '')}`);
          next();
        }),
    });
    ctl.url = lamps.url;
  });
  afterAll(() => lamps.close());
  beforeEach(() => (paths = []));

  const input = (name: string, title = 'a'): string =>
    `kind: Lamp\nmetadata:\n  name: ${name}\nspec: { name: ${title} }\n`;
  const outcomeOf = async (...words: Parameters<typeof ctl.run>): Promise<string> => {
    const { out, err } = await ctl.run(...words);
    return `${out}${err}`.trim().split(' ').slice(1).join(' ');
  };

  test('it is created by its name, and found by it', async () => {
    const apply = (text: string): Promise<string> => outcomeOf(['apply', '-f', '-'], { input: text });
    expect(await apply(input('hall'))).toBe('created');
    expect(paths).toEqual(['GET /lamps/hall', 'PUT /lamps/hall']);
    expect(await apply(input('hall'))).toBe('unchanged');
    expect(await apply(input('hall', 'b'))).toBe('updated');
    expect(await outcomeOf(['delete', 'lamps', 'hall'])).toBe('deleted');
    expect(paths.filter((path) => path.startsWith('GET /lamps?'))).toEqual([]);
  });

  test('of several at once one creates it', async () => {
    const runs = Array.from({ length: 4 }, () => outcomeOf(['apply', '-f', '-'], { input: input('race') }));
    const outcomes = await Promise.all(runs);
    expect(outcomes.toSorted()).toEqual(['created', 'unchanged', 'unchanged', 'unchanged']);
  });

  test('a document with a name of null has no name', async () => {
    const { out } = await ctl.run(['apply', '-f', '-'], { input: input('null') });
    const [, uid] = /^lamps\/(lam-\w+) created\n$/.exec(out)!;
    const { metadata } = (await (await fetch(`${lamps.url}/lamps/${uid}`)).json()) as {
      metadata: { name: string };
    };
    expect(metadata.name).toBe(uid);
  });

  test('a name of another form is refused by the service', async () => {
    expect(await outcomeOf(['apply', '-f', '-'], { input: input('No Name') })).toContain('metadata.name');
  });
});

test.each([
  ['a member of metadata', 'metadata: { name: typo, lables: { env: prod } }\nspec: { name: a }', 'lables'],
  ['a member of the document', 'metadata: { name: typo }\nspec: { name: a }\nsepc: {}', 'sepc'],
])('%s that nobody knows is refused, on create and later', async (_, rest, member) => {
  const apply = (input: string) => program.run(['apply', '-f', '-'], { input });
  const refused = { code: 1, err: expect.stringContaining(`unknown field "${member}"`) as string };
  const name = `typo-${member}`;
  const input = `kind: Lamp\n${rest}\n`.replace('name: typo', `name: ${name}`);
  expect(await apply(input)).toMatchObject(refused);
  expect(await (await fetch(`${service.url}/lamps`)).text()).not.toContain(name);
  await apply(`kind: Lamp\nmetadata: { name: ${name} }\nspec: { name: a }\n`);
  expect(await apply(input)).toMatchObject(refused);
});

test('a document that renames a resource counts for those after it', async () => {
  const apply = (input: string) => program.run(['apply', '-f', '-'], { input });
  const lamp = (metadata: string, name: string): string =>
    `kind: Lamp\nmetadata: { ${metadata} }\nspec: { name: ${name} }\n`;
  const { out } = await apply([lamp('name: first', 'a'), lamp('name: former', 'b')].join('---\n'));
  const [, uid] = out.match(/lam-\w+/g)!;
  const renamed = [
    lamp('name: first', 'a'),
    lamp(`uid: ${uid}, name: latter`, 'b'),
    lamp('name: former', 'c'),
  ];
  expect((await apply(renamed.join('---\n'))).out.match(/\w+$/gm)).toEqual([
    'unchanged',
    'updated',
    'created',
  ]);
  expect(await (await fetch(`${service.url}/lamps/${uid}`)).json()).toMatchObject({
    metadata: { name: 'latter' },
    spec: { name: 'b' },
  });
});

describe('with names and finalizers', () => {
  const yaml = YAML.replace('groups:', 'events: true\nkubernetes: true\ngroups:');
  const kubernetes = loadProject(__dirname, yaml).project;
  const ctl = new CtlProgram(join(__dirname, '../../.tmp/apply-kubernetes'), kubernetes);
  let lamps: TestService;
  beforeAll(async () => {
    lamps = await startService(kubernetes);
    ctl.url = lamps.url;
  });
  afterAll(() => lamps.close());
  const run = (command: string, metadata: string) =>
    ctl.run([command, '-f', '-'], { input: `kind: Lamp\nmetadata: ${metadata}\nspec: { name: a }\n` });

  test('a name is completed', async () => {
    const { code, out } = await run('apply', '{ generateName: lamp- }');
    expect([code, out]).toEqual([0, expect.stringMatching(/ created\n$/)]);
    expect(await (await fetch(`${lamps.url}/lamps`)).json()).toMatchObject([
      { metadata: { name: expect.stringMatching(/^lamp-\w{5}$/) as string } },
    ]);
  });

  test('finalizers are set, stay where a file has none, and are removed', async () => {
    const finalizers = async (): Promise<unknown> => {
      const shown = (await (await fetch(`${lamps.url}/lamps/hall`)).json()) as { metadata: object };
      return (shown.metadata as { finalizers?: string[] }).finalizers;
    };
    expect(await run('apply', '{ name: hall, finalizers: [a.dev/x] }')).toMatchObject({ code: 0 });
    expect(await finalizers()).toEqual(['a.dev/x']);
    expect((await run('apply', '{ name: hall }')).out).toContain('unchanged');
    const { code, out } = await run('diff', '{ name: hall, finalizers: [a.dev/x, a.dev/y] }');
    expect(code).toBe(1);
    expect(out).toContain('+ metadata.finalizers: ["a.dev/x","a.dev/y"]');
    expect((await run('apply', '{ name: hall, finalizers: [] }')).out).toContain('updated');
    expect(await finalizers()).toBeUndefined();
    expect((await run('apply', '{ name: hall, finalizers: [] }')).out).toContain('unchanged');
  });

  test('a deletion that waits for finalizers is shown', async () => {
    await run('apply', '{ name: cellar, finalizers: [a.dev/x] }');
    const deleted = await ctl.run(['delete', 'lamps', 'cellar']);
    expect(deleted).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^lamps\/lam-\w+ waits for its finalizers: a\.dev\/x$/m) as string,
    });
    const { out } = await ctl.run(['describe', 'lamps', 'cellar']);
    expect(out).toMatch(/^Finalizers: +a\.dev\/x\nDeletion: +\d{4}-.* \(\d+s ago\)$/m);
    await run('apply', '{ name: cellar, finalizers: [] }');
    expect((await ctl.run(['get', 'lamps', 'cellar'])).code).toBe(1);
  });
});
