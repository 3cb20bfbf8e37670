import { join } from 'node:path';
import type { Project } from '../../model/project';
import { type Feature, FEATURES, gathered, preparedFor, usedBy } from './features';
import { type Manifest, readManifest } from './manifest';

/** Path of the OpenAPI document in a project. */
export const OPENAPI_FILE = 'src/generated/openapi.json';

/** tsc leaves openapi.json alone: as a module it would be type-checked, which takes seconds in a large service. */
const COMMANDS: { readonly [name: string]: string } = {
  prestart: 'npm run --silent build',
  start: 'node --enable-source-maps dist/main.js',
  // `node --watch` loses sight of a file that an editor or svcgen has replaced by a rename.
  dev: 'tsx watch --clear-screen=false src/main.ts',
  build: `tsc -p tsconfig.build.json && node -e "fs.copyFileSync('${OPENAPI_FILE}', 'dist/generated/openapi.json')"`,
  'premigrate-storage': 'npm run --silent build',
  'migrate-storage': 'node --enable-source-maps dist/generated/migrate-storage.js',
  'precheck-data': 'npm run --silent build',
  'check-data': 'node --enable-source-maps dist/generated/check-data.js',
  prekubeconfig: 'npm run --silent build',
  kubeconfig: 'node --enable-source-maps dist/generated/kubeconfig.js',
  'precopy-store': 'npm run --silent build',
  'copy-store': 'node --enable-source-maps dist/generated/copy-store.js',
  sbom: 'npm sbom --sbom-format=cyclonedx',
  typecheck: 'tsc -p tsconfig.json --noEmit',
  test: 'jest',
};

/** Returns the commands of a new project's `package.json`: those of what it uses, or is likely to. */
export function commands(project: Project): { [name: string]: string } {
  const others = otherCommands(project);
  return Object.fromEntries(Object.entries(COMMANDS).filter(([name]) => !others.includes(name)));
}

/** Returns the names of the commands of features that a new project is not prepared for. */
export function otherCommands(project: Project): string[] {
  const prepared = preparedFor(project);
  return gathered(
    FEATURES.filter((feature) => !prepared.includes(feature)),
    'scripts',
  );
}

/** The commands of `package.json` that a project needs for a feature that it uses. */
export interface FeatureCommands {
  /** The part of project.yaml that needs them, for people. */
  feature: string;
  /** Their texts by name. */
  scripts: { [name: string]: string };
  /** The files of its programs by name. */
  bin: { [name: string]: string };
}

/** Returns the commands of the features that a project uses. */
export function featureCommands(project: Project): FeatureCommands[] {
  return usedBy(project)
    .filter(({ scripts, program }) => scripts !== undefined || program !== undefined)
    .map((feature) => ({
      feature: feature.asked,
      scripts: Object.fromEntries((feature.scripts ?? []).map((name) => [name, COMMANDS[name]])),
      bin: programs(project, [feature]),
    }));
}

/** Returns the files of the programs of features, by the names that `package.json` gives them. */
export function programs({ name }: Project, features: Feature[]): { [name: string]: string } {
  return Object.fromEntries(features.flatMap(({ program }) => (program ? [[`${name}ctl`, program]] : [])));
}

/**
 * Returns a line for each feature whose commands a project's `package.json` lacks: the file is user-owned, and not written
 * again. A file that is missing or is no JSON lacks nothing here.
 */
export function lackingCommands(folder: string, needed: FeatureCommands[]): string[] {
  const manifest = readManifest(join(folder, 'package.json'));
  if (manifest === undefined) return [];
  return needed.flatMap(({ feature, scripts, bin }) => {
    const lacking = [...lackingOf(manifest, 'scripts', scripts), ...lackingOf(manifest, 'bin', bin)];
    if (lacking.length === 0) return [];
    const names = lacking.map(({ name }) => name).filter((name) => !name.startsWith('pre'));
    return [
      `svcgen: package.json lacks the command ${names.join(', ')}, which ${feature} needs: run npm pkg set ${lacking.map(({ setting }) => setting).join(' ')}`,
    ];
  });
}

/** Returns the commands that a `package.json` lacks, each with the argument of `npm pkg set` that adds it. */
export function lackingOf(
  manifest: Manifest,
  member: 'scripts' | 'bin',
  commands: { [name: string]: string },
): { name: string; setting: string }[] {
  return Object.entries(commands)
    .filter(([name]) => manifest[member]?.[name] === undefined)
    .map(([name, text]) => ({ name, setting: shellWord(`${member}[${name}]=${text}`) }));
}

/** A word of a POSIX shell; in double quotes, which Windows has, too. */
function shellWord(text: string): string {
  return `"${text.replaceAll(/["\\$`]/g, '\\$&')}"`;
}
