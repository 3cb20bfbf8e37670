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
import { OPENAPI_FILE } from './features/commands';
import { indexFile } from './features/index-file';
import { conversionFile, convertFile, lawsTestFile, viewFile } from './kinds/conversion-files';
import { kindFile, kindRoutesFile, schemaFile, typesFile, validateFile } from './kinds/kind-files';
import { kindTestFile } from './kinds/kind-test-file';
import { consoleContentFile, consoleNamesFile, consoleTextsFile } from './service/console-files';
import { kubernetesContentFile } from './service/kubernetes-files';
import {
  composeFile,
  controllersFile,
  deploymentFile,
  environmentExample,
  hooksFile,
  packageFile,
  projectReadme,
} from './service/project-files';
import {
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
  path: string | ((subject: Subject) => string),
  text: (subject: Subject) => string,
];

/** The files in `.svcgen` that are not committed. */
const WORK_FILES = 'cache\nlock*\nstaging*\n';

/** A user-owned file that begins the same in all projects. */
const asIs = (path: string, template = path): Output<Project> => [
  'user',
  path,
  () => readTemplate(`project/${template}`),
];

/** A generated file that is the same in all projects. */
const sameForAll = (folder: 'src' | 'test', name: string): Output<Project> => [
  'svcgen',
  `${folder}/generated/${name}`,
  () => readTemplate(`generated/${name}`),
];

/** The path of a generated file of a kind in a version, by the end of its name. */
const ofVersion =
  (end: string) =>
  (subject: VersionSubject): string =>
    `src/generated/kinds/${kindPath(subject)}/${subject.version.version}${end}`;

/** Every file that svcgen can write, by what it is written for. */
export const OUTPUTS: {
  project: Output<Project>[];
  plan: Output<PlannedProject>[];
  kind: Output<PlannedKind>[];
  /** For a kind in a version. */
  version: Output<VersionSubject>[];
  /** For a kind in several versions. */
  convertedKind: Output<ConvertedKind>[];
  spoke: Output<SpokeSubject>[];
  /** For a spoke in which resources may be stored, and another version. */
  view: Output<ViewSubject>[];
  /** For a file of the templates that projects get as it is. */
  copied: Output<string>[];
} = {
  project: [
    ['user', 'README.md', projectReadme],
    ['user', 'package.json', packageFile],
    asIs('tsconfig.json'),
    asIs('tsconfig.build.json'),
    asIs('jest.config.js'),
    asIs('Dockerfile'),
    ['user', 'compose.yaml', composeFile],
    ['user', 'kubernetes/service.yaml', deploymentFile],
    asIs('.dockerignore', 'dockerignore'),
    asIs('.gitignore', 'gitignore'),
    asIs('.gitattributes', 'gitattributes'),
    ['user', '.env.example', environmentExample],
    asIs('src/main.ts'),
    asIs('src/app.ts'),
    ['user', 'src/controllers/start.ts', controllersFile],
    asIs('src/middleware/bearer-token.ts'),
    asIs('src/middleware/open-paths.ts'),
    asIs('src/middleware/tenant.ts'),
    asIs('src/policies/permissions.ts'),
    asIs('test/app.test.ts'),
    ['svcgen', '.svcgen/.gitignore', () => WORK_FILES],
    ['svcgen', '.svcgen/project.schema.json', projectSchemaFile],
    ['svcgen', 'src/generated/README.md', readingOrder],
    ['svcgen', 'src/generated/service.ts', serviceFile],
    sameForAll('src', 'migrate-storage.ts'),
    sameForAll('src', 'check-data.ts'),
    sameForAll('src', 'kubeconfig.ts'),
    sameForAll('src', 'copy-store.ts'),
    sameForAll('test', 'harness.ts'),
    ['svcgen', 'test/generated/database.ts', testDatabaseFile],
    sameForAll('test', 'service.test.ts'),
  ],
  plan: [
    ['svcgen', 'src/generated/index.ts', indexFile],
    ['svcgen', 'src/generated/routes.ts', routesFile],
    ['svcgen', OPENAPI_FILE, openApiFile],
    ['svcgen', 'src/generated/client/index.ts', clientFile],
    ['svcgen', 'src/generated/ctl.ts', ctlFile],
    ['svcgen', 'src/generated/console/content.ts', consoleContentFile],
    ['svcgen', 'src/generated/console/files.ts', consoleNamesFile],
    ['svcgen', 'src/generated/console/texts.ts', consoleTextsFile],
    ['svcgen', 'src/generated/kubernetes/content.ts', kubernetesContentFile],
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
