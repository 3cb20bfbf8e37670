import { join } from 'node:path';
import { manifest } from '../../files/package-root';
import type { Project } from '../../model/project';
import { gathered, preparedFor, usedBy } from './features';
import { readManifest } from './manifest';

/** Packages that every service needs; the versions are those that svcgen is tested with. */
const DEPENDENCIES = ['ajv', 'express', 'jsonwebtoken', 'pino'];
/** Packages that the build and the tests of every service need. */
const DEV_DEPENDENCIES = (
  '@swc/core @swc/jest @types/express @types/jest @types/jsonwebtoken @types/node @types/supertest jest supertest tsx ' +
  'typescript'
).split(' ');
/** svcgen has two compilers: one with an API as `typescript`, and a faster one under this name. Services compile with both. */
const NATIVE_COMPILER = 'native-typescript';

/** Packages that a project does without, by the package that does their work in older projects. */
const REPLACED: { readonly [name: string]: readonly string[] } = {
  'ts-jest': ['@swc/core', '@swc/jest'],
  'ts-node': ['tsx'],
};

/** Version ranges by package. */
interface Ranges {
  [name: string]: string;
}

/** A package that a project needs for a feature that it uses. */
export interface FeaturePackage {
  name: string;
  range: string;
  /** The part of project.yaml that needs it, for people. */
  feature: string;
  /** Set for one that only the build and the tests need. */
  isDev?: true;
}

/** Returns the dependencies of a service's `package.json`. */
export function dependencies(project: Project): { dependencies: Ranges; devDependencies: Ranges } {
  const prepared = preparedFor(project);
  return {
    dependencies: ranges([...DEPENDENCIES, ...gathered(prepared, 'packages')].sort()),
    devDependencies: ranges([...DEV_DEPENDENCIES, ...gathered(prepared, 'devPackages')].sort()),
  };
}

/** Returns the packages that a service needs for the features of its project. */
export function featurePackages(project: Project): FeaturePackage[] {
  const all = usedBy(project).flatMap(({ asked, packages = [], devPackages = [] }) =>
    Object.entries(ranges([...packages, ...devPackages])).map(([name, range]): FeaturePackage => ({
      ...{ name, range, feature: asked },
      ...(devPackages.includes(name) && { isDev: true }),
    })),
  );
  // Several features may need the same package.
  return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index);
}

/**
 * Returns a line for each package that a project's `package.json` lacks: the file is user-owned, and not written again. A
 * file that is missing or is no JSON lacks nothing here.
 */
export function lackingPackages(folder: string, packages: FeaturePackage[]): string[] {
  const named = namedPackages(join(folder, 'package.json'));
  return packages
    .filter(({ name }) => named !== undefined && !named.has(name))
    .map(
      ({ name, range, feature, isDev }) =>
        `svcgen: package.json lacks ${name}, which ${feature} needs: run npm install ${isDev ? '-D ' : ''}${name}@${range}`,
    );
}

/** Returns the commands that add the packages of a new project that are not among these. */
export function lackingOfNew(project: Project, named: ReadonlySet<string>): { [command: string]: string[] } {
  const wanted = dependencies(project);
  const lacking = (all: Ranges): string[] =>
    Object.entries(all).flatMap(([name, range]) => (named.has(name) ? [] : [packageWord(name, range)]));
  return {
    'npm install': lacking(wanted.dependencies),
    'npm install -D': lacking(wanted.devDependencies),
  };
}

/** A package as a word of a shell; `||` of a range would be an operator of it. */
function packageWord(name: string, range: string): string {
  const word = `${name}@${range}`;
  return range.includes(' ') ? `"${word}"` : word;
}

/** Returns the packages that a project does without, because of those that it has. */
export function replacedPackages(named: ReadonlySet<string>): string[] {
  return Object.keys(REPLACED)
    .filter((name) => named.has(name))
    .flatMap((name) => REPLACED[name]);
}

/**
 * Returns the names of the packages in a package.json, without those of a major version before the one that svcgen is tested
 * with; undefined where it is missing or cannot be read.
 */
export function namedPackages(path: string): Set<string> | undefined {
  const manifest = readManifest(path);
  if (manifest === undefined) return undefined;
  const tested = testedRanges();
  const all = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  return new Set(all.flatMap(([name, range]) => (isBefore(range, tested[name]) ? [] : [name])));
}

/** Returns whether a range allows only earlier major versions than another one. False for what is no list of versions. */
function isBefore(range: unknown, tested: string | undefined): boolean {
  if (typeof range !== 'string' || tested === undefined) return false;
  return Math.max(...majors(range)) < Math.min(...majors(tested));
}

/** Returns the major version of each part of a range such as `~6.0.3 || ~7.0.2`; NaN for a part of another form. */
function majors(range: string): number[] {
  return range.split('||').map((part) => Number(/^\s*[\^~=v]?(\d+)(\.|\s*$)/.exec(part)?.[1]));
}

function ranges(names: string[]): Ranges {
  const all = testedRanges();
  return Object.fromEntries(names.map((name) => [name, all[name]]));
}

/** Returns the version ranges of all packages that svcgen is tested with. */
function testedRanges(): Ranges {
  const own = manifest();
  const native = own.devDependencies[NATIVE_COMPILER].replace('npm:typescript@', '');
  const typescript = `${own.dependencies['typescript']} || ${native}`;
  return { ...own.dependencies, ...own.devDependencies, typescript };
}
