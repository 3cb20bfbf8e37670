import type { CreateExample } from './create-examples';
import { deprecationText } from '../deprecation';
import { camelCase, Identifiers } from './identifiers';
import { inputTypes, storageVersionOf } from './input-types';
import { statusFields } from '../json-schema';
import { kindPath, type KindSubject, type VersionSubject } from './kind-files';
import { literal, memberName, stringLiteral } from './literal';
import type { Group, Project } from '../model';
import { renderTemplate, type TemplateContext } from './templates';
import { docComment } from './type-text';

const WIDTH = 110;

/** `client/index.ts`: the collections of every version, and their types. */
export function clientFile(project: Project): string {
  const modules = new Modules(project);
  const groups = project.groups.map((group) => groupContext(group, modules));
  const stored = kindsOf(project).map(storageVersionOf);
  const histories = kindsOf(project).map(({ kind }) => kind.history !== undefined);
  const eventOf = (subject: VersionSubject): string =>
    `ResourceEvent<${stringLiteral(subject.kind.name)}, ${modules.name(subject)}.${subject.kind.name}>`;
  return renderTemplate('generated/client.ts', {
    name: project.name,
    imports: modules.list,
    groups,
    defaults: stored.map(({ group, kind }) => {
      const version = `apis${access(group.name)}${access(group.storageVersion)}`;
      return `${memberName(kind.plural)}: ${version}${access(kind.plural)},`;
    }),
    hasKinds: stored.length > 0,
    hasPlain: histories.includes(false),
    hasHistory: histories.includes(true),
    connected: stored.length > 0 || project.events,
    events: project.events,
    eventType: union('export type ServiceEvent =', stored.map(eventOf)),
    eventVersions: [...versionsAskedFor(project)].map(([name, subjects]) =>
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
    create: `${start}${literal(body, { column: start.length, tail: 2 })});`,
    history: kindsOf(project).some((subject) => subject.kind.history !== undefined),
    events: project.events,
  };
}

/** `ctl.ts`: the service's command line. */
export function ctlFile(project: Project): string {
  const kinds = kindsOf(project).map((subject) => {
    const { group, kind } = subject;
    const fields = statusFields(kind, storageVersionOf(subject).version).map(({ name }) => name);
    const columns = ['phase', 'ready'].filter((name) => fields.includes(name));
    const { storageVersion } = group;
    const others = kind.versions
      .map(({ version }) => version)
      .filter((version) => version !== storageVersion);
    return {
      group: group.name,
      kind: kind.name,
      plural: kind.plural,
      versions: [storageVersion, ...others],
      columns,
      history: kind.history !== undefined,
    };
  });
  const start = 'const definition: CtlDefinition = ';
  const definition = { service: project.name, events: project.events, kinds };
  return renderTemplate('generated/ctl.ts', {
    name: project.name,
    definition: literal(definition, { column: start.length, tail: 1 }),
  });
}

/** The versions that events can be asked for in, `v1` and `<group>/v1`, with the kinds that come in each. */
function versionsAskedFor({ groups }: Project): Map<string, VersionSubject[]> {
  const subjects = groups.flatMap((group) =>
    group.kinds.flatMap((kind) => kind.versions.map((version) => ({ group, kind, version }))),
  );
  const found = new Map<string, VersionSubject[]>();
  for (const subject of subjects) {
    const { group, version } = subject;
    for (const name of [version.version, `${group.name}/${version.version}`])
      found.set(name, [...(found.get(name) ?? []), subject]);
  }
  return found;
}

function kindsOf({ groups }: Project): KindSubject[] {
  return groups.flatMap((group) => group.kinds.map((kind) => ({ group, kind })));
}

/** The modules with the types of kinds, and what they are called here. */
class Modules {
  readonly list: TemplateContext[] = [];
  readonly #names = new Map<string, string>();
  readonly #identifiers = new Identifiers();
  readonly #ambiguous: Set<string>;

  constructor(project: Project) {
    const kinds = kindsOf(project).map(({ kind }) => kind.name);
    this.#ambiguous = new Set(kinds.filter((name, index) => kinds.indexOf(name) !== index));
  }

  name(subject: VersionSubject): string {
    const { kind, version } = subject;
    const path = `${kindPath(subject)}/${version.version}`;
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    const owner = this.#ambiguous.has(kind.name) ? identifierOf(subject.group.name) : '';
    const own = owner === '' ? camelCase(kind.name) : kind.name;
    const name = this.#identifiers.claim(`${owner}${own}V${version.version.slice(1)}`);
    this.#names.set(path, name);
    this.list.push({ name, path });
    return name;
  }
}

/** `example.svc.dev` → `exampleSvcDev` */
function identifierOf(group: string): string {
  return group.replace(/^\d/, '_$&').replace(/[.-]+(.)/g, (_, start: string) => start.toUpperCase());
}

function groupContext(group: Group, modules: Modules): TemplateContext {
  const versions = group.versions.map((name) => {
    const collections = group.kinds.flatMap((kind) => {
      const version = kind.versions.find((each) => each.version === name);
      return version === undefined ? [] : [collection({ group, kind, version }, modules)];
    });
    const deprecation = deprecationText(group, name);
    const comment =
      deprecation === undefined ? '' : docComment([`@deprecated ${deprecation}`], ' '.repeat(6));
    return { name, comment, collections, empty: collections.length === 0 };
  });
  return { name: memberName(group.name), versions };
}

/** One collection, in the form that Prettier gives it. */
function collection(subject: VersionSubject, modules: Modules): string {
  const { group, kind, version } = subject;
  const module = modules.name(subject);
  const types = `<${module}.${kind.name}, ${module}.${inputTypes(subject).input}>`;
  const name = kind.history === undefined ? 'Collection' : 'HistoryCollection';
  const start = `${memberName(kind.plural)}: new ${name}${types}(`;
  const args = ['connection', stringLiteral(`${group.name}/${version.version}/${kind.plural}`)];
  const pad = ' '.repeat(8);
  const line = `${start}${args.join(', ')}),`;
  if (pad.length + line.length <= WIDTH) return line;
  return `${start}\n${args.map((arg) => `${pad}  ${arg},\n`).join('')}${pad}),`;
}

function union(start: string, types: string[], indent = '  '): string {
  const line = `${start} ${types.join(' | ') || 'never'};`;
  return line.length <= WIDTH ? line : `${start}${types.map((type) => `\n${indent}| ${type}`).join('')};`;
}

function access(name: string): string {
  return memberName(name) === name ? `.${name}` : `[${stringLiteral(name)}]`;
}
