import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { type AddressInfo, createServer, type Server } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { run } from '../../src/cli/run';
import { checkNode, CHECKS } from '../../src/doctor/checks';
import { examine, type Verdict } from '../../src/doctor/finding';
import { loadProject } from '../../src/load/load-project';
import { Progress } from '../../src/terminal/io';
import { selfSignedIn } from '../runtime/kubernetes/certificate';
import { startService } from '../runtime/support/harness';
import { Terminal } from '../support/terminal';

const packages = path.join(__dirname, '../..', 'node_modules');
const project = `name: shop
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v2beta1]
    kinds:
      - name: Device
        versions:
          v1:
            spec: { timeoutMs: integer, name: string }
          v2beta1:
            spec: { timeoutSeconds: integer, name: string }
            conversion:
              - scale: { hub: spec.timeoutMs, spoke: spec.timeoutSeconds, factor: 1000 }
`;

let folder: string;
let port: string;
let taken: Server;

beforeAll(async () => {
  taken = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(taken, 'listening');
  port = String((taken.address() as AddressInfo).port);
});
afterAll(() => taken.close());

beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svcgen doctor-'));
  given('project.yaml', project);
  expect(await run(['generate'], new Terminal(folder))).toBe(0);
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function given(name: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  fs.writeFileSync(path.join(folder, name), text);
}

const read = (name: string) => fs.readFileSync(path.join(folder, name), 'utf8');
const install = () => fs.symlinkSync(packages, path.join(folder, 'node_modules'));
const withEvents = async () => {
  given('project.yaml', `events: true\n${project}`);
  expect(await run(['generate'], new Terminal(folder))).toBe(0);
  install();
};
const withoutWorkers = async () => {
  given('project.yaml', `workers: false\n${project}`);
  expect(await run(['generate'], new Terminal(folder))).toBe(0);
  install();
};
const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'ignore' });

/** Lets one check look at the project. */
async function look(name: string, env: { [name: string]: string } = {}) {
  const io = new Terminal(folder);
  const examination = examine(folder, { ...process.env, ...env }, 60_000, new Progress({ io, json: true }));
  const [, check] = CHECKS.find(([each]) => each === name)!;
  return { ...(await check(examination)), problems: examination.problems };
}

test.each([
  ['20.18.3', 'problem'],
  ['18.20.0', 'problem'],
  ['20.19.0', 'ok'],
  ['22.1.0', 'ok'],
])('Node.js %s: %s', (version, verdict) => {
  expect(checkNode(version).verdict).toBe(verdict);
});

type Case = [
  check: string,
  title: string,
  verdict: Verdict,
  detail: RegExp,
  spoil: () => unknown,
  env?: object,
];

test.each<Case>([
  ['project.yaml', 'in order', 'ok', /^1 kind$/, () => {}],
  ['generated code', 'in order', 'ok', /^up to date$/, () => {}],
  [
    'generated code',
    'a file was edited',
    'problem',
    /^1 stale: src\/generated\/routes.ts$/,
    () => given('src/generated/routes.ts', read('src/generated/routes.ts').replace('mount', 'mound')),
  ],
  [
    'generated code',
    'a stable version was changed',
    'problem',
    /^cannot be generated$/,
    () => given('project.yaml', project.replaceAll('name: string', 'name: integer')),
  ],
  [
    'generated code',
    'git ignores some of it, as a .gitignore of before did',
    'problem',
    /^git ignores \d+ files: src\/generated\/runtime\/store\/\S+, .* and \d+ more$/,
    () => {
      git('init');
      given('.gitignore', 'store/\n');
    },
  ],
  [
    'generated code',
    'git ignores some of it, and has it nevertheless',
    'ok',
    /^up to date$/,
    () => {
      git('init');
      git('add', '--all');
      given('.gitignore', 'store/\n');
    },
  ],
  [
    'generated code',
    'git ignores files that the service does without',
    'ok',
    /^up to date$/,
    () => {
      git('init');
      given('.gitignore', '/README.md\n/.env.example\n/Dockerfile\n');
    },
  ],
  [
    'generated code',
    'git ignores a source of the user',
    'problem',
    /^git ignores 1 file: src\/kinds\/\S+\/device.ts$/,
    () => {
      git('init');
      given('.gitignore', '/src/kinds/\n');
    },
  ],
  ['svcgen.lock', 'no repository', 'ok', /no git repository/, () => {}],
  ['svcgen.lock', 'missing', 'problem', /^missing$/, () => fs.rmSync(path.join(folder, 'svcgen.lock'))],
  ['svcgen.lock', 'not added', 'warning', /^not under version control$/, () => git('init')],
  [
    'svcgen.lock',
    'ignored',
    'problem',
    /^git ignores it$/,
    () => {
      git('init');
      given('.gitignore', '*.lock\n');
    },
  ],
  [
    'svcgen.lock',
    'added',
    'ok',
    /under version control/,
    () => {
      git('init');
      git('add', 'svcgen.lock');
    },
  ],
  ['dependencies', 'before npm install', 'problem', /^not installed$/, () => {}],
  ['dependencies', 'installed', 'ok', /^installed$/, install],
  [
    'dependencies',
    'something was not installed, another version was',
    'problem',
    /^missing: no-such-package@\^1.0.0, invalid: pg@\d\S+$/,
    () => {
      install();
      const { dependencies, ...rest } = JSON.parse(read('package.json')) as { dependencies: object };
      const wanted = { ...dependencies, pg: '^1.0.0', 'no-such-package': '^1.0.0' };
      given('package.json', JSON.stringify({ ...rest, dependencies: wanted }));
    },
  ],
  [
    'dependencies',
    'package.json is older than svcgen',
    'warning',
    /^package.json lacks prom-client@\^/,
    () => {
      install();
      given('package.json', read('package.json').replace(/.*"prom-client".*\n/, ''));
    },
  ],
  [
    'dependencies',
    'ts-jest and ts-node of an older project',
    'ok',
    /^installed$/,
    () => {
      install();
      const older = read('package.json')
        .replace(/.*"@swc\/core".*\n/, '')
        .replace(/"@swc\/jest": ".*"/, '"ts-jest": "*"')
        .replace(/"tsx": ".*"/, '"ts-node": "*"');
      given('package.json', older);
    },
  ],
  [
    'dependencies',
    'package.json is missing',
    'problem',
    /^package.json is missing$/,
    () => fs.rmSync(path.join(folder, 'package.json')),
  ],
  [
    'dependencies',
    'package.json has a merge conflict',
    'problem',
    /^package.json has a merge conflict$/,
    () => given('package.json', `<<<<<<< HEAD\n${read('package.json')}`),
  ],
  [
    'dependencies',
    'package.json has another type of modules than the build',
    'problem',
    /^package.json says "type": "module", but the build makes CommonJS$/,
    () => given('package.json', read('package.json').replace('"commonjs"', '"module"')),
  ],
  ['.env', 'none', 'ok', /^none; .env.example/, () => {}],
  ['.env', 'with settings', 'ok', /^sets MINE, PORT$/, () => given('.env', 'PORT=1\nMINE=2\n')],
  [
    '.env',
    'a line that is no setting',
    'problem',
    /^line 3 is not NAME=value$/,
    () => given('.env', 'export LOG_LEVEL=info\n# for\nthe port=1\n'),
  ],
  ['.env', 'a slip', 'warning', /^LOG_LEVLE is not a setting/, () => given('.env', 'LOG_LEVLE=info\n')],
  [
    '.env',
    'several slips',
    'warning',
    /^LOG_LEVLE, PROT are not settings of the service/,
    () => given('.env', 'PROT=1\nMINE=2\nLOG_LEVLE=info\n'),
  ],
  [
    '.env',
    'committed',
    'problem',
    /^under version control/,
    () => {
      git('init');
      given('.env', 'PORT=1\n');
      git('add', '--force', '.env');
    },
  ],
  ['types', 'before npm install', 'warning', /not installed$/, () => {}],
  ['types', 'in order', 'ok', /^the sources compile$/, install],
  [
    'types',
    'functions of a rule that the file of the kind lacks',
    'problem',
    /^src\/generated\/.*\(\d+,\d+\): error TS\d+: .*'labelFromHub'\. \(and 1 more\)$/,
    async () => {
      const custom = '- custom: { name: label, hub: [spec.label], spoke: [spec.label] }';
      const [before, after] = project
        .replaceAll('name: string', 'label: string')
        .split('              - scale');
      given('project.yaml', `${before}              ${custom}\n              - scale${after}`);
      expect(await run(['generate', '--force'], new Terminal(folder))).toBe(0);
      install();
    },
  ],
  [
    'types',
    'no command to compile',
    'warning',
    /no command typecheck$/,
    () => {
      install();
      given('package.json', read('package.json').replace(/.*"typecheck".*\n/, ''));
    },
  ],
  ['hooks', 'before npm install', 'warning', /not installed$/, () => {}],
  ['hooks', 'in order', 'ok', /^valid$/, install],
  [
    'hooks',
    'an export that nothing calls',
    'problem',
    /^src\/kinds\/example\.svc\.dev\/device\.ts: the export validat is unknown; did you mean validate\?/,
    () => {
      install();
      given('src/kinds/example.svc.dev/device.ts', 'export const validat = () => [];\n');
    },
  ],
  [
    'hooks',
    'a file that throws',
    'problem',
    /^the project's code does not run: Error: no password$/,
    () => {
      install();
      given('src/kinds/example.svc.dev/device.ts', "throw new Error('no password');\n");
    },
  ],
  ['settings', 'before npm install', 'warning', /not installed$/, () => {}],
  [
    'settings',
    'code with a merge conflict',
    'problem',
    /^the project's code does not run: Error: Transform failed/,
    () => {
      install();
      given('src/generated/service.ts', `<<<<<<< HEAD\n${read('src/generated/service.ts')}`);
    },
  ],
  ['settings', 'valid', 'ok', /^valid$/, install],
  ['settings', 'wrong', 'problem', /MAX_DEPTH=x: expected an integer/, install, { MAX_DEPTH: 'x' }],
  [
    'settings',
    'workers that were left out',
    'problem',
    /^WORKERS=2 needs a service that is generated with workers: true$/,
    withoutWorkers,
    { WORKERS: '2' },
  ],
  [
    'settings',
    'a missing certificate',
    'problem',
    /^TLS_CERT=none does not exist$/,
    install,
    { TLS_CERT: 'none', TLS_KEY: 'none' },
  ],
  ['settings', 'without events no webhook is wrong', 'ok', /^valid$/, install, { WEBHOOK_URLS: 'x' }],
  ['settings', 'a wrong webhook', 'problem', /^WEBHOOK_URLS, number 1: /, withEvents, { WEBHOOK_URLS: 'x' }],
  ['settings', 'a webhook', 'ok', /^valid$/, withEvents, { WEBHOOK_URLS: 'https://a.example' }],
  ['port', 'free', 'ok', /^127.0.0.1:\d+ is free$/, () => {}, { HOST: '127.0.0.1', PORT: '0' }],
  ['port', 'none', 'problem', /^PORT=x is not a port$/, () => given('.env', 'PORT=x\n')],
  ['port', 'not of this machine', 'problem', /EADDRNOTAVAIL/, () => {}, { HOST: '192.0.2.1', PORT: '0' }],
  ['database', 'not there yet', 'ok', /^.\/data\/shop.db does not exist/, install],
  [
    'database',
    'of .env',
    'ok',
    /in memory/,
    () => (install(), given('.env', 'DATABASE_URL=sqlite::memory:')),
  ],
  [
    'database',
    'damaged',
    'problem',
    /is damaged or not a SQLite database/,
    () => (install(), given('data/shop.db', 'x'.repeat(5000))),
  ],
  [
    'database',
    'away',
    'problem',
    /ECONNREFUSED/,
    install,
    { DATABASE_URL: 'postgres://someone:s3cr3t@127.0.0.1:1/shop' },
  ],
  ['database', 'wrong settings', 'warning', /fix the settings first/, install, { MAX_DEPTH: 'x' }],
  [
    'database',
    'code of the project that does not run',
    'problem',
    /^the project's code does not run: .*nothing-of-this-name/,
    () => {
      install();
      given('src/generated/service.ts', "import './nothing-of-this-name';\n");
    },
  ],
  [
    'conversion',
    'in order',
    'ok',
    /^1 kind obeys the laws on 10 random resources/,
    install,
    { LAW_RUNS: '10' },
  ],
  [
    'conversion',
    'a law is broken',
    'problem',
    /^Device: no version loses what another one wrote: broken/,
    () => {
      install();
      const file = 'src/generated/kinds/example.svc.dev/device/v2beta1.convert.ts';
      given(file, `${read(file)}\nconverter.fromHub = () => ({ spec: {}, status: {} });\n`);
    },
  ],
])('%s, %s: %s', async (check, _title, verdict, detail, spoil, env = {}) => {
  await spoil();
  const found = await look(check, env as { [name: string]: string });
  expect(found).toMatchObject({ verdict, detail: expect.stringMatching(detail) as string });
  expect(JSON.stringify(found)).not.toContain('s3cr3t');
  if (verdict === 'problem') expect(found.hint).toBeDefined();
});

test('a port that others have is a problem, one that this service has is none', async () => {
  const others = await look('port', { HOST: '127.0.0.1', PORT: port });
  expect(others).toMatchObject({
    verdict: 'problem',
    detail: expect.stringContaining(`127.0.0.1:${port} is in use by another program`) as string,
    hint: expect.stringContaining('PORT=8081 npm start') as string,
  });
  const service = await startService(loadProject(folder).project);
  try {
    const elsewhere = process.cwd();
    const namesake = await look('port', { HOST: '127.0.0.1', PORT: String(service.port) });
    // Only Linux shows where a process runs.
    expect(namesake).toMatchObject({
      verdict: process.platform === 'linux' ? 'problem' : 'warning',
      detail: expect.stringMatching(/in use by the service .*, in |of this name/) as string,
    });
    process.chdir(folder);
    const own = await look('port', { HOST: '127.0.0.1', PORT: String(service.port) });
    process.chdir(elsewhere);
    if (process.platform === 'linux')
      expect(own).toMatchObject({ verdict: 'ok', detail: expect.stringContaining('this service') as string });
  } finally {
    await service.close();
  }
});

test('a service on an IPv6 address is known', async () => {
  const service = http.createServer((_, res) => res.end('{"name":"other","kinds":{}}'));
  service.listen(0, '::1');
  const isListening = await once(service, 'listening').then(
    () => true,
    () => false,
  );
  if (!isListening) return console.warn('skipped: there is no IPv6 here');
  try {
    const { port } = service.address() as AddressInfo;
    expect(await look('port', { HOST: '::1', PORT: String(port) })).toMatchObject({
      detail: expect.stringContaining(`[::1]:${port} is in use by the service other`) as string,
    });
  } finally {
    service.closeAllConnections();
    service.close();
  }
});

test('a service that speaks https is known, whatever its certificate', async () => {
  const certificate = selfSignedIn(folder, 'served');
  const [cert, key] = [read(path.basename(certificate.TLS_CERT)), read(path.basename(certificate.TLS_KEY))];
  const service = https.createServer({ cert, key }, (_, res) => res.end('{"name":"other","kinds":{}}'));
  await once(service.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = service.address() as AddressInfo;
    const env = { ...certificate, HOST: '127.0.0.1', PORT: String(port) };
    expect(await look('port', env)).toMatchObject({
      detail: expect.stringContaining(`127.0.0.1:${port} is in use by the service other`) as string,
    });
  } finally {
    service.closeAllConnections();
    service.close();
  }
});

test('a port where a response has no end is taken by another program', async () => {
  let sent = 0;
  const endless = http.createServer((_, res) => {
    const more = (): void => {
      for (let room = true; room && !res.destroyed; sent += 65_536) room = res.write(' '.repeat(65_536));
    };
    res.on('drain', more);
    more();
  });
  await once(endless.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = endless.address() as AddressInfo;
    expect(await look('port', { HOST: '127.0.0.1', PORT: String(port) })).toMatchObject({
      detail: expect.stringContaining('is in use by another program') as string,
    });
    expect(sent).toBeLessThan(40_000_000);
  } finally {
    endless.closeAllConnections();
    endless.close();
  }
});

test('nothing is compiled into the folders of the sources', async () => {
  install();
  given('tsconfig.json', read('tsconfig.json').replace('"noEmit": true', '"noEmit": false'));
  expect(await look('types')).toMatchObject({ verdict: 'ok' });
  expect(fs.readdirSync(path.join(folder, 'src'))).not.toContain('main.js');
});

test('after init there is one thing to do', async () => {
  const io = new Terminal(folder, false, { HOST: '127.0.0.1', PORT: '0' });
  expect(await run(['doctor'], io)).toBe(1);
  expect(io.out).toContain('problem  dependencies    not installed\n');
  expect(io.out.match(/^problem/gm)).toHaveLength(1);
  expect(io.err).toBe('');
});

test('git refuses a repository of another user', async () => {
  git('init');
  // The switch of git's own tests.
  process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1';
  try {
    expect(await look('svcgen.lock')).toMatchObject({
      verdict: 'warning',
      detail: 'git refuses the repository, which belongs to another user',
      hint: expect.stringMatching(/^git config --global --add safe.directory /) as string,
    });
  } finally {
    delete process.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'];
  }
});

test('in a workspace, the packages are above the project', async () => {
  install();
  const workspace = folder;
  folder = path.join(workspace, 'services', 'own');
  try {
    given('project.yaml', project);
    expect(await run(['generate'], new Terminal(folder))).toBe(0);
    for (const name of ['types', 'settings', 'database', 'conversion'])
      expect(await look(name)).toMatchObject({ verdict: 'ok' });
    expect((await look('dependencies')).detail).not.toBe('not installed');
  } finally {
    folder = workspace;
  }
});

test.each(['settings', 'database'])('code of another release of svcgen: %s are not checked', async (name) => {
  install();
  fs.rmSync(path.join(folder, 'src/generated/runtime/service/check-start.ts'));
  const found = await look(name);
  expect(found).toMatchObject({ verdict: 'warning', hint: 'run svcgen generate' });
  expect(found.detail).toContain('another release of svcgen');
});

test('problems of project.yaml are told where they are', async () => {
  given('project.yaml', project.replace('integer', 'intger'));
  const io = new Terminal(folder, false, { HOST: '127.0.0.1', PORT: '0' });
  expect(await run(['doctor', '--json'], io)).toBe(1);
  const { ok, problems, checks } = JSON.parse(io.out) as {
    ok: boolean;
    problems: object[];
    checks: object[];
  };
  expect(ok).toBe(false);
  expect(problems).toMatchObject([
    { file: 'project.yaml', line: 10 },
    { message: 'dependencies: not installed', hint: 'run npm install' },
  ]);
  expect(checks).toHaveLength(CHECKS.length);
});

test('with everything in order it exits 0', async () => {
  install();
  const io = new Terminal(folder, false, { HOST: '127.0.0.1', PORT: '0', LAW_RUNS: '5' });
  expect(await run(['doctor'], io)).toBe(0);
  expect(io.out.match(/^ok/gm)).toHaveLength(CHECKS.length);
});

test.each([['--timeout 0'], ['--timeout x'], ['extra'], ['--project nowhere']])(
  'doctor %s: exit 2',
  async (argv) => {
    expect(await run(['doctor', ...argv.split(' ')], new Terminal(folder))).toBe(2);
  },
);

test('code that takes too long is given up', async () => {
  install();
  given('src/generated/service.ts', 'for (;;) {}\n');
  const io = new Terminal(folder, false, { HOST: '127.0.0.1', PORT: '0', LAW_RUNS: '5' });
  await run(['doctor', '--timeout', '3'], io);
  expect(io.out).toMatch(/warning {2}database .*not finished within 3 s\n.*--timeout/);
});

test('code that goes on does not hold up the end', () => {
  install();
  given('src/kinds/example.svc.dev/device.ts', 'setInterval(() => {}, 1_000);\n');
  const svcgen = path.join(__dirname, '../../bin/svcgen.js');
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', LAW_RUNS: '5' };
  const options = { cwd: folder, env, timeout: 600_000, encoding: 'utf8' } as const;
  const { stdout, signal } = spawnSync(process.execPath, [svcgen, 'doctor', '--timeout', '3600'], options);
  expect({ stdout, signal }).toEqual({
    stdout: expect.stringMatching(/^ok .* database .*\nok /m),
    signal: null,
  });
});
