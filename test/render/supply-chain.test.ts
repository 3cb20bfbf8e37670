import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { packageFile } from '../../src/render/service/project-files';
import { FLOORS, isAbove } from './dependency-floors';

// What docs/security.md says of dependencies: of svcgen, and of the services that it generates.

interface Installed {
  version: string;
  hasInstallScript?: boolean;
  dev?: boolean;
  dependencies?: Ranges;
  optionalDependencies?: Ranges;
  peerDependencies?: Ranges;
}

interface Ranges {
  [name: string]: string;
}

interface Manifest {
  dependencies: Ranges;
  devDependencies: Ranges;
  scripts: Ranges;
}

const root = join(__dirname, '../..');
const read = <T>(file: string): T => JSON.parse(readFileSync(join(root, file), 'utf8')) as T;

const { packages: lock } = read<{ packages: { [path: string]: Installed } }>('package-lock.json');
const own = read<Manifest>('package.json');
const { project } = loadProject(join(root, 'examples/device-service'));
const service = JSON.parse(packageFile(project)) as Manifest;

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
const installed = Object.entries(lock).filter(([path]) => path !== '');

/** The packages that these come with, as the lock has them: a service has the ranges of svcgen's own package.json. */
function closure(names: string[]): Set<string> {
  const found = new Set<string>();
  const visit = (name: string, from: string): void => {
    let folder = from;
    while (lock[`${folder}node_modules/${name}`] === undefined && folder !== '')
      folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+\/$/, '$1');
    const path = `${folder}node_modules/${name}`;
    const entry = lock[path];
    if (entry === undefined || found.has(path)) return;
    found.add(path);
    for (const each of Object.keys({
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    }))
      visit(each, `${path}/`);
  };
  for (const name of names) visit(name, '');
  return found;
}

const withScripts = (paths: Iterable<string>): string[] =>
  [...new Set([...paths].filter((path) => lock[path].hasInstallScript).map(nameOf))].toSorted();

describe('known vulnerabilities', () => {
  test.each([
    ['1.2.3', ['1.2.3'], true],
    ['1.2.2', ['1.2.3'], false],
    ['1.10.0', ['1.9.9'], true],
    ['2.0.0', ['1.2.3', '2.1.0'], false],
    ['2.1.0-rc.1', ['1.2.3', '2.1.0'], false],
    ['3.0.0', ['1.2.3', '2.1.0'], true],
    ['0.9.0', ['1.2.3', '2.1.0'], false],
    ['2.5.0', ['1.2.3', '3.1.0'], false],
  ])('%s above %j: %p', (version, floors, want) => {
    expect(isAbove(version, floors)).toBe(want);
  });

  test('no installed package is below its floor', () => {
    const below = installed.flatMap(([path, { version }]) => {
      const { floors, advisory } = FLOORS[nameOf(path)] ?? { floors: ['0.0.0'], advisory: '' };
      return isAbove(version, floors) ? [] : [`${path} ${version}: ${advisory}`];
    });
    expect(below).toEqual([]);
  });

  test.each([
    ['svcgen', own],
    ['a service', service],
  ])(
    'the oldest versions that %s allows are not below their floors',
    (_, { dependencies, devDependencies }) => {
      const ranges = Object.entries({ ...dependencies, ...devDependencies }).flatMap(([name, range]) =>
        range.split(' || ').map((each) => [name, each.replace('npm:typescript@', '')]),
      );
      expect(ranges.every(([, range]) => /^[~^]\d+\.\d+\.\d+$/.test(range))).toBe(true);
      const below = ranges.filter(
        ([name, range]) => FLOORS[name] && !isAbove(range.slice(1), FLOORS[name].floors),
      );
      expect(below).toEqual([]);
    },
  );
});

describe('install scripts', () => {
  test('svcgen itself has none', () => {
    const used = installed.filter(([, { dev }]) => !dev).map(([path]) => path);
    expect(withScripts(used)).toEqual([]);
  });

  test('a service that runs has two, which are not needed', () => {
    expect(withScripts(closure(Object.keys(service.dependencies)))).toEqual([
      '@photostructure/sqlite',
      '@scarf/scarf',
    ]);
  });

  test('so do tests and npm run dev, with four more', () => {
    expect(
      withScripts(closure(Object.keys({ ...service.dependencies, ...service.devDependencies }))),
    ).toEqual([
      '@parcel/watcher',
      '@photostructure/sqlite',
      '@scarf/scarf',
      '@swc/core',
      'esbuild',
      'unrs-resolver',
    ]);
  });

  test('the build of svcgen has no other one', () => {
    const used = closure(Object.keys({ ...service.dependencies, ...service.devDependencies }));
    const others = installed.map(([path]) => path).filter((path) => !used.has(path));
    expect(withScripts(others)).toEqual([]);
  });

  test('the one with native code brings it built', () => {
    const builds = join(root, 'node_modules/@photostructure/sqlite/prebuilds');
    for (const platform of ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win32-x64'])
      expect(existsSync(join(builds, platform))).toBe(true);
  });
});

describe('a list of what is inside', () => {
  interface Component {
    name: string;
    properties?: { name: string }[];
  }

  // With --omit=dev npm leaves out what is needed in both ways, ajv for one.
  test('npm run sbom gives one; what only builds and tests is marked', () => {
    expect(own.scripts['sbom']).toBe(service.scripts['sbom']);
    const { status, stdout } = spawnSync('bash', ['-c', own.scripts['sbom']], {
      cwd: root,
      encoding: 'utf8',
    });
    const { bomFormat, components } = JSON.parse(stdout) as { bomFormat: string; components: Component[] };
    expect([status, bomFormat]).toEqual([0, 'CycloneDX']);
    const isMarked = ({ properties = [] }: Component): boolean =>
      properties.some(({ name }) => name === 'cdx:npm:package:development');
    const used = components.filter((component) => !isMarked(component)).map(({ name }) => name);
    expect(used).toEqual(expect.arrayContaining(Object.keys(own.dependencies)));
    expect(used).not.toContain('jest');
    expect(components.map(({ name }) => name)).toContain('jest');
  });
});
