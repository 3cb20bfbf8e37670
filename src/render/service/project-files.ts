import '../../../templates/runtime/data/settings';
import '../../../templates/runtime/events/log/event-settings';
import { stringify } from 'yaml';
import { SETTINGS } from '../../../templates/runtime/settings/settings';
import { markdownTable } from '../../code/markdown';
import { NAME_LENGTH } from '../../model/names';
import type { Project } from '../../model/project';
import type { KindSubject } from '../../plan/planned-project';
import { createExamples, curlLine } from '../client/create-examples';
import { credentialContext, curlCredential } from '../client/credentials';
import { commands, otherCommands, programs } from '../features/commands';
import { gathered, unusedBy, usedBy } from '../features/features';
import { publicKind, publicType } from '../features/index-file';
import { dependencies } from '../features/packages';
import descriptions from '../service-settings.json';
import { renderTemplate } from '../text/templates';

/** `package.json`. */
export function packageFile(project: Project): string {
  const { name } = project;
  const bin = programs(project, usedBy(project));
  const content = {
    name,
    version: '0.1.0',
    private: true,
    type: 'commonjs',
    ...(Object.keys(bin).length > 0 && { bin }),
    engines: { node: '>=20.19' },
    // A package that /docs needs would report each install to its makers.
    ...(project.parts.pages && { scarfSettings: { enabled: false } }),
    scripts: commands(project),
    ...dependencies(project),
  };
  return `${JSON.stringify(content, undefined, 2)}\n`;
}

/** A kind's own file: an example of each thing that it may export. */
export function hooksFile({ group, kind }: KindSubject): string {
  return renderTemplate('project/src/kind.ts', {
    kind: kind.name,
    type: publicType(kind, group.storageVersion),
    plural: kind.plural,
  });
}

/** `src/controllers/start.ts`: where controllers start, with an example for the first kind, or for one to come. */
export function controllersFile({ events, groups }: Project): string {
  const group = groups.find(({ kinds }) => kinds.length > 0) ?? groups[0];
  const kind = group.kinds[0] ?? { publicName: 'Device' };
  return renderTemplate('project/src/controllers.ts', {
    events,
    definition: publicKind(kind),
    type: publicType(kind, group.storageVersion),
  });
}

/** `.env.example`: every setting with what it is without one. */
export function environmentExample(project: Project): string {
  return renderTemplate('project/env.example', {
    settings: serviceSettings(project).map((each) => ({ ...each })),
  });
}

/** The commands of a project that its README explains. */
const COMMANDS = {
  'npm start': 'builds if needed and serves',
  'npm run dev': 'serves, and restarts on every change to the code',
  'npm test': 'runs the tests, yours and the generated ones',
  'npm run typecheck': 'checks the types of all the code',
  'npm run build': 'compiles to `dist/main.js`; run it with `node dist/main.js`',
  'npm run migrate-storage': 'with several versions: rewrites data stored in an earlier storage version',
  'npm run check-data':
    'with unique names, unique fields or references: reports stored resources that break their rules',
  'npm run kubeconfig': 'prints a kubeconfig, for kubectl and other Kubernetes clients',
  'npm run copy-store': 'copies all data from SQLite to PostgreSQL',
  'npm run sbom': 'lists every package of the service, in CycloneDX',
  'svcgen generate': 'updates the generated code after a change to `project.yaml`',
  'svcgen doctor': 'reports what prevents the service from starting, with fixes',
};

function commandsTable(project: Project): string {
  const others = otherCommands(project);
  const rows = Object.entries(COMMANDS)
    .filter(([command]) => !others.includes(command.replace('npm run ', '')))
    .map(([command, effect]) => [`\`${command}\``, effect]);
  return markdownTable(['Command', 'Effect'], rows);
}

/** `README.md` of a project: a tour. */
export function projectReadme(project: Project): string {
  const [first] = createExamples(project);
  const tour = first === undefined ? false : { ...first, curl: curlLine(first, project.security), body: '' };
  return renderTemplate('project/README.md', {
    name: project.name,
    commands: commandsTable(project),
    postgres: project.databases.includes('postgres'),
    needsDatabase: !project.databases.includes('sqlite'),
    tests: project.parts.contractTests,
    pages: project.parts.pages,
    metrics: project.parts.metrics,
    first: tour,
    credential: curlCredential(project.security),
    credentials: credentialContext(project),
    settings: settingsTable(serviceSettings(project)),
  });
}

/** `compose.yaml`: the service with PostgreSQL, where it has that, and NATS, where events are published there. */
export function composeFile({ name, nats, databases }: Project): string {
  const postgres = databases.includes('postgres');
  return renderTemplate('project/compose.yaml', { name, nats, postgres, depends: postgres || nats });
}

/** `kubernetes/service.yaml`: what runs the service in a cluster. */
export function deploymentFile({ name, databases, parts }: Project): string {
  const postgres = databases.includes('postgres');
  const label = dnsLabel(name);
  return renderTemplate('project/kubernetes/service.yaml', {
    name,
    label,
    // A service may be called true or null, and kubectl reads YAML 1.1.
    labelText: stringify(label, { version: '1.1' }).trim(),
    postgres,
    metrics: parts.metrics,
  });
}

/** The name as Kubernetes takes one for a Service (RFC 1035, section 2.3.1): no dots, no digit at the start. */
function dnsLabel(name: string): string {
  const start = /^[a-z]/.test(name) ? '' : 'svc-';
  return `${start}${name.replace(/[._]/g, '-')}`.slice(0, NAME_LENGTH).replace(/-+$/, '');
}

/** A setting of a service. */
interface ServiceSetting {
  name: string;
  /** The default; empty for none. */
  fallback: string;
  description: string;
}

/** Returns every setting that a service of this name may have. */
export function allSettings(name: string): ServiceSetting[] {
  return Object.entries(SETTINGS).map(([setting, { fallback }]) => ({
    name: setting,
    fallback: setting === 'DATABASE_URL' ? `sqlite:./data/${name}.db` : String(fallback),
    description: descriptions[setting as keyof typeof descriptions],
  }));
}

/** Returns every setting that the service of a project has a use for. */
export function serviceSettings(project: Project): ServiceSetting[] {
  const unused = gathered(unusedBy(project), 'settings');
  return allSettings(project.name)
    .filter(({ name }) => !unused.some((start) => name.startsWith(start)))
    .map((setting) => (setting.name === 'DATABASE_URL' ? databaseSetting(setting, project) : setting));
}

function databaseSetting(setting: ServiceSetting, { databases }: Project): ServiceSetting {
  if (databases.length > 1) return setting;
  return databases.includes('sqlite')
    ? { ...setting, description: 'Database: sqlite:<file>' }
    : {
        ...setting,
        fallback: '',
        description: 'Database: postgres://…, required; a primary and its standbys: postgres://user@a,b/name',
      };
}

/** The settings as a Markdown table, its columns aligned. */
export function settingsTable(settings: ServiceSetting[]): string {
  const rows = settings.map(({ name, fallback, description }) => [
    `\`${name}\``,
    fallback && `\`${fallback}\``,
    description.replace(/[|<]/g, '\\$&'),
  ]);
  return markdownTable(['Setting', 'Default', 'Description'], rows);
}
