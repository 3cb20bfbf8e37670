import { convertFile } from './conversions';
import { clientFile, ctlFile } from './client-files';
import { kindFile, kindPath, kindRoutesFile, schemaFile, typesFile, validateFile } from './kind-files';
import type { KindSubject, VersionSubject } from './kind-files';
import type { Project } from './model';
import { kindTestFile } from './kind-test-file';
import { appTestFile, environmentExample, hooksFile, packageFile, projectReadme } from './project-files';
import { openApiFile, projectSchemaFile, readingOrder, routesFile, serviceFile } from './service-files';
import { readTemplate } from './templates';

/** A file that svcgen can write, complete in memory before anything touches the disk. */
export interface OutputFile {
  /** Relative to the project folder, with `/`. */
  path: string;
  text: string;
  /** `svcgen`: rewritten on every run. `user`: written once, when it is not there. */
  owner: 'svcgen' | 'user';
}

/** One line of the table: who owns a file, where it is and what is in it. */
export type Output<Subject> = [
  owner: OutputFile['owner'],
  path: (subject: Subject) => string,
  text: (subject: Subject) => string,
];

/** Every file that svcgen can write: per project, per kind, per kind and version, per spoke, and per file of the runtime. */
export const OUTPUTS: {
  project: Output<Project>[];
  kind: Output<KindSubject>[];
  version: Output<VersionSubject>[];
  spoke: Output<VersionSubject>[];
  copied: Output<string>[];
} = {
  project: [
    ['user', () => 'README.md', projectReadme],
    ['user', () => 'package.json', packageFile],
    ['user', () => 'tsconfig.json', () => readTemplate('project/tsconfig.json')],
    ['user', () => 'tsconfig.build.json', () => readTemplate('project/tsconfig.build.json')],
    ['user', () => 'jest.config.js', () => readTemplate('project/jest.config.js')],
    ['user', () => 'Dockerfile', () => readTemplate('project/Dockerfile')],
    ['user', () => '.dockerignore', () => readTemplate('project/dockerignore')],
    ['user', () => '.gitignore', () => readTemplate('project/gitignore')],
    ['user', () => '.gitattributes', () => readTemplate('project/gitattributes')],
    ['user', () => '.env.example', environmentExample],
    ['user', () => 'src/main.ts', () => readTemplate('project/src/main.ts')],
    ['user', () => 'src/app.ts', () => readTemplate('project/src/app.ts')],
    [
      'user',
      () => 'src/middleware/bearer-token.ts',
      () => readTemplate('project/src/middleware/bearer-token.ts'),
    ],
    [
      'user',
      () => 'src/middleware/open-paths.ts',
      () => readTemplate('project/src/middleware/open-paths.ts'),
    ],
    ['user', () => 'src/middleware/tenant.ts', () => readTemplate('project/src/middleware/tenant.ts')],
    ['user', () => 'src/policies/permissions.ts', () => readTemplate('project/src/policies/permissions.ts')],
    ['user', () => 'test/app.test.ts', appTestFile],
    ['svcgen', () => '.svcgen/project.schema.json', projectSchemaFile],
    ['svcgen', () => 'src/generated/README.md', readingOrder],
    ['svcgen', () => 'src/generated/service.ts', serviceFile],
    ['svcgen', () => 'src/generated/routes.ts', routesFile],
    ['svcgen', () => 'src/generated/openapi.json', openApiFile],
    ['svcgen', () => 'src/generated/client/index.ts', clientFile],
    ['svcgen', () => 'src/generated/ctl.ts', ctlFile],
    ['svcgen', () => 'test/generated/harness.ts', () => readTemplate('generated/harness.ts')],
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
  spoke: [
    ['svcgen', (kind) => `src/generated/${kindPath(kind)}/${kind.version.version}.convert.ts`, convertFile],
  ],
  copied: [['svcgen', (file) => `src/generated/${file}`, readTemplate]],
};
