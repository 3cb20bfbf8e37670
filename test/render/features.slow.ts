import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { loadProject } from '../../src/load/load-project';
import { OPTIONAL_PARTS, type OptionalPart } from '../../src/model/optional-parts';
import type { Project } from '../../src/model/project';
import { plannedProject } from '../../src/plan/planned-project';
import { render, type RenderedFile } from '../../src/render/render';
import { copiedFiles, copiedPath } from '../../src/render/text/templates';

// A project carries what it uses: each of these lacks a feature, compiles without it, and has no other word of it.

const ROOT = join(__dirname, '../..');
const BUILT = join(ROOT, '.tmp', 'features');

/** One kind in one version, with further keys. */
function projectText(keys: string): string {
  return `name: demo\n${keys}groups:\n  - kinds:\n      - name: Device\n        versions:\n          v1:\n            spec:\n              site: string\n`;
}

/** Loads a project in a folder of its own. */
function loaded(name: string, text: string): Project {
  const folder = join(BUILT, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'project.yaml'), text);
  return loadProject(folder).project;
}

function generated(name: string, keys: string): Map<string, RenderedFile> {
  return new Map(render(plannedProject(loaded(name, projectText(keys)))).map((file) => [file.path, file]));
}

interface Variant {
  name: string;
  keys: string;
  /** Matches no path of the project. */
  absent: RegExp;
  /** Words of the feature that must not occur in other files. */
  silent: RegExp;
}

const VARIANTS: Variant[] = [
  {
    name: 'sqlite',
    keys: 'databases: [sqlite]\nconsole: false\n',
    absent:
      /console|postgres|copy-store|store\/copy|indexing\/|store\/(\w+\/)?(events|history|migration)\/|runtime\/(events|cloudevents|controllers|conversion|history|kubernetes|versions)|rules\/(patterns|repeated-keys|unicode)|(create-or-change|deprecation|command-output|event-reading|members|required|spoke-converter)\.ts|generated\/kubernetes|laws|migrate-storage|client\/(events|server-sent)/,
    silent: /postgres|"pg"|copy-store|\/console|consolePages|EVENTS_|NATS_|WEBHOOK_|kubernetes\(|k8s/,
  },
  {
    name: 'postgres',
    keys: 'databases: [postgres]\n',
    absent: /sqlite|copy-store|store\/copy|indexing\//,
    silent: /"@photostructure\/sqlite"|copy-store|sqlite:\.\/data/,
  },
  {
    name: 'events',
    keys: 'events: true\n',
    absent: /indexing\/|generated\/(kubernetes|runtime\/(kubernetes|versions))/,
    silent: /NATS_|kubernetes\(|Indexing/,
  },
  {
    name: 'kubernetes',
    keys: 'events: true\nkubernetes: true\ndatabases: [sqlite]\n',
    absent: /postgres/,
    silent: /postgres/,
  },
  {
    name: 'parts',
    keys: OPTIONAL_PARTS.map((part) => `${part}: false\n`).join(''),
    absent: /generated\/(client|ctl)|runtime\/(pages|metrics|workers)|backoff|test\/generated/,
    silent: /democtl|createClient|\.\/client|contract tests|swagger|\/docs|prom|METRICS|WORKERS/,
  },
];

describe.each(VARIANTS)('$name', ({ name, keys, absent, silent }) => {
  const files = generated(name, keys);
  const copied = new Set(copiedFiles().map(copiedPath));

  test('has no file of what it does not use', () => {
    expect([...files.keys()].filter((path) => absent.test(path))).toEqual([]);
  });

  test('names nothing of it', () => {
    // The schema of project.yaml is that of every project; an example may name what it does without.
    const own = [...files.values()].filter(({ path }) => !copied.has(path) && !path.startsWith('.svcgen/'));
    const lines = own.flatMap(({ path, text }) => text.split('\n').map((line) => `${path}: ${line}`));
    expect(lines.filter((line) => silent.test(line))).toEqual([]);
  });

  test('compiles', () => compile(name, files));
});

/** Throws an Error with the messages of the compiler where a project does not compile. */
async function compile(name: string, files: Map<string, RenderedFile>): Promise<void> {
  const folder = join(BUILT, name);
  for (const { path, text } of files.values()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const compiler = join(ROOT, 'node_modules/.bin/tsc');
  const unused = ['--noUnusedLocals', '--noUnusedParameters'];
  const run = promisify(execFile)(process.execPath, [compiler, '-p', 'tsconfig.json', ...unused], {
    cwd: folder,
  });
  await run.catch(({ stdout }: { stdout: string }) => {
    throw new Error(stdout);
  });
}

test('a service has a console, unless it is switched off or there are no pages', () => {
  const hasConsole = (name: string, keys: string): boolean => loaded(name, projectText(keys)).console;
  expect(hasConsole('console-default', '')).toBe(true);
  expect(hasConsole('console-off', 'console: false\n')).toBe(false);
  expect(hasConsole('console-pages', 'pages: false\n')).toBe(false);
});

/** The files that each key adds to a project of one kind, besides those that it shares with others. */
const PARTS: { [part in OptionalPart]: RegExp } = {
  client: /^src\/generated\/((client|ctl)[/.]|runtime\/files\/yaml-(documents|text)\.ts$)/,
  ctl: /^src\/generated\/(ctl[/.]|runtime\/files\/yaml-(documents|text)\.ts$)/,
  pages: /^src\/generated\/(runtime\/pages|(runtime\/)?console)\//,
  metrics: /^src\/generated\/runtime\/metrics\//,
  workers: /^src\/generated\/runtime\/(workers\/|concurrency\/backoff\.ts$)/,
  contractTests: /^test\/generated\//,
};

test.each(Object.entries(PARTS))('without %s a project lacks exactly its files', (part, own) => {
  const [all, without] = [generated(`with-${part}`, ''), generated(`without-${part}`, `${part}: false\n`)];
  const left = [...all.keys()].filter((path) => !without.has(path));
  expect(left).toEqual([...all.keys()].filter((path) => own.test(path)));
  expect(left.length).toBeGreaterThan(0);
  expect([...without.keys()].filter((path) => !all.has(path))).toEqual([]);
  expect([...generated(`again-${part}`, `${part}: true\n`).values()].map(({ text }) => text)).toEqual(
    [...all.values()].map(({ text }) => text),
  );
});

/** The files that events add. */
const OF_EVENTS =
  /^src\/generated\/(runtime\/(cloudevents|controllers|events|store\/((sqlite|postgres)\/)?events)\/|runtime\/api\/(parts\/event-reading|writes\/own-write)\.ts$|client\/(events|resource-event|server-sent-events)\.ts$|ctl\/watch\.ts$)/;

test('events, switched off, take exactly their files along', () => {
  const [all, without] = [generated('with-events', 'events: true\n'), generated('without-events', '')];
  const left = [...all.keys()].filter((path) => !without.has(path));
  expect(left).toEqual([...all.keys()].filter((path) => OF_EVENTS.test(path)));
  expect(left.length).toBeGreaterThan(20);
  expect([...without.keys()].filter((path) => !all.has(path))).toEqual([]);
});

test('the order and the repetition of databases make no difference', () => {
  const [one, other] = ['databases: [postgres, sqlite, sqlite]\n', ''].map((keys, index) =>
    [...generated(`order-${index}`, keys).values()].map(({ text }) => text),
  );
  expect(one).toEqual(other);
});
