import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tryOr } from '../files/try-or';
import { type Found, ok, problem, warning } from './finding';

// Runs in a process of its own, in the project's folder, with a compiler of TypeScript registered: see running.ts.

/** The parts of the generated code that are used here. */
interface Settings {
  readSettings(environment: NodeJS.ProcessEnv): object;
}
interface ServiceModule {
  inspectDatabase(definition: object, settings: object): Promise<string>;
}
interface StartModule {
  checkStart(definition: object, settings: object): void;
}
interface HooksModule {
  settleHooks(kinds: object[], timeoutMs: number): void;
}
interface RoutesModule {
  allKinds(): { kind: object }[];
}
interface Definition {
  service: { features: ((definition: object, settings: object) => unknown)[] };
}

const GENERATED = resolve('src/generated');
const TESTS = resolve('test/generated');

/** The checks, by the first argument. */
const PARTS: { [part: string]: () => Found | Promise<Found> } = { hooks, settings, database, laws };

/** Modules of the generated code whose exports are called here. */
const MODULES = [
  'runtime/model/kinds/hooks',
  'runtime/settings/settings',
  'runtime/service/check-start',
  'runtime/service/known-store',
];

/** The finding where the code is missing, or has the modules of another release of svcgen. */
function codeOfAnotherRelease(): Found | undefined {
  if (MODULES.every((module) => existsSync(join(GENERATED, `${module}.ts`)))) return undefined;
  return warning(
    'not checked: the generated code is missing, or of another release of svcgen',
    'run svcgen generate',
  );
}

/** Asks the project's own code whether it would refuse the exports of the kinds' own files. */
function hooks(): Found {
  const unknown = codeOfAnotherRelease();
  if (unknown !== undefined) return unknown;
  const { allKinds } = require(join(GENERATED, 'routes')) as RoutesModule;
  const { settleHooks } = require(join(GENERATED, 'runtime/model/kinds/hooks')) as HooksModule;
  try {
    // Nothing is called here, so any time limit will do.
    settleHooks(
      allKinds().map(({ kind }) => kind),
      1,
    );
    return ok('valid');
  } catch (error) {
    return problem((error as Error).message, 'the service does not start until the file is changed');
  }
}

/** Asks the project's own code whether every setting is valid. */
function settings(): Found {
  const unknown = codeOfAnotherRelease();
  if (unknown !== undefined) return unknown;
  // It loads the features, which add their settings.
  const { service } = require(join(GENERATED, 'service')) as Definition;
  const { checkStart } = require(join(GENERATED, 'runtime/service/check-start')) as StartModule;
  try {
    const settings = read();
    checkStart(service, settings);
    // Nothing is started: what is wrong with the settings of a feature shows before.
    for (const feature of service.features) feature(service, settings);
    return ok('valid');
  } catch (error) {
    return problem((error as Error).message, 'fix them in the environment or .env');
  }
}

/** Changes nothing: asks the project's own code what a start would find in the database. */
async function database(): Promise<Found> {
  const unknown = codeOfAnotherRelease();
  if (unknown !== undefined) return unknown;
  const { inspectDatabase } = require(join(GENERATED, 'runtime/service/known-store')) as ServiceModule;
  const { service } = require(join(GENERATED, 'service')) as Definition;
  const settings = tryOr(read, undefined);
  if (settings === undefined) return warning('not checked: fix the settings first');
  try {
    return ok(await inspectDatabase(service, settings));
  } catch (error) {
    return problem((error as Error).message, 'check DATABASE_URL');
  }
}

/** The settings as the service reads them. Throws an Error that names each wrong one. */
function read(): object {
  return (require(join(GENERATED, 'runtime/settings/settings')) as Settings).readSettings(process.env);
}

/** Runs the generated tests of the laws without jest, whose start would take longer than they do. */
function laws(): Found {
  const files = existsSync(TESTS) ? readdirSync(TESTS, { recursive: true, encoding: 'utf8' }) : [];
  const tests: { title: string; run: () => void }[] = [];
  Object.assign(globalThis, { test: (title: string, run: () => void) => tests.push({ title, run }) });
  for (const file of files.filter((each) => each.endsWith('.laws.test.ts'))) require(join(TESTS, file));
  if (tests.length === 0) return ok('no kind has several versions');
  for (const { title, run } of tests) {
    try {
      run();
    } catch (error) {
      const [cause] = (error as Error).message
        .split('\n')
        .filter((line) => /^(Counterexample|Got)/.test(line));
      return problem(`${title}: broken. ${cause ?? (error as Error).message}`, 'run npm test for details');
    }
  }
  const kinds = tests.length === 1 ? '1 kind obeys' : `${tests.length} kinds obey`;
  return ok(`${kinds} the laws on ${process.env['LAW_RUNS']} random resources`);
}

void (async () => {
  const part = PARTS[process.argv[2] ?? ''];
  process.send!(await part(), () => process.disconnect());
})();
