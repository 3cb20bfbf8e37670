import '../../templates/runtime/data/settings';
import '../../templates/runtime/events/log/event-settings';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Options, transformSync } from '@swc/core';
import * as ts from 'typescript';
import { parse, parseAllDocuments } from 'yaml';
import { loadProject } from '../../src/load/load-project';
import type { KindVersion, Project } from '../../src/model/project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';
import descriptions from '../../src/render/service-settings.json';
import { SETTINGS } from '../../templates/runtime/settings/settings';

const folder = join(__dirname, '../..', 'fixtures', 'minimal');
const { project: minimal } = loadProject(folder);
const rendered = (changes: Partial<Project>): Map<string, string> =>
  new Map(render(plannedProject({ ...minimal, ...changes })).map(({ path, text }) => [path, text]));
const withPattern = (version: KindVersion): KindVersion => ({
  ...version,
  spec: version.spec.map((field) => ({ ...field, rules: { ...field.rules, pattern: '^[a-z]+$' } })),
});
/** The project with unique names and a pattern, which have settings of their own. */
const groups = minimal.groups.map((group) => ({
  ...group,
  kinds: group.kinds.map((kind) => ({
    ...kind,
    uniqueNames: true,
    versions: kind.versions.map(withPattern),
  })),
}));
const BEARER = { type: 'bearer' } as const;
const KEY = { type: 'apiKey', header: 'X-Key' } as const;
const files = rendered({ events: true, nats: true, kubernetes: true, groups });

test('every setting of the runtime is described', () => {
  expect(Object.keys(descriptions)).toEqual(Object.keys(SETTINGS));
});

test('the tests of a project may have decorators, as the sources of its build may', () => {
  const { transform } = require('../../templates/project/jest.config.js') as {
    transform: { [pattern: string]: [string, Options] };
  };
  const [[, options]] = Object.values(transform);
  const source = 'const held = (method: Function) => () => 1; export class Job { @held run() { return 0; } }';
  const { code } = transformSync(source, { ...options, swcrc: false, module: { type: 'commonjs' } });
  const exports: { Job?: new () => { run(): number } } = {};
  new Function('exports', code)(exports);
  expect(new exports.Job!().run()).toBe(1);
});

test('the README has a row for every setting', () => {
  const rows = files.get('README.md')!.match(/^\| `[A-Z_]+` .*$/gm)!;
  const names = rows.map((row) => /`([A-Z_]+)`/.exec(row)![1]);
  expect(names).toEqual(Object.keys(SETTINGS));
  for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(5);
});

test('a project names the settings of its service alone', () => {
  const text = rendered({}).get('.env.example')!;
  expect(text).toMatch(/^#TLS_CERT=$/m);
  expect(text).toMatch(/^#TLS_KEY=$/m);
  expect(text).not.toMatch(/MAX_PATTERN_|EVENTS_|CASCADE_/);
});

test('the first test of a project is the same whatever it declares: it holds when that changes', () => {
  const first = files.get('test/app.test.ts');
  for (const changes of [{}, { security: [BEARER] }, { databases: ['postgres' as const] }])
    expect(rendered(changes).get('test/app.test.ts')).toBe(first);
});

test('git ignores no file of a project, whatever its kinds are called', () => {
  const named = groups.map(({ kinds: [kind], ...group }) => ({
    ...group,
    kinds: ['Data', 'Dist', 'Coverage'].map((name) => ({ ...kind, name, plural: name.toLowerCase() })),
  }));
  const paths = [...rendered({ events: true, groups: named }).keys()];
  const repository = mkdtempSync(join(tmpdir(), 'svcgen git-'));
  try {
    writeFileSync(join(repository, '.gitignore'), files.get('.gitignore')!);
    const git = (...words: string[]) =>
      spawnSync('git', words, { cwd: repository, input: paths.join('\n'), encoding: 'utf8' });
    expect(git('init').status).toBe(0);
    expect(git('check-ignore', '--stdin')).toMatchObject({ stdout: '', status: 1 });
    expect(git('check-ignore', 'data/a.db', 'dist/main.js', 'coverage/x', 'node_modules/x')).toMatchObject({
      stdout: 'data/a.db\ndist/main.js\ncoverage/x\nnode_modules/x\n',
    });
  } finally {
    rmSync(repository, { recursive: true });
  }
});

test('the README has a row for every command of package.json', () => {
  const { scripts } = JSON.parse(files.get('package.json')!) as { scripts: { [name: string]: string } };
  const rows = [...files.get('README.md')!.matchAll(/^\| `npm (?:run )?([\w-]+)` /gm)];
  const own = Object.keys(scripts).filter((name) => !name.startsWith('pre'));
  expect(rows.map(([, name]) => name).sort()).toEqual(own.sort());
});

test('.env.example names every setting, with what it is without one', () => {
  const lines = files.get('.env.example')!.match(/^#[A-Z_]+=.*$/gm)!;
  const fallbacks = Object.entries(SETTINGS).map(([name, { fallback }]) => [name, String(fallback)]);
  const own = [
    ['DATABASE_URL', 'sqlite:./data/minimal.db'],
    ['JWT_SECRET', ''],
  ];
  const expected = new Map([...fallbacks, ...own] as [string, string][]);
  expect(lines.map((line) => line.slice(1)).sort()).toEqual(
    [...expected].map(([name, value]) => `${name}=${value}`).sort(),
  );
});

test('middleware with parameters that it does not use compiles, as express users write it', () => {
  const root = join(__dirname, '../..');
  const file = join(root, '.tmp', 'middleware.ts');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `import type { NextFunction, Request, Response } from 'express';
     export const allow = (req: Request, res: Response, next: NextFunction): void => next();`,
  );
  const settings = JSON.parse(files.get('tsconfig.json')!) as object;
  const { options } = ts.parseJsonConfigFileContent(settings, ts.sys, root);
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], { ...options, types: ['node'] }));
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

test('the dependencies of a service that uses everything are those that its sources import', () => {
  const rendered = render(
    plannedProject(loadProject(join(__dirname, '../..', 'fixtures', 'everything')).project),
  );
  const manifest = rendered.find(({ path }) => path === 'package.json')!;
  const { dependencies } = JSON.parse(manifest.text) as { dependencies: { [name: string]: string } };
  const sources = rendered.filter(({ path }) => path.startsWith('src/')).map(({ text }) => text);
  const imports = sources.flatMap((text) => [
    ...text.matchAll(/(?:from|import\(|require\(|require\.resolve\()\s*'((?:@[\w-]+\/)?[\w-]+)/g),
  ]);
  const packages = new Set(imports.map(([, name]) => name).filter((name) => name !== 'node'));
  // Only sources that run without a build need a compiler.
  packages.delete('tsx');
  expect([...packages].sort()).toEqual(Object.keys(dependencies));
});

test('package.json has the YAML parser where the command line or Kubernetes needs it', () => {
  const parts = { ...minimal.parts, ctl: false };
  const hasYaml = (changes: Partial<Project>) => /"yaml"/.test(rendered(changes).get('package.json')!);
  expect(hasYaml({})).toBe(true);
  expect(hasYaml({ parts })).toBe(false);
  expect(hasYaml({ parts, events: true, kubernetes: true, groups })).toBe(true);
});

test('a project that does not ask for NATS carries none of it', () => {
  const carried = [...rendered({ events: true, nats: false })].filter(
    ([path, text]) => path.includes('nats') || /@nats-io|^#?NATS_|`NATS_|natsSink/m.test(text),
  );
  expect(carried.map(([path]) => path)).toEqual([]);
});

test.each<[databases: Project['databases'], isNamed: boolean]>([
  [['postgres'], true],
  [['sqlite', 'postgres'], false],
])('README.md with databases %j names a database before npm start: %s', (databases, isNamed) => {
  const [, commands] = rendered({ databases }).get('README.md')!.split('```');
  expect(/^export DATABASE_URL=postgres:.*\nnpm start/m.test(commands)).toBe(isNamed);
});

describe('deployment', () => {
  test.each([
    [false, ['service', 'postgres'], undefined],
    [true, ['service', 'postgres', 'nats'], 'nats://nats:4222'],
  ])('compose.yaml, NATS %s: the services %j', (nats, names, natsUrl) => {
    const { services, volumes } = parse(rendered({ events: true, nats }).get('compose.yaml')!) as {
      services: {
        [name: string]: {
          depends_on?: object;
          environment?: object;
          volumes?: string[];
          healthcheck?: object;
        };
      };
      volumes: object;
    };
    expect(Object.keys(services)).toEqual(names);
    const { service, ...others } = services;
    expect(Object.keys(service.depends_on!)).toEqual(Object.keys(others));
    for (const { healthcheck } of Object.values(others)) expect(healthcheck).toBeDefined();
    expect(Object.keys(volumes)).toEqual(
      Object.values(others).map(({ volumes: [volume] = [] }) => volume.split(':')[0]),
    );
    expect(service.environment).toMatchObject({
      DATABASE_URL: expect.stringMatching(/^postgres:/) as string,
    });
    expect((service.environment as { NATS_URL?: string }).NATS_URL).toBe(natsUrl);
    for (const name of Object.keys(service.environment!)) expect(Object.keys(SETTINGS)).toContain(name);
  });

  test.each([
    ['minimal', 'minimal'],
    ['device.service_2', 'device-service-2'],
    ['2nd', 'svc-2nd'],
    [`${'a'.repeat(62)}_b`.slice(0, 63), 'a'.repeat(62)],
    [`1${'a'.repeat(62)}`, `svc-1${'a'.repeat(58)}`],
  ])('kubernetes/service.yaml of %s is of %s', (name, label) => {
    const text = rendered({ name }).get('kubernetes/service.yaml')!;
    const documents = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    expect(documents.map(({ apiVersion, kind, metadata }) => [apiVersion, kind, metadata.name])).toEqual([
      ['apps/v1', 'Deployment', label],
      ['v1', 'Service', label],
      ['policy/v1', 'PodDisruptionBudget', label],
    ]);
    const labels = { 'app.kubernetes.io/name': label };
    const [deployment, { spec: service }, { spec: budget }] = documents as [Manifest, Manifest, Manifest];
    expect(service.selector).toEqual(labels);
    expect([deployment.spec.selector, budget.selector]).toEqual([
      { matchLabels: labels },
      { matchLabels: labels },
    ]);
    const { metadata, spec } = deployment.spec.template!;
    expect(metadata.labels).toEqual(labels);
    expect(spec.terminationGracePeriodSeconds * 1_000).toBeGreaterThan(SETTINGS.SHUTDOWN_TIMEOUT_MS.fallback);
    const [container] = spec.containers;
    expect([container.livenessProbe, container.readinessProbe].map(({ httpGet }) => httpGet.path)).toEqual([
      '/healthz',
      '/readyz',
    ]);
  });
});

interface Probe {
  httpGet: { path: string };
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    selector: object;
    template?: {
      metadata: { labels: object };
      spec: {
        terminationGracePeriodSeconds: number;
        containers: { livenessProbe: Probe; readinessProbe: Probe }[];
      };
    };
  };
}

test.each([
  ['a token', [BEARER, KEY], 'take the token', '-H "Authorization: Bearer $TOKEN"'],
  ['a key', [KEY, BEARER], 'take the key from the variable `API_KEY`', '-H "X-Key: $API_KEY"'],
])('the examples of the generated README carry %s, as it says', (_, security, words, argument) => {
  const readme = rendered({ security }).get('src/generated/README.md')!;
  expect(readme).toContain(`The examples below ${words}`);
  expect(readme).toContain(`curl ${argument} -X POST`);
});

test('the generated README names the variables of the command line, whether or not there are pages', () => {
  for (const pages of [true, false]) {
    const parts = { ...minimal.parts, pages };
    const readme = rendered({ parts, security: [BEARER] }).get('src/generated/README.md')!;
    expect(readme).toContain('The command line reads `');
    expect(readme.includes('Authorize')).toBe(pages);
  }
});

test.each([true, false])('the README names the generated tests where there are some: %s', (contractTests) => {
  const parts = { ...minimal.parts, contractTests };
  const readme = rendered({ databases: ['postgres'], parts }).get('README.md')!;
  expect(readme).toContain('`TEST_DATABASE_URL`');
  expect(readme.includes('test/generated')).toBe(contractTests);
});
