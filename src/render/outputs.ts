import { conversionFile, convertFile, lawsTestFile } from '../conversions';
import { copiedPath, copiedText } from './copied-files';
import { clientFile, ctlFile } from './client-files';
import { composeFile, kubernetesFile } from './deployment-files';
import { kindFile, kindPath, kindRoutesFile, schemaFile, typesFile, validateFile } from './kind-files';
import type { KindSubject, VersionSubject } from './kind-files';
import type { Project } from '../model';
import { kindTestFile } from './kind-test-file';
import {
  appTestFile,
  controllersFile,
  environmentExample,
  hooksFile,
  packageFile,
  projectReadme,
} from './project-files';
import { projectSchemaFile, readingOrder, routesFile, serviceFile } from './service-files';
import { OPENAPI_FILE, openApiFile } from './openapi-file';
import { readTemplate } from './templates';

/** A file that svcgen can write, complete in memory before anything touches the disk. */
export interface OutputFile {
  /** Relative to the project folder, with `/`. */
  readonly path: string;
  readonly text: string;
  /** The text in UTF-8, where something keeps it. */
  readonly bytes?: Buffer;
  /** The digest of the text, where that is known without the text. */
  readonly digest?: string;
  /** `svcgen`: rewritten on every run. `user`: written once, when it is not there. */
  readonly owner: 'svcgen' | 'user';
}

/** One line of the table: who owns a file, where it is and what is in it. */
export type Output<Subject> = [
  owner: OutputFile['owner'],
  path: (subject: Subject) => string,
  text: (subject: Subject) => string,
];

/** What is in `.svcgen` while svcgen writes, and what it keeps there for the next run. */
const WORK_FILES = 'cache\nlock*\nstaging*\n';

/** A file of a project that is the same in all. */
const asIs = (path: string, template = path): Output<Project> => [
  'user',
  () => path,
  () => readTemplate(`project/${template}`),
];

/** Every file that svcgen can write: per project, per kind, per kind and version, per kind with spokes, per spoke, and per file that every project gets. */
export const OUTPUTS: {
  project: Output<Project>[];
  kind: Output<KindSubject>[];
  version: Output<VersionSubject>[];
  convertedKind: Output<KindSubject>[];
  spoke: Output<VersionSubject>[];
  copied: Output<string>[];
} = {
  project: [
    ['user', () => 'README.md', projectReadme],
    ['user', () => 'package.json', packageFile],
    asIs('tsconfig.json'),
    asIs('tsconfig.build.json'),
    asIs('jest.config.js'),
    asIs('Dockerfile'),
    ['user', () => 'compose.yaml', composeFile],
    ['user', () => 'kubernetes/service.yaml', kubernetesFile],
    asIs('.dockerignore', 'dockerignore'),
    asIs('.gitignore', 'gitignore'),
    asIs('.gitattributes', 'gitattributes'),
    ['user', () => '.env.example', environmentExample],
    asIs('src/main.ts'),
    asIs('src/app.ts'),
    ['user', () => 'src/controllers/start.ts', controllersFile],
    asIs('src/middleware/bearer-token.ts'),
    asIs('src/middleware/open-paths.ts'),
    asIs('src/middleware/tenant.ts'),
    asIs('src/policies/permissions.ts'),
    ['user', () => 'test/app.test.ts', appTestFile],
    ['svcgen', () => '.svcgen/.gitignore', () => WORK_FILES],
    ['svcgen', () => '.svcgen/project.schema.json', projectSchemaFile],
    ['svcgen', () => 'src/generated/README.md', readingOrder],
    ['svcgen', () => 'src/generated/service.ts', serviceFile],
    ['svcgen', () => 'src/generated/routes.ts', routesFile],
    ['svcgen', () => OPENAPI_FILE, openApiFile],
    ['svcgen', () => 'src/generated/migrate-storage.ts', () => readTemplate('generated/migrate-storage.ts')],
    ['svcgen', () => 'src/generated/copy-store.ts', () => readTemplate('generated/copy-store.ts')],
    ['svcgen', () => 'src/generated/client/index.ts', clientFile],
    ['svcgen', () => 'src/generated/ctl.ts', ctlFile],
    ['svcgen', () => 'test/generated/harness.ts', () => readTemplate('generated/harness.ts')],
    ['svcgen', () => 'test/generated/service.test.ts', () => readTemplate('generated/service.test.ts')],
  ],
  kind: [
    ['user', (kind) => `src/kinds/${kindPath(kind)}.ts`, hooksFile],
    ['svcgen', (kind) => `src/generated/${kindPath(kind)}/kind.ts`, kindFile],
    ['svcgen', (kind) => `src/generated/${kindPath(kind)}/routes.ts`, kindRoutesFile],
    ['svcgen', (kind) => `test/generated/${kindPath(kind)}.test.ts`, kindTestFile],
  ],
  version: [
    ['svcgen', (kind) => `src/generated/${kindPath(kind)}/${kind.version.version}.ts`, typesFile],
    ['svcgen', (kind) => `src/generated/${kindPath(kind)}/${kind.version.version}.schema.ts`, schemaFile],
    ['svcgen', (kind) => `src/generated/${kindPath(kind)}/${kind.version.version}.validate.ts`, validateFile],
  ],
  convertedKind: [
    ['svcgen', (kind) => `src/generated/${kindPath(kind)}/CONVERSION.md`, conversionFile],
    ['svcgen', (kind) => `test/generated/${kindPath(kind)}.laws.test.ts`, lawsTestFile],
  ],
  spoke: [
    ['svcgen', (kind) => `src/generated/${kindPath(kind)}/${kind.version.version}.convert.ts`, convertFile],
  ],
  copied: [['svcgen', copiedPath, copiedText]],
};
