import { camelCase } from '../../code/identifiers';
import { Code, literal, memberName, type Printable, stringLiteral, WIDTH } from '../../code/literal';
import { deprecationText } from '../../model/deprecation';
import type { Group, KindVersion, Project } from '../../model/project';
import { isSelected } from '../../openapi/data-parameters';
import { columnsIn } from '../../plan/columns';
import { dataOf } from '../../plan/kind-data';
import {
  type ConvertedKind,
  inStorageVersion,
  kindPath,
  type PlannedKind,
  type PlannedProject,
  type VersionSubject,
} from '../../plan/planned-project';
import { hasHistory } from '../features/features';
import { publicType } from '../features/index-file';
import { inputTypes } from '../text/input-types';
import { renderTemplate, type TemplateContext } from '../text/templates';
import { docComment } from '../text/type-text';
import { union } from '../text/union';
import { clientFields } from './client-fields';
import type { CreateExample } from './create-examples';
import { credentialsOf, exampleCredential } from './credentials';

/** `client/index.ts`: the collections of every version, and their types. */
export function clientFile({ project, kinds }: PlannedProject): string {
  const modules = new Modules();
  const fields: string[] = [];
  const groups = project.groups.map((group) => groupContext(group, kinds, { modules, fields }));
  const stored = kinds.map(inStorageVersion);
  const histories = stored.map(({ kind }) => kind.history !== undefined);
  const eventOf = (subject: VersionSubject): string =>
    `ResourceEvent<${stringLiteral(subject.kind.name)}, ${modules.name(subject)}.${subject.kind.name}>`;
  return renderTemplate('generated/client.ts', {
    name: project.name,
    imports: modules.list,
    hasFields: fields.length > 0,
    fields,
    groups,
    defaults: stored.map(({ group, kind }) => {
      const version = `apis${access(group.name)}${access(group.storageVersion)}`;
      return `${memberName(kind.plural)}: ${version}${access(kind.plural)},`;
    }),
    hasKinds: stored.length > 0,
    hasPlain: histories.includes(false),
    hasHistory: histories.includes(true),
    connected: stored.length > 0 || project.events,
    credentials: stored.length > 0 || project.events ? credentialsOf(project) : [],
    events: project.events,
    eventType: union('export type ServiceEvent =', stored.map(eventOf)),
    eventVersions: [...versionsAskedFor(kinds)].map(([name, subjects]) =>
      union(`  ${memberName(name)}:`, subjects.map(eventOf), '    '),
    ),
  });
}

/** The client of a project in a few lines; false where no kind has an example. */
export function clientExample(project: Project, examples: CreateExample[]): TemplateContext | false {
  const example = examples.find(({ body }) => body !== undefined);
  if (example === undefined) return false;
  const { kind, plural, body } = example;
  const variable = `new${kind}`;
  const collection = `client${access(plural)}`;
  const start = `const ${variable} = await ${collection}.create(`;
  return {
    plural,
    variable,
    collection,
    credential: exampleCredential(project),
    create: `${start}${literal(body, { column: start.length, tail: 2 })});`,
    history: hasHistory(project),
    events: project.events,
  };
}

/** Returns a kind as the command line of a service knows it: the storage version first. */
function ctlKind(subject: ConvertedKind): { [key: string]: Printable } {
  const { group, kind } = subject;
  const module = ({ version }: KindVersion, part: string): Code =>
    new Code(`() => import(${stringLiteral(`./kinds/${kindPath(subject)}/${version}.${part}`)})`);
  const hub = inStorageVersion(subject).version;
  const versions = [hub, ...kind.versions.filter((version) => version !== hub)].map((version) => [
    version.version,
    {
      columns: columnsIn(subject, version).map(({ title, path, type, wide }) => ({
        ...{ title, path },
        ...(type === 'date' && { type }),
        ...(wide && { wide }),
      })),
      schema: module(version, 'schema'),
      ...(version !== hub && { convert: module(version, 'convert') }),
    },
  ]);
  return {
    ...{ group: group.name, kind: kind.name, plural: kind.plural },
    versions: Object.fromEntries(versions) as Printable,
    history: kind.history !== undefined,
    ...(kind.uniqueNames && { uniqueNames: true }),
    ...(isSelected(dataOf(subject)) && { selectable: true }),
  };
}

/** `ctl.ts`: the service's command line. */
export function ctlFile({ project, kinds: planned }: PlannedProject): string {
  const kinds = planned.map(ctlKind);
  const start = 'const definition: CtlDefinition = ';
  const apiKeys = project.security.flatMap((scheme) => (scheme.type === 'apiKey' ? [scheme.header] : []));
  const definition = {
    ...{ service: project.name, events: project.events },
    ...(apiKeys.length > 0 && { apiKeys }),
    kinds,
  };
  return renderTemplate('generated/ctl.ts', {
    name: project.name,
    events: project.events,
    definition: literal(definition, { column: start.length, tail: 1 }),
  });
}

/** The versions that events can be asked for in, `v1` and `<group>/v1`, with the kinds that come in each. */
function versionsAskedFor(kinds: PlannedKind[]): Map<string, VersionSubject[]> {
  const subjects = kinds.flatMap((subject) =>
    subject.kind.versions.map((version) => ({ ...subject, version })),
  );
  const found = new Map<string, VersionSubject[]>();
  for (const subject of subjects) {
    const { group, version } = subject;
    for (const name of [version.version, `${group.name}/${version.version}`])
      found.set(name, [...(found.get(name) ?? []), subject]);
  }
  return found;
}

/** The modules with the types of kinds, under the names that the client imports them by. */
class Modules {
  readonly list: TemplateContext[] = [];
  readonly #known = new Set<string>();

  name(subject: VersionSubject): string {
    const { kind, version } = subject;
    const name = camelCase(publicType(kind, version.version));
    if (!this.#known.has(name)) this.list.push({ name, path: `${kindPath(subject)}/${version.version}` });
    this.#known.add(name);
    return name;
  }
}

/** Returns the collections of a group; the types of their fields are added to `fields`. */
function groupContext(
  group: Group,
  kinds: PlannedKind[],
  { modules, fields }: { modules: Modules; fields: string[] },
): TemplateContext {
  const own = kinds.filter(({ kind }) => kind.group === group.name);
  const versions = group.versions.map((name) => {
    const collections = own.flatMap((planned) => {
      const version = planned.kind.versions.find((each) => each.version === name);
      if (version === undefined) return [];
      const subject = { ...planned, version };
      const named = clientFields(subject, (each) => modules.name(each));
      if (named !== undefined) fields.push(named.text);
      return [collection(subject, modules, named?.name)];
    });
    const deprecation = deprecationText(group, name);
    const comment =
      deprecation === undefined ? '' : docComment([`@deprecated ${deprecation}`], ' '.repeat(6));
    return { name, comment, collections, empty: collections.length === 0 };
  });
  return { name: memberName(group.name), versions };
}

/** One collection, in the form that Prettier gives it. */
function collection(subject: VersionSubject, modules: Modules, fields: string | undefined): string {
  const { group, kind, version } = subject;
  const module = modules.name(subject);
  const types = [
    `${module}.${kind.name}`,
    `${module}.${inputTypes(subject).input}`,
    ...(fields ? [fields] : []),
  ];
  const name = kind.history === undefined ? 'Collection' : 'HistoryCollection';
  const start = `${memberName(kind.plural)}: new ${name}`;
  const args = [
    'connection',
    stringLiteral(`${group.name}/${version.version}/${kind.plural}`),
    ...(fields ? ['fieldSelector'] : []),
  ];
  const pad = ' '.repeat(8);
  const open = `${start}<${types.join(', ')}>(`;
  const line = `${open}${args.join(', ')}),`;
  if (pad.length + line.length <= WIDTH) return line;
  const lines = args.map((arg) => `${pad}  ${arg},\n`).join('');
  if (pad.length + open.length <= WIDTH) return `${open}\n${lines}${pad}),`;
  return `${start}<\n${types.map((type) => `${pad}  ${type}`).join(',\n')}\n${pad}>(${args.join(', ')}),`;
}

function access(name: string): string {
  return memberName(name) === name ? `.${name}` : `[${stringLiteral(name)}]`;
}
