import type { OutputFile } from '../files/ownership';
import type { Project } from '../model/project';
import {
  type ConvertedKind,
  kindPath,
  type PlannedKind,
  type PlannedProject,
  type SpokeSubject,
  type VersionSubject,
  type ViewSubject,
} from '../plan/planned-project';
import { clientFile, ctlFile } from './client/client-files';
import { indexFile } from './features/index-file';
import { conversionFile, convertFile, lawsTestFile, viewFile } from './kinds/conversion-files';
import { kindFile, kindRoutesFile, schemaFile, typesFile, validateFile } from './kinds/kind-files';
import { kindTestFile } from './kinds/kind-test-file';
import { consoleContentFile, consoleNamesFile, consoleTextsFile } from './service/console-files';
import { kubernetesContentFile } from './service/kubernetes-files';
import {
  composeFile,
  controllersFile,
  environmentExample,
  hooksFile,
  kubernetesFile,
  packageFile,
  projectReadme,
} from './service/project-files';
import {
  OPENAPI_FILE,
  openApiFile,
  projectSchemaFile,
  readingOrder,
  routesFile,
  serviceFile,
  testDatabaseFile,
} from './service/service-files';
import { copiedPath, copiedText, readTemplate } from './text/templates';

/** One line of the table: who owns a file, where it is and what is in it. */
export type Output<Subject> = [
  owner: OutputFile['owner'],
  path: (subject: Subject) => string,
  text: (subject: Subject) => string,
];

/** The files in `.svcgen` that are not committed. */
const WORK_FILES = 'cache\nlock*\nstaging*\n';

/** A file of a project that is the same in all. */
const asIs = (path: string, template = path): Output<Project> => [
  'user',
  () => path,
  () => readTemplate(`project/${template}`),
];

/** The path of a generated file of a kind in a version, by the end of its name. */
const ofVersion =
  (end: string) =>
  (subject: VersionSubject): string =>
    `src/generated/kinds/${kindPath(subject)}/${subject.version.version}${end}`;

/** Every file that svcgen can write: per project, per kind, per kind and version, per kind with spokes, per spoke, per spoke and other version, and per file that every project gets. */
export const OUTPUTS: {
  project: Output<Project>[];
  plan: Output<PlannedProject>[];
  kind: Output<PlannedKind>[];
  version: Output<VersionSubject>[];
  convertedKind: Output<ConvertedKind>[];
  spoke: Output<SpokeSubject>[];
  view: Output<ViewSubject>[];
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
    asIs('test/app.test.ts'),
    ['svcgen', () => '.svcgen/.gitignore', () => WORK_FILES],
    ['svcgen', () => '.svcgen/project.schema.json', projectSchemaFile],
    ['svcgen', () => 'src/generated/README.md', readingOrder],
    ['svcgen', () => 'src/generated/index.ts', indexFile],
    ['svcgen', () => 'src/generated/service.ts', serviceFile],
    ['svcgen', () => 'src/generated/routes.ts', routesFile],
    ['svcgen', () => OPENAPI_FILE, openApiFile],
    ['svcgen', () => 'src/generated/migrate-storage.ts', () => readTemplate('generated/migrate-storage.ts')],
    ['svcgen', () => 'src/generated/check-data.ts', () => readTemplate('generated/check-data.ts')],
    ['svcgen', () => 'src/generated/kubeconfig.ts', () => readTemplate('generated/kubeconfig.ts')],
    ['svcgen', () => 'src/generated/copy-store.ts', () => readTemplate('generated/copy-store.ts')],
    ['svcgen', () => 'src/generated/client/index.ts', clientFile],
    ['svcgen', () => 'test/generated/harness.ts', () => readTemplate('generated/harness.ts')],
    ['svcgen', () => 'test/generated/database.ts', testDatabaseFile],
    ['svcgen', () => 'test/generated/service.test.ts', () => readTemplate('generated/service.test.ts')],
  ],
  plan: [
    ['svcgen', () => 'src/generated/ctl.ts', ctlFile],
    ['svcgen', () => 'src/generated/console/content.ts', consoleContentFile],
    ['svcgen', () => 'src/generated/console/files.ts', consoleNamesFile],
    ['svcgen', () => 'src/generated/console/texts.ts', consoleTextsFile],
    ['svcgen', () => 'src/generated/kubernetes/content.ts', kubernetesContentFile],
  ],
  kind: [
    ['user', (kind) => `src/kinds/${kindPath(kind)}.ts`, hooksFile],
    ['svcgen', (kind) => `src/generated/kinds/${kindPath(kind)}/kind.ts`, kindFile],
    ['svcgen', (kind) => `src/generated/kinds/${kindPath(kind)}/routes.ts`, kindRoutesFile],
    ['svcgen', (kind) => `test/generated/kinds/${kindPath(kind)}.test.ts`, kindTestFile],
  ],
  version: [
    ['svcgen', ofVersion('.ts'), typesFile],
    ['svcgen', ofVersion('.schema.ts'), schemaFile],
    ['svcgen', ofVersion('.validate.ts'), validateFile],
  ],
  convertedKind: [
    ['svcgen', (kind) => `src/generated/kinds/${kindPath(kind)}/CONVERSION.md`, conversionFile],
    ['svcgen', (kind) => `test/generated/kinds/${kindPath(kind)}.laws.test.ts`, lawsTestFile],
  ],
  spoke: [['svcgen', ofVersion('.convert.ts'), convertFile]],
  view: [['svcgen', (subject) => ofVersion(`.${subject.shown.version}.view.ts`)(subject), viewFile]],
  copied: [['svcgen', copiedPath, copiedText]],
};
