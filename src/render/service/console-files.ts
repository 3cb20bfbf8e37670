import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsoleContent, ConsoleFiles, ConsoleKind } from '../../../templates/runtime/console/content';
import { selectableIn } from '../../../templates/runtime/data/plan/kind-plan';
import { Code, literal, type Printable } from '../../code/literal';
import { spokeReport } from '../../conversion/reports/report';
import { BUILT_CONSOLE } from '../../files/package-root';
import { exampleName, specExample } from '../../openapi/kind-example';
import { printedColumns } from '../../plan/columns';
import { dataOf } from '../../plan/kind-data';
import type { ConvertedKind, PlannedProject } from '../../plan/planned-project';
import { renderTemplate } from '../text/templates';
import { serviceSettings } from './project-files';

/** `console/content.ts`: the kinds as the console shows them. */
export function consoleContentFile(project: PlannedProject): string {
  const content = {
    ...factsOf(project),
    files: new Code('consoleFiles'),
    kinds: consoleKinds(project.kinds) as unknown as Printable,
  };
  return renderTemplate('generated/console/content.ts', {
    content: literal(content, { column: 'export const consoleContent: ConsoleContent = '.length, tail: 1 }),
  });
}

/** `console/files.ts`: the names of the static files, the same in every project. */
export function consoleNamesFile(): string {
  const files = { ...builtFiles(), read: new Code("async () => (await import('./texts')).texts") };
  return renderTemplate('generated/console/files.ts', {
    files: literal(files, { column: 'export const consoleFiles: ConsoleFiles = '.length, tail: 1 }),
  });
}

/** `console/texts.ts`: the static files as strings, so that the service's own build takes them along. */
export function consoleTextsFile(): string {
  const texts = Object.entries(readTexts()).map(([name, text]) => ({
    name,
    text: JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029'),
  }));
  return renderTemplate('generated/console/texts.ts', { texts });
}

/** Returns the console of a project as the generated code has it, for services that run without being generated. */
export function consoleContent(project: PlannedProject): ConsoleContent {
  return {
    ...factsOf(project),
    files: { ...builtFiles(), read: async () => readTexts() },
    kinds: consoleKinds(project.kinds),
  };
}

function factsOf({ project }: PlannedProject): Pick<ConsoleContent, 'version' | 'settings'> {
  const settings = serviceSettings(project).map(({ name, description }) => [name, description]);
  return {
    version: project.info.version,
    settings: Object.fromEntries(settings) as { [name: string]: string },
  };
}

function consoleKinds(kinds: ConvertedKind[]): ConsoleContent['kinds'] {
  return Object.fromEntries(kinds.map((each) => [`${each.group.name}/${each.kind.name}`, consoleKind(each)]));
}

function consoleKind(subject: ConvertedKind): ConsoleKind {
  const { kind, conversions } = subject;
  const plans = kind.versions.length > 1 ? conversions.plans : [];
  const rules = plans.map((plan) => [plan.spokeVersion, spokeReport(plan).rows]);
  const examples = kind.versions.flatMap((version) => {
    const spec = specExample({ ...subject, version });
    return spec === undefined ? [] : [[version.version, { metadata: { name: exampleName(kind) }, spec }]];
  });
  return {
    description: kind.description,
    columns: printedColumns(subject),
    selectable: selectableFields(subject),
    rules: Object.fromEntries(rules) as ConsoleKind['rules'],
    examples: Object.fromEntries(examples) as ConsoleKind['examples'],
  };
}

function selectableFields(subject: ConvertedKind): ConsoleKind['selectable'] {
  const data = dataOf(subject);
  const byVersion = subject.kind.versions.map(({ version }) => {
    const fields = data === undefined ? [] : selectableIn(data, version);
    return [
      version,
      fields.map(({ path, type, isList }) => ({ path: path.join('.'), type, ...(isList && { isList }) })),
    ] as const;
  });
  return Object.fromEntries(byVersion.filter(([, fields]) => fields.length > 0));
}

/** Returns the files of the built console. Throws an Error where it has not been built. */
function builtFiles(): Pick<ConsoleFiles, 'script' | 'style' | 'names'> {
  const names = readNames();
  // Other scripts are called `part-…`.
  const entry = (end: string): string =>
    names.find((name) => name.startsWith('main-') && name.endsWith(end)) ?? '';
  return { script: entry('.js'), style: entry('.css'), names };
}

function readNames(): string[] {
  try {
    return readdirSync(BUILT_CONSOLE).toSorted();
  } catch (cause) {
    const hint = 'Run npm run build:console, or write "console: false" in project.yaml.';
    throw new Error(`The console of svcgen is not built: ${BUILT_CONSOLE} cannot be read. ${hint}`, {
      cause,
    });
  }
}

function readTexts(): { [name: string]: string } {
  return Object.fromEntries(
    readNames().map((name) => [name, readFileSync(join(BUILT_CONSOLE, name), 'utf8')]),
  );
}
