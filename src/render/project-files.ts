import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { camelCase } from './identifiers';
import { createExamples, curlLine } from './create-examples';
import { kindPath, type KindSubject } from './kind-files';
import { literal } from './literal';
import type { Project } from '../model';
import { serviceSettings, settingsTable } from './settings-table';
import { renderTemplate } from './templates';

/** What a service needs, and what its tests and build need; the versions are those that svcgen is tested with. */
const DEPENDENCIES = [
  '@nats-io/jetstream',
  '@nats-io/transport-node',
  '@photostructure/sqlite',
  'ajv',
  'express',
  'fast-json-patch',
  'jsonwebtoken',
  'pg',
  'pino',
  'prom-client',
  'swagger-ui-dist',
  'yaml',
];
const DEV_DEPENDENCIES = [
  '@types/express',
  '@types/jest',
  '@types/jsonwebtoken',
  '@types/node',
  '@types/pg',
  '@types/supertest',
  'fast-check',
  'jest',
  'supertest',
  'ts-jest',
  'ts-node',
  'typescript',
];

const OPENAPI = 'src/generated/openapi.json';

/** tsc leaves openapi.json alone: as a module it would be type-checked, which takes seconds in a large service. */
const SCRIPTS = {
  prestart: 'npm run --silent build',
  start: 'node --enable-source-maps dist/main.js',
  dev: 'node --watch --require ts-node/register/transpile-only src/main.ts',
  build: `tsc -p tsconfig.build.json && node -e "fs.copyFileSync('${OPENAPI}', 'dist/generated/openapi.json')"`,
  'premigrate-storage': 'npm run --silent build',
  'migrate-storage': 'node --enable-source-maps dist/generated/migrate-storage.js',
  'precopy-store': 'npm run --silent build',
  'copy-store': 'node --enable-source-maps dist/generated/copy-store.js',
  sbom: 'npm sbom --sbom-format=cyclonedx',
  typecheck: 'tsc -p tsconfig.json',
  test: 'jest',
};

/** `package.json`. */
export function packageFile({ name }: Project): string {
  const content = {
    name,
    version: '0.1.0',
    private: true,
    bin: { [`${name}ctl`]: 'dist/generated/ctl.js' },
    engines: { node: '>=20.19' },
    // A package that /docs needs would report each install to its makers.
    scarfSettings: { enabled: false },
    scripts: SCRIPTS,
    dependencies: ranges(DEPENDENCIES),
    devDependencies: ranges(DEV_DEPENDENCIES),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

function ranges(names: string[]): { [name: string]: string } {
  const own = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as {
    dependencies: { [name: string]: string };
    devDependencies: { [name: string]: string };
  };
  const all = { ...own.dependencies, ...own.devDependencies };
  return Object.fromEntries(names.map((name) => [name, all[name]!]));
}

/** A kind's own file: an example of each thing that it may export. */
export function hooksFile({ group, kind }: KindSubject): string {
  return renderTemplate('project/src/kind.ts', {
    kind: kind.name,
    variable: camelCase(kind.name),
    path: kindPath({ group, kind }),
    version: group.storageVersion,
    plural: kind.plural,
  });
}

/** `src/controllers/start.ts`: where controllers start, with an example for the first kind, or for one to come. */
export function controllersFile({ events, groups }: Project): string {
  const group = groups.find(({ kinds }) => kinds.length > 0) ?? groups[0];
  const kind = group.kinds[0] ?? { name: 'Device' };
  return renderTemplate('project/src/controllers.ts', {
    events,
    kind: kind.name,
    variable: camelCase(kind.name),
    path: kindPath({ group, kind }),
    version: group.storageVersion,
  });
}

/** `.env.example`: every setting with what it is without one. */
export function environmentExample({ name }: Project): string {
  return renderTemplate('project/env.example', {
    settings: serviceSettings(name).map((each) => ({ ...each })),
  });
}

/** `test/app.test.ts`: a start for the user's own tests. */
export function appTestFile(project: Project): string {
  const first = createExamples(project).find(({ body }) => body !== undefined);
  const body = literal(first?.body, { indent: 2, column: 15, tail: 1 });
  return renderTemplate('project/test/app.test.ts', {
    first: first === undefined ? false : { ...first, body },
  });
}

/** `README.md` of a project: a tour. */
export function projectReadme(project: Project): string {
  const [first] = createExamples(project);
  const tour = first === undefined ? false : { ...first, curl: curlLine(first), body: '' };
  return renderTemplate('project/README.md', {
    name: project.name,
    first: tour,
    settings: settingsTable(project.name),
  });
}
