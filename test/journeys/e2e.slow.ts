import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { buildImage } from '../support/image';
import { fencedBlocks } from '../support/page';
import { Typist } from '../support/typist';

// The README's tour, typed line by line with svcgen as it is published: packed, installed elsewhere, a real network.

const MINUTES = 60_000;
const SERVE = 'node dist/main.js';
const root = join(__dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const tour = fencedBlocks(readme.slice(readme.indexOf('## Tour'), readme.indexOf('## Commands')));
const blocks = (language: string): string[] =>
  tour.filter((block) => block.language === language).map(({ text }) => text);

const [create, serve, posted, refused, requests, addVersion, requestsOfBoth, ...more] = blocks('sh');
const [fields, rules] = blocks('yaml');

let folder: string;
let typist: Typist;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svcgen e2e '));
  typist = new Typist(folder, join(folder, 'node_modules/.bin'), { 8080: await freePort() });
});

afterAll(async () => {
  await typist.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the tour has no command that is not typed here', () => {
  expect(more).toEqual([]);
});

test(
  'the package installs and has a command',
  () => {
    const packed = typist.type(
      `(cd '${root}'; npm pack --json --ignore-scripts --pack-destination '${folder}')`,
    );
    const [{ filename }] = JSON.parse(packed) as { filename: string }[];
    typist.type(`npm init --yes && npm install ./${filename}`);
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(typist.type('svcgen version').trim()).toBe(version);
  },
  15 * MINUTES,
);

test(
  'a service is created, generated and installed, and passes its own tests',
  () => {
    typist.type(create);
    edit((text) => text.replace(/ *description: .*\n/, fields));
    // What starts the service is for the next test; the lines before it are not.
    typist.type(serve.replace('npm start', ''));
    expect(JSON.parse(typist.type('svcgen generate --check --json'))).toMatchObject({ ok: true });
    typist.type('npm run build && npm run typecheck && npm test');
  },
  15 * MINUTES,
);

test(
  'it answers every request of the tour, keeps what it acknowledged, and stops',
  async () => {
    await typist.stay(SERVE);
    expect(typist.type(posted)).toMatch(/^HTTP\/1.1 201 Created/);
    expect(typist.type(refused)).toContain('did you mean \\"location\\"?');
    const responses = typist.type(requests);
    expect(responses).toContain('"config":{"region":"eu","rack":"r5"}');
    expect(responses).toContain('"status":412');
    expect(responses).toContain('"ready":true');
    expect(await typist.stop(SERVE)).toBe(0);
    await typist.stay(SERVE);
    expect(typist.type('curl localhost:8080/devices')).toContain('"rack":"r5"');
    expect(await typist.stop(SERVE)).toBe(0);
  },
  MINUTES,
);

test(
  'a second version is added, and both versions read and write the same resource',
  async () => {
    typist.type(addVersion);
    edit((text) => {
      const start = text.indexOf('          v2beta1:');
      const spoke = text.slice(start).replace('location:', 'site:').replace('timeoutMs:', 'timeoutSeconds:');
      return text.slice(0, start) + spoke;
    });
    expect(() => typist.type('svcgen generate')).toThrow('Device: spec.location is required in v1');
    edit((text) => text.trimEnd() + '\n' + rules);
    typist.type('svcgen generate && npm run build && npm test');
    await typist.stay(SERVE);
    const responses = typist.type(requestsOfBoth);
    expect(responses).toContain('"site":"berlin","timeoutSeconds":2');
    expect(responses).toMatch(/"location":"paris","timeoutMs":1500.*$/);
    expect(await typist.stop(SERVE)).toBe(0);
  },
  15 * MINUTES,
);

test(
  'the steps of its Dockerfile make what runs, without what tests and builds need',
  async () => {
    const image = buildImage(typist.cwd, join(folder, 'image'));
    expect(readdirSync(join(image.folder, 'node_modules'))).not.toContain('typescript');
    const settings = Object.entries(image.environment).map(([name, value]) => `${name}=${value} `);
    const command = `cd '${image.folder}' && exec env ${settings.join('')}${image.command.join(' ')}`;
    await typist.stay(command);
    expect(typist.type('curl localhost:8080/healthz')).toBe('{"status":"ok"}');
    const [program = '', ...words] = image.healthCheck;
    const env = { ...process.env, PORT: typist.real('8080') };
    execFileSync(program, words, { env });
    expect(await typist.stop(command)).toBe(0);
    expect(() => execFileSync(program, words, { env, stdio: 'ignore' })).toThrow();
  },
  15 * MINUTES,
);

function edit(change: (text: string) => string): void {
  const file = join(typist.cwd, 'project.yaml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
