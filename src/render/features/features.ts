import { upperFirst } from '../../code/identifiers';
import { Call, Code, type Printable } from '../../code/literal';
import { partsOf } from '../../model/fields';
import type { Element, Project } from '../../model/project';

/**
 * A part of a service that a project may do without: a project that does not use it has none of the files, packages,
 * settings and commands that are named here. All other files are copied to every project.
 */
export interface Feature {
  /** The part of project.yaml that asks for it, for people. */
  asked: string;
  isUsed(project: Project): boolean;
  /** The names that `service.ts` imports for it, by their modules. */
  imports?: (project: Project) => { [module: string]: string };
  /** Its code in the lists of `service.ts`. */
  databases?: (project: Project) => Call;
  features?: (project: Project) => string;
  /** The lines of `src/generated/index.ts` with its public names. */
  exports?: string[];
  /** Its generated files: paths, folders, which end with a slash, and patterns of paths. */
  files?: (string | RegExp)[];
  /** Files that it shares with other features: a project has them if it uses any of these. */
  shared?: string[];
  /** The packages that the service needs for it, and those that only its build and tests need. */
  packages?: string[];
  devPackages?: string[];
  /** The start of the names of its settings. */
  settings?: string[];
  /** Its commands in `package.json`. */
  scripts?: string[];
  /** The file of the program that `package.json` names after the project, such as `shopctl`. */
  program?: string;
  /** Set for a feature that most projects adopt later: `package.json` is written once, so it is prepared from the start. */
  isLikely?: boolean;
}

const GENERATED = 'src/generated';
/** The tests of a kind; those of its conversion end with `.laws.test.ts`. */
const CONTRACT_TEST = /^test\/generated\/kinds\/.*(?<!\.laws)\.test\.ts$/;

const TESTS = 'test/generated';

/** Pauses before another attempt. */
const BACKOFF = `${GENERATED}/runtime/concurrency/backoff.ts`;

/** Commands that go on without their output. */
const COMMAND_OUTPUT = `${GENERATED}/runtime/files/command-output.ts`;

/** Warnings of deprecated versions: a kind with one version has none. */
const DEPRECATIONS = `${GENERATED}/runtime/api/request/deprecation.ts`;

/** Reads of events by fields. */
const EVENT_READING = `${GENERATED}/runtime/api/parts/event-reading.ts`;

/** Reads of many rows in the background. */
const FIRST_ROWS = `${GENERATED}/runtime/store/first-rows.ts`;

/** Members of objects and elements of lists, with their shapes. */
const MEMBERS = `${GENERATED}/runtime/model/fields/members.ts`;

/** Creates at a name: by PUT, and by server-side apply. */
const NEW_NAMES = `${GENERATED}/runtime/api/writes/create-or-change.ts`;

/** Writes of the service itself, of controllers and along references. */
const OWN_WRITE = `${GENERATED}/runtime/api/writes/own-write.ts`;

/** Documents in YAML: of the command line, and of Kubernetes clients. */
const YAML = `${GENERATED}/runtime/files/yaml-documents.ts`;

/** A kind of database, and how `service.ts` names it with the parts that a project needs. */
function databaseFeature(name: 'sqlite' | 'postgres'): Pick<Feature, 'imports' | 'databases'> {
  const parts = (project: Project): [part: string, value: string][] => {
    const needed = {
      events: project.events,
      history: hasHistory(project),
      indexing: hasData(project),
      migration: hasVersions(project),
    };
    const names = Object.entries(needed).flatMap(([part, isNeeded]) => (isNeeded ? [part] : []));
    return names.map((part) => [part, name + upperFirst(part)]);
  };
  return {
    imports: (project) => ({
      [`./runtime/store/${name}`]: `${name}With`,
      ...Object.fromEntries(
        parts(project).map(([part, value]) => [`./runtime/store/${name}/${part}`, value]),
      ),
    }),
    databases(project) {
      const members = parts(project).map(([part, value]) => [part, new Code(value)]);
      return new Call(`${name}With`, members.length === 0 ? [] : [Object.fromEntries(members) as Printable]);
    },
  };
}

export const FEATURES: readonly Feature[] = [
  {
    asked: 'databases: [sqlite]',
    isUsed: ({ databases }) => databases.includes('sqlite'),
    ...databaseFeature('sqlite'),
    files: [`${GENERATED}/runtime/store/sqlite/`],
    packages: ['@photostructure/sqlite'],
  },
  {
    asked: 'databases: [postgres]',
    isUsed: ({ databases }) => databases.includes('postgres'),
    ...databaseFeature('postgres'),
    files: [`${GENERATED}/runtime/store/postgres/`],
    packages: ['pg'],
    devPackages: ['@types/pg'],
    settings: ['POSTGRES_'],
  },
  {
    asked: 'databases: [sqlite, postgres]',
    isUsed: ({ databases }) => databases.length > 1,
    files: [`${GENERATED}/runtime/store/copy/`, `${GENERATED}/copy-store.ts`],
    shared: [COMMAND_OUTPUT, FIRST_ROWS],
    scripts: ['precopy-store', 'copy-store'],
  },
  {
    asked: 'security',
    isUsed: ({ security }) => security.length > 0,
    imports: () => ({ './runtime/http/security/required': 'required' }),
    files: [`${GENERATED}/runtime/http/security/required.ts`],
  },
  {
    asked: 'pages',
    isUsed: ({ parts }) => parts.pages,
    imports: () => ({ './runtime/pages': 'pages' }),
    features: () => 'pages',
    files: [`${GENERATED}/runtime/pages/`],
    packages: ['swagger-ui-dist'],
  },
  {
    asked: 'metrics',
    isUsed: ({ parts }) => parts.metrics,
    imports: () => ({ './runtime/metrics': 'metrics' }),
    features: () => 'metrics',
    files: [`${GENERATED}/runtime/metrics/`],
    packages: ['prom-client'],
    settings: ['METRICS'],
  },
  {
    asked: 'workers',
    isUsed: ({ parts }) => parts.workers,
    imports: () => ({ './runtime/workers': 'supervise' }),
    files: [`${GENERATED}/runtime/workers/`],
    shared: [BACKOFF],
    settings: ['WORKERS'],
  },
  {
    asked: 'specVersioning',
    isUsed: hasHistory,
    imports: () => ({ './runtime/history/feature': 'history' }),
    features: () => 'history',
    files: ['history', ...storeFolders('history')].map((folder) => `${GENERATED}/runtime/${folder}/`),
  },
  {
    asked: 'a kind in several versions',
    isUsed: hasVersions,
    imports: () => ({ './runtime/versions': 'versions' }),
    features: () => 'versions',
    files: [
      ...['conversion', 'versions', ...storeFolders('migration')].map(
        (folder) => `${GENERATED}/runtime/${folder}/`,
      ),
      `${GENERATED}/runtime/model/versions/spoke-converter.ts`,
      `${GENERATED}/migrate-storage.ts`,
      `${TESTS}/laws/`,
    ],
    shared: [COMMAND_OUTPUT, DEPRECATIONS, FIRST_ROWS, MEMBERS],
    devPackages: ['fast-check'],
    scripts: ['premigrate-storage', 'migrate-storage'],
    isLikely: true,
  },
  {
    asked: 'names, unique, immutable, selectable or ref',
    isUsed: hasData,
    imports: () => ({ './runtime/data': 'data' }),
    features: () => "data(async () => (await import('./routes')).allKinds())",
    files: [
      ...['data', ...storeFolders('indexing')].map((folder) => `${GENERATED}/runtime/${folder}/`),
      `${GENERATED}/check-data.ts`,
      `${GENERATED}/client/where.ts`,
      `${TESTS}/contract/data.ts`,
    ],
    shared: [COMMAND_OUTPUT, EVENT_READING, FIRST_ROWS, NEW_NAMES, OWN_WRITE],
    settings: ['CASCADE_'],
    scripts: ['precheck-data', 'check-data'],
    isLikely: true,
  },
  {
    asked: 'events: true',
    isUsed: ({ events }) => events,
    imports: () => ({ './runtime/events': 'events' }),
    features: ({ nats, kubernetes }) => {
      const options = ["sdk: () => import('./runtime/cloudevents/sdk')"];
      if (nats) options.push('nats: natsSink');
      // A watch shows objects that leave its selection as they were within.
      if (kubernetes) options.push('storesStates: true');
      return `events({ ${options.join(', ')} })`;
    },
    exports: [
      "export { receiveWebhook, WebhookRefused, type ReceiveOptions } from './runtime/cloudevents/receive-webhook';",
      "export { startController, type Controller, type ControllerOptions } from './runtime/controllers/controller';",
      "export type { ResourceEvent, ResourceEventData } from './runtime/events/log/cloud-event';",
    ],
    files: [
      ...['cloudevents', 'controllers', 'events', ...storeFolders('events')].map(
        (folder) => `${GENERATED}/runtime/${folder}/`,
      ),
      `${GENERATED}/client/events.ts`,
      `${GENERATED}/client/resource-event.ts`,
      `${GENERATED}/client/server-sent-events.ts`,
      `${GENERATED}/ctl/watch.ts`,
    ],
    shared: [BACKOFF, EVENT_READING, FIRST_ROWS, OWN_WRITE],
    packages: ['cloudevents'],
    settings: ['EVENTS_', 'DEAD_LETTERS_', 'WEBHOOK_'],
  },
  {
    asked: 'events: { nats: true }',
    isUsed: ({ nats }) => nats,
    imports: () => ({ './runtime/events/nats/nats-sink': 'natsSink' }),
    files: [`${GENERATED}/runtime/events/nats/`],
    packages: ['@nats-io/jetstream', '@nats-io/transport-node'],
    settings: ['NATS_'],
  },
  {
    asked: 'client',
    isUsed: ({ parts }) => parts.client,
    files: [`${GENERATED}/client/`],
  },
  {
    asked: 'ctl',
    isUsed: ({ parts }) => parts.ctl,
    files: [`${GENERATED}/ctl/`, `${GENERATED}/ctl.ts`, `${GENERATED}/runtime/files/yaml-text.ts`],
    shared: [YAML],
    packages: ['yaml'],
    program: 'dist/generated/ctl.js',
  },
  {
    asked: 'contractTests',
    isUsed: ({ parts }) => parts.contractTests,
    files: [
      ...['contract/', 'harness.ts', 'database.ts', 'service.test.ts'].map((path) => `${TESTS}/${path}`),
      CONTRACT_TEST,
    ],
  },
  {
    asked: 'console',
    isUsed: ({ console }) => console,
    imports: () => ({ './console/content': 'consoleContent', './runtime/console': 'consolePages' }),
    features: () => 'consolePages(consoleContent)',
    files: [`${GENERATED}/console/`, `${GENERATED}/runtime/console/`],
  },
  {
    asked: 'kubernetes: true',
    isUsed: ({ kubernetes }) => kubernetes,
    imports: () => ({
      './kubernetes/content': 'kubernetesContent',
      './runtime/kubernetes': 'kubernetes',
    }),
    features: () => 'kubernetes(kubernetesContent)',
    exports: ["export { isOpenPage } from './runtime/kubernetes/open-page';"],
    files: [`${GENERATED}/kubernetes/`, `${GENERATED}/runtime/kubernetes/`, `${GENERATED}/kubeconfig.ts`],
    shared: [DEPRECATIONS, MEMBERS, NEW_NAMES, YAML],
    packages: ['yaml'],
    scripts: ['prekubeconfig', 'kubeconfig'],
  },
  {
    asked: 'the rule pattern',
    isUsed: (project) => hasElement(project, ({ rules }) => rules.pattern !== undefined),
    files: ['patterns.ts', 'unicode-property.ts'].map((file) => `${GENERATED}/runtime/model/rules/${file}`),
    packages: ['re2js'],
    settings: ['MAX_PATTERN_'],
  },
  {
    asked: 'the key of a list',
    isUsed: (project) => hasElement(project, ({ type }) => type.kind === 'list' && type.key !== undefined),
    files: [`${GENERATED}/runtime/model/rules/repeated-keys.ts`],
  },
];

/** Returns the folders of a part of the stores. */
function storeFolders(part: string): string[] {
  return ['store', 'store/sqlite', 'store/postgres'].map((folder) => `${folder}/${part}`);
}

/** Returns whether a kind keeps the history of its specs. */
export function hasHistory({ groups }: Project): boolean {
  return groups.some(({ kinds }) => kinds.some((kind) => kind.history !== undefined));
}

/** Returns whether a kind is in several versions. */
function hasVersions({ groups }: Project): boolean {
  return groups.some(({ kinds }) => kinds.some(({ versions }) => versions.length > 1));
}

/** Returns whether kinds declare names, fields or references. */
function hasData({ groups }: Project): boolean {
  return groups.some(({ kinds }) =>
    kinds.some(
      ({ uniqueNames, versions }) => uniqueNames || versions.some(({ declared }) => declared.length > 0),
    ),
  );
}

/** Returns whether any field of a project, element or value of one meets a condition. */
function hasElement({ groups }: Project, meets: (element: Element) => boolean): boolean {
  const isFound = (element: Element): boolean => meets(element) || partsOf(element.type).some(isFound);
  return groups.some(({ types, kinds }) => {
    const versions = kinds.flatMap((kind) => kind.versions);
    const fields = [...types, ...versions].flatMap((each) =>
      'fields' in each ? each.fields : [...each.spec, ...each.status],
    );
    return fields.some(isFound);
  });
}

/** Returns whether a project has a file: all but those of features that it does not use. */
export function fileFilter(project: Project): (path: string) => boolean {
  const sharedByUsed = usedBy(project).flatMap(({ shared = [] }) => shared);
  const unused = unusedBy(project).flatMap(({ files = [], shared = [] }) => [
    ...files,
    ...shared.filter((file) => !sharedByUsed.includes(file)),
  ]);
  const covers = (files: string | RegExp, path: string): boolean => {
    if (typeof files !== 'string') return files.test(path);
    return files.endsWith('/') ? path.startsWith(files) : path === files;
  };
  return (path) => !unused.some((files) => covers(files, path));
}

/** Returns the features that a project uses. */
export function usedBy(project: Project): Feature[] {
  return FEATURES.filter(({ isUsed }) => isUsed(project));
}

/** Returns the features that the `package.json` of a new project is ready for. */
export function preparedFor(project: Project): Feature[] {
  return FEATURES.filter(({ isUsed, isLikely }) => isUsed(project) || isLikely);
}

/** Returns the features that a project does without. */
export function unusedBy(project: Project): Feature[] {
  return FEATURES.filter(({ isUsed }) => !isUsed(project));
}

/** Returns the packages, settings or commands of all these features. */
export function gathered(
  features: Feature[],
  part: 'packages' | 'devPackages' | 'settings' | 'scripts',
): string[] {
  return features.flatMap((feature) => feature[part] ?? []);
}
