import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/run';
import { Terminal } from '../support/terminal';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'convert-'));
  cpSync(join(__dirname, '../../examples/device-service/project.yaml'), join(folder, 'project.yaml'));
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

async function convert(
  args: string,
  input: string | Buffer[] = '',
): Promise<{ exit: number; out: string; err: string }> {
  const terminal = new Terminal(folder, false, {}, input);
  const exit = await run(['convert', ...args.split(' ')], terminal);
  return { exit, out: terminal.out, err: terminal.err };
}

describe('svcgen convert', () => {
  test('as docs/command-line.md shows it', async () => {
    const page = readFileSync(join(__dirname, '../../docs/command-line.md'), 'utf8');
    const example = /^\$ echo '(.*)' \| svcgen convert (.*)\n([^]*?)^```/m.exec(page);
    const [, input, args, response] = example ?? [];
    expect(await convert(args, input)).toEqual({ exit: 0, out: response, err: '' });
  });

  test.each([
    ['v1', 'v2beta1', v1, v2beta1],
    ['v2beta1', 'v1', v2beta1, v1],
    ['v1', 'v1', v1, v1],
  ])('%s to %s, from stdin', async (from, to, given, want) => {
    const { exit, out } = await convert(`--kind Device --from ${from} --to ${to}`, JSON.stringify(given));
    expect([exit, JSON.parse(out)]).toEqual([0, want]);
  });

  describe('a kind with unique names, indexed strings and finalizers', () => {
    const project = `name: shop
events: true
kubernetes: true
groups:
  - name: a.dev
    versions: [v1]
    kinds:
      - name: Device
        versions: { v1: { spec: { site: { type: string, selectable: true } } } }
`;
    const long = 'x'.repeat(501);

    test.each<[metadata: object, site: string, failure: string | undefined]>([
      [{ generateName: 'd-', finalizers: ['a.dev/x'] }, 'a', undefined],
      [{ name: 'dev-1234567890abcdef', uid: 'dev-1234567890abcdef' }, 'a', undefined],
      [{ name: 'UPPER' }, 'a', '#/metadata/name: metadata.name must have lowercase letters'],
      [
        { name: 'dev-1234567890abcdef' },
        'a',
        '#/metadata/name: metadata.name must not have the form of a uid',
      ],
      [{ finalizers: ['-'] }, 'a', '#/metadata/finalizers'],
      [{}, long, '#/spec/site: must have at most 500 characters'],
    ])('%j: as the service', async (metadata, site, failure) => {
      const place = mkdtempSync(join(tmpdir(), 'convert-data-'));
      writeFileSync(join(place, 'project.yaml'), project);
      const terminal = new Terminal(place, false, {}, JSON.stringify({ metadata, spec: { site } }));
      const exit = await run(['convert', '--kind', 'Device', '--from', 'v1', '--to', 'v1'], terminal);
      rmSync(place, { recursive: true });
      expect([exit, terminal.err]).toEqual([
        failure === undefined ? 0 : 2,
        failure === undefined ? '' : expect.stringContaining(failure),
      ]);
    });
  });

  test.each([
    [{ name: 5 }, '/metadata/name'],
    [{ labels: { a: true } }, '/metadata/labels/a'],
    [{ nmae: 'x' }, '/metadata/nmae'],
    [
      { labels: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`l${i}`, ''])) },
      '/metadata/labels',
    ],
  ])('metadata is checked as a service does', async (metadata, pointer) => {
    const { exit, out, err } = await convert(
      '--kind Device --from v1 --to v2beta1 --json',
      JSON.stringify({ ...v1, metadata }),
    );
    expect(exit).toBe(2);
    expect(out + err).toContain(pointer.split('/').at(-1));
  });

  test('from a file, as JSON', async () => {
    writeFileSync(join(folder, 'files/device.json'), JSON.stringify(v1));
    const { out } = await convert('--kind Device --from v1 --to v2beta1 --json files/device.json');
    expect(JSON.parse(out)).toMatchObject({ ok: true, document: v2beta1 });
  });

  test('from a file by its whole path', async () => {
    const file = join(folder, 'files/whole.json');
    writeFileSync(file, JSON.stringify(v1));
    const { out } = await convert(`--kind Device --from v1 --to v2beta1 ${file}`);
    expect(JSON.parse(out)).toEqual(v2beta1);
  });

  test('from stdin in pieces that divide a character', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...v1, spec: { ...v1.spec, location: 'zürich' } }));
    const middle = bytes.indexOf('ü') + 1;
    const pieces = [bytes.subarray(0, middle), bytes.subarray(middle)];
    const { out } = await convert('--kind Device --from v1 --to v2beta1', pieces);
    expect(JSON.parse(out)).toMatchObject({ spec: { site: 'zürich' } });
  });

  test('from YAML, with the defaults of a new resource', async () => {
    const yaml = 'spec:\n  name: a\n  location: berlin # where it stands\n';
    const { out } = await convert('--kind Device --from v1 --to v2beta1', yaml);
    expect(JSON.parse(out)).toEqual({
      apiVersion: 'example.svc.dev/v2beta1',
      kind: 'Device',
      spec: { name: 'a', site: 'berlin' },
      status: { ready: false },
    });
  });

  test('the version that the server gave is carried over', async () => {
    const status = { ready: true, version: 'ver-1' };
    const { out } = await convert('--kind Device --from v1 --to v2beta1', JSON.stringify({ ...v1, status }));
    expect(JSON.parse(out)).toMatchObject({ status });
  });

  test('a document that breaks rules is refused with all of them, where they are', async () => {
    const yaml = 'spec:\n  name: 7\n  locaton: x\nstatus: { ready: 1 }\n';
    const { exit, err } = await convert('--kind Device --from v1 --to v2beta1', yaml);
    expect([exit, err.match(/^\S.*$/gm)]).toEqual([
      2,
      [
        'stdin:2:3: #/spec/location: location is required',
        'stdin:2:9: #/spec/name: name must be a string',
        'stdin:3:12: #/spec/locaton: unknown field "locaton"; did you mean "location"?',
        'stdin:4:18: #/status/ready: ready must be true or false',
      ],
    ]);
    const { out } = await convert('--kind Device --from v1 --to v2beta1 --json', yaml);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      problems: [{ file: 'stdin', line: 2, column: 3 }, {}, {}, {}],
    });
  });

  test('failures are in the order of the document, whatever the order of the checks', async () => {
    const yaml = 'status: { ready: 1 }\nspec: { name: 7, location: x }\n';
    const { err } = await convert('--kind Device --from v1 --to v2beta1', yaml);
    expect(err.match(/^stdin.*$/gm)).toEqual([
      'stdin:1:18: #/status/ready: ready must be true or false',
      'stdin:2:15: #/spec/name: name must be a string',
    ]);
  });

  describe('with functions of rules custom', () => {
    const places = join('files', 'places');
    const kinds = 'src/kinds/example.svc.dev';
    beforeAll(() => {
      mkdirSync(join(folder, places, kinds), { recursive: true });
      writeFileSync(
        join(folder, places, 'project.yaml'),
        `name: places
groups:
  - storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Place
        versions:
          v1: { spec: { lat: { type: number, rules: [max=90] }, lon: number } }
          v1beta1:
            spec: { position: string }
            conversion: [{ custom: { hub: [spec.lat, spec.lon], spoke: [spec.position], name: position } }]
`,
      );
    });
    const user = (text: string): void => writeFileSync(join(folder, places, kinds, 'place.ts'), text);
    const toHub = `export function positionToHub({ position = '' }: { position?: string }): object {
  const [lat, lon] = position.split(',').map(Number);
  if (Number.isNaN(lat)) throw new Error('must be latitude,longitude');
  return { lat, lon };
}
`;
    const fromHub =
      'export const positionFromHub = (hub: { lat: number; lon: number }) => ({ position: `${hub.lat},${hub.lon}` });\n';
    const place = (spec: object, from: string, to: string) =>
      convert(`--project ${places} --kind Place --from ${from} --to ${to}`, JSON.stringify({ spec }));

    test('in both directions, before npm install', async () => {
      user(toHub + fromHub);
      expect(JSON.parse((await place({ lat: 1, lon: 2 }, 'v1', 'v1beta1')).out)).toMatchObject({
        spec: { position: '1,2' },
      });
      expect(JSON.parse((await place({ position: '1,2' }, 'v1beta1', 'v1')).out)).toMatchObject({
        spec: { lat: 1, lon: 2 },
      });
    });

    test.each<[what: string, text: string, spec: object, message: string]>([
      [
        'that refuse',
        toHub + fromHub,
        { position: 'x' },
        'stdin:1:21: #/spec/position: must be latitude,longitude',
      ],
      [
        'whose result breaks a rule of the hub',
        toHub + fromHub,
        { position: '91,0' },
        '#/spec/position: in v1, lat must be at most 90',
      ],
      [
        'of which one is not there',
        fromHub,
        { position: '1,2' },
        'place.ts: it does not export positionToHub',
      ],
    ])('%s', async (_, text, spec, message) => {
      user(text);
      const { exit, out, err } = await place(spec, 'v1beta1', 'v1');
      expect([exit, out]).toEqual([2, '']);
      expect(err).toContain(message);
    });

    test('that throw for a reader', async () => {
      user(`${toHub}export const positionFromHub = (): object => { throw new Error('no map'); };\n`);
      const { exit, out, err } = await place({ lat: 1, lon: 2 }, 'v1', 'v1beta1');
      expect([exit, JSON.parse(out)]).toEqual([
        0,
        { apiVersion: 'example.svc.dev/v1beta1', kind: 'Place', spec: {} },
      ]);
      expect(err).toContain('place.ts: warning: positionFromHub threw: no map');
    });

    test.each([
      ['a folder, by its index', '../../maps', 'maps/index.ts'],
      ['a folder, with a slash', '../../maps/', 'maps/index.ts'],
      ['a file before a folder', '../../maps', 'maps.ts'],
      ['a file by the name of its output', '../../maps.js', 'maps.ts'],
      ['JavaScript', '../../maps', 'maps.js'],
    ])('that import %s', async (_, name, path) => {
      const maps = join(folder, places, 'src');
      for (const each of ['maps', 'maps.ts', 'maps.js'])
        rmSync(join(maps, each), { recursive: true, force: true });
      mkdirSync(join(maps, 'maps'), { recursive: true });
      writeFileSync(join(maps, 'maps/index.ts'), `export const text = 'index';\n`);
      writeFileSync(
        join(maps, path),
        `import { numbers } from './${path.startsWith('maps/') ? '../' : ''}numbers.json';
export const text = (): string => '${path} ' + numbers;
`,
      );
      writeFileSync(join(maps, 'numbers.json'), '{ "numbers": [1, 2] }');
      user(`import { text } from '${name}';
${toHub}export const positionFromHub = (): object => ({ position: text() });
`);
      const { out, err } = await place({ lat: 1, lon: 2 }, 'v1', 'v1beta1');
      expect([err, JSON.parse(out)]).toMatchObject(['', { spec: { position: `${path} 1,2` } }]);
    });

    test('in a generated project whose hooks are those of the scaffolded example', async () => {
      rmSync(join(folder, places, kinds, 'place.ts'));
      const terminal = new Terminal(join(folder, places), false, {}, '');
      expect(await run(['generate'], terminal)).toBe(0);
      const hooks = readFileSync(join(folder, places, kinds, 'place.ts'), 'utf8');
      const example = readFileSync(join(__dirname, '../../templates/project/src/kind.ts.hbs'), 'utf8');
      const [line] = /^import \{ requires \} .*$/m.exec(example.replace(/^\/\/ /gm, ''))!;
      user(
        `${hooks}\n${line}\n${toHub}${fromHub}export const policy = { canUpdate: requires('places:update') };\n`,
      );
      const { exit, out, err } = await place({ lat: 1, lon: 2 }, 'v1', 'v1beta1');
      expect([exit, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ spec: { position: '1,2' } });
    });

    test('whose file is not there', async () => {
      rmSync(join(folder, places, kinds, 'place.ts'));
      const { exit, err } = await place({ lat: 1, lon: 2 }, 'v1', 'v1beta1');
      expect([exit, err]).toEqual([
        2,
        expect.stringContaining('cannot read src/kinds/example.svc.dev/place.ts'),
      ]);
    });
  });

  test('every mistake of a document is reported at once', async () => {
    const document = { apiVersion: 'a/v1', kind: 'Book', one: 1, two: 2, spec: { nonsense: true } };
    const { exit, err } = await convert('--kind Device --from v1 --to v1', JSON.stringify(document));
    expect(exit).toBe(2);
    for (const message of ['apiVersion is', 'kind is', 'member "one"', 'member "two"', '#/spec/nonsense'])
      expect(err).toContain(message);
  });

  describe('between a version with fields of its own and the storage version', () => {
    const project = `name: a
groups:
  - name: a.dev
    storageVersion: v1
    versions: [v1, v1beta1]
    kinds:
      - name: Dev
        versions:
          v1:
            spec: { n: integer, port: integer, m: { type: string, rules: [max=3] } }
            status: { phase: { type: string, rules: [required] } }
          v1beta1:
            spec: { s: integer, l: { type: list, items: string }, t: number, port: string, m: string }
            status: { phase: { type: string, rules: [required] }, note: string }
            conversion:
              - scale: { hub: spec.n, spoke: spec.t, factor: 1 }
              - cast: { hub: spec.port, spoke: spec.port }
`;
    async function convertDev(to: string, document: object): Promise<{ exit: number; terminal: Terminal }> {
      const place = mkdtempSync(join(tmpdir(), 'convert-own-'));
      writeFileSync(join(place, 'project.yaml'), project);
      const terminal = new Terminal(place, false, {}, JSON.stringify(document));
      const exit = await run(['convert', '--kind', 'Dev', '--from', 'v1beta1', '--to', to], terminal);
      rmSync(place, { recursive: true });
      return { exit, terminal };
    }

    test('what cannot be converted, and what breaks rules of either, is reported at once', async () => {
      const { exit, terminal } = await convertDev('v1', { spec: { s: 'x', port: 'y', m: 'long' } });
      expect(exit).toBe(2);
      for (const pointer of ['#/spec/s', '#/spec/port', '#/spec/m']) expect(terminal.err).toContain(pointer);
    });

    test('a document without a status needs none of its fields, as a new resource', async () => {
      for (const status of [undefined, {}, { note: null }]) {
        const { exit, terminal } = await convertDev('v1', { spec: { s: 1 }, status });
        expect([exit, terminal.err]).toEqual([0, '']);
      }
      const { exit, terminal } = await convertDev('v1', { spec: { s: 1 }, status: { note: 'x' } });
      expect(exit).toBe(2);
      expect(terminal.err).toContain('#/status/phase: phase is required');
    });

    test('to the same version, nothing is lost', async () => {
      const document = { spec: { s: 1, l: ['a'], t: 1.5 }, status: { phase: 'y', note: 'x' } };
      const { exit, terminal } = await convertDev('v1beta1', document);
      expect([exit, terminal.err]).toEqual([0, '']);
      expect(JSON.parse(terminal.out)).toMatchObject(document);
    });
  });

  test.each([
    ['--kind Device --from v1 --to v1', '[]', 'stdin is not a resource: it is not an object'],
    ['--kind Device --from v1 --to v1', 'spec: *x', 'stdin:1:7'],
    ['--kind Device --from v1 --to v1', '{"kind":"Book","spec":{}}', 'kind is "Book", not Device'],
    [
      '--kind Device --from v1 --to v1',
      '{"apiVersion":"a/v1","spec":{}}',
      'apiVersion is "a/v1", not example.svc.dev/v1',
    ],
    ['--kind Device --from v1 --to v1', '{"spec":{},"status":7}', 'stdin:1:21: status must be an object'],
    ['--kind Device --from v1 --to v1', '{"spec":{},"sepc":{}}', 'unknown member "sepc"'],
    ['--kind Devise --from v1 --to v1', '{}', 'kind Devise not found in project.yaml; available: Device'],
    ['--kind Device --from v3 --to v1', '{}', 'version v3 not found in kind Device; available: v1, v2beta1'],
    [
      '--kind Device --from v1 --to v1 --group shop.dev',
      '{}',
      'group shop.dev not found; available: example.svc.dev',
    ],
    ['--kind Device --from v1 --to v1', '{', 'stdin is not JSON'],
    ['--kind Device --from v1 --to v1', '{}', 'stdin is not a resource'],
    ['--kind Device --from v1 --to v1 files/none.json', '', 'cannot read'],
    ['--kind Device --from v1', '', "required option '--to <version>' not specified"],
  ])('%s: refused', async (args, input, message) => {
    const { exit, out, err } = await convert(args, input);
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
