import { join } from 'node:path';
import { converterModule } from './emit';
import { ModuleLoader, type Sources } from './load';
import { conversionOf } from '../conversions';
import { versionSchemas } from '../json-schema';
import type { Group, Json, Kind, KindVersion } from '../model';
import { ProjectError } from '../problem';
import { kindPath } from '../render/kind-files';
import { TEMPLATES } from '../render/templates';
import { validatorModule } from '../render/validators';

/** A resource as a document of one version. */
export interface ResourceDocument {
  apiVersion?: string;
  kind?: string;
  metadata?: object;
  spec: { [name: string]: Json };
  status?: { [name: string]: Json };
}

/** A rule that the document breaks, with a JSON Pointer into it. */
export interface DocumentFailure {
  pointer: string;
  rule: string;
  detail: string;
}

/** Something that a function of a rule `custom` failed to convert. */
interface Left {
  function?: string;
  error?: unknown;
}

/** What is used of the runtime, which lies outside of what is compiled to dist. */
interface Runtime {
  admission: {
    admit(
      kind: object,
      version: string,
      part: 'spec' | 'status',
      fields: object,
      before: undefined,
    ): DocumentFailure[];
  };
  writing: {
    writeThrough(
      service: { validation: 'strict' },
      kind: object,
      write: { version: string; part: 'spec' | 'status'; fields: object },
      before: object | undefined,
      warnings: string[],
    ): { fields: { [name: string]: Json } };
  };
  state: {
    shownIn(kind: object, state: { hub: ResourceDocument; kept: object }, version: string): ResourceDocument;
  };
  unconverted: { collecting<T>(convert: () => T): { result: T; left: Left[] } };
}

/** What is wrong with the document, or what it is in the other version. */
export type Converted = { failures: DocumentFailure[] } | { document: ResourceDocument; left: Left[] };

/**
 * Converts a document between two versions of a kind as a service does with a new resource: its rules are checked,
 * defaults filled in, and nothing is kept aside. `userFile` is the kind's own file, without its ending. Throws
 * ProjectError for a function of a rule `custom` that the file lacks.
 */
export function convertDocument(
  { group, kind, userFile, sources }: { group: Group; kind: Kind; userFile: string; sources: Sources },
  { from, to }: { from: string; to: string },
  document: ResourceDocument,
): Converted {
  const runtime = join(TEMPLATES, 'runtime');
  const loader = new ModuleLoader(sources, { [RUNTIME]: runtime, [USER_FILE]: userFile });
  const load = <Part extends keyof Runtime>(file: string): Runtime[Part] => loader.load(`${runtime}/${file}`);
  const { admit } = load<'admission'>('admission');
  const { writeThrough } = load<'writing'>('spoke-writing');
  const { shownIn } = load<'state'>('hub-state');
  const { collecting } = load<'unconverted'>('conversion/unconverted');
  const definition = definitionOf(loader, group, kind, new Set([from, to, group.storageVersion]));

  const { status: { version, ...observed } = {}, ...rest } = structuredClone(document);
  const isServers = kind.history !== undefined;
  const status = isServers || version === undefined ? observed : { ...observed, version };
  const parts = { spec: rest.spec, status };
  const failures = (['spec', 'status'] as const).flatMap((part) =>
    admit(definition, from, part, parts[part], undefined),
  );
  if (failures.length > 0) return { failures };
  try {
    const { result, left } = collecting(() => {
      const hub = { ...rest, metadata: rest.metadata ?? {}, spec: {}, status: {} } as ResourceDocument;
      for (const part of ['spec', 'status'] as const) {
        const write = { version: from, part, fields: parts[part] };
        const before = part === 'spec' ? undefined : { hub, kept: {} };
        hub[part] = writeThrough({ validation: 'strict' }, definition, write, before, []).fields;
      }
      return shownIn(definition, { hub, kept: {} }, to);
    });
    const shown = { ...result.status, ...(isServers && version !== undefined && { version }) };
    const { spec } = result;
    const whole = { ...rest, apiVersion: `${group.name}/${to}`, spec };
    return { document: Object.keys(shown).length > 0 ? { ...whole, status: shown } : whole, left };
  } catch (error) {
    const { errors } = Object(Object(error).extras) as { errors?: DocumentFailure[] };
    if (errors === undefined) throw error;
    return {
      failures: errors.map((failure) => ({ ...failure, pointer: failure.pointer.replace(/^#/, '') })),
    };
  }
}

const RUNTIME = '#runtime';
const USER_FILE = '#user';

/** The kind as the runtime knows it, in the versions that are needed. */
function definitionOf(loader: ModuleLoader, group: Group, kind: Kind, names: Set<string>): object {
  const versions = kind.versions
    .filter(({ version }) => names.has(version))
    .map((version) => [version.version, versionOf(loader, group, kind, version)] as const);
  return {
    group: group.name,
    kind: kind.name,
    storageVersion: group.storageVersion,
    servedVersions: versions.map(([name]) => name),
    history: kind.history,
    versions: Object.fromEntries(versions),
    hooks: {},
  };
}

function versionOf(loader: ModuleLoader, group: Group, kind: Kind, version: KindVersion): object {
  const schemas = versionSchemas(group, kind, version);
  const validators = loader.run(`#${version.version}.validate`, validatorModule(schemas, RUNTIME));
  if (version.version === group.storageVersion) return { ...schemas, ...validators };
  const { plan } = conversionOf(group, kind, version);
  if (plan === undefined) throw new Error(`${kind.name} ${version.version} has conversion problems`);
  checkFunctions(loader, kindPath({ group, kind }), version);
  const place = { kind: kind.name, runtime: RUNTIME, userFile: USER_FILE };
  const text = converterModule(plan, group.types, place);
  return { ...schemas, ...validators, ...loader.run(`#${version.version}.convert`, text) };
}

/** Throws ProjectError for a function of a rule `custom` that the kind's own file does not export. */
function checkFunctions(loader: ModuleLoader, kind: string, { version, conversion }: KindVersion): void {
  const names = (conversion as { custom?: { name: string } }[]).flatMap(({ custom }) => custom?.name ?? []);
  if (names.length === 0) return;
  const file = `src/kinds/${kind}.ts`;
  const exported = functionsOf(loader, file);
  const problems = names
    .flatMap((each) => [`${each}ToHub`, `${each}FromHub`])
    .filter((name) => typeof exported[name] !== 'function')
    .map((name) => ({ file, message: `it does not export ${name}, which a rule of ${version} needs` }));
  if (problems.length > 0) throw new ProjectError(problems);
}

function functionsOf(loader: ModuleLoader, file: string): { [name: string]: unknown } {
  try {
    return loader.load(loader.aliases[USER_FILE]!);
  } catch (error) {
    if (error instanceof ProjectError) throw error;
    const message = `it cannot be run: ${(error as Error).message.split('\n', 1)[0]}`;
    throw new ProjectError([{ file, message, hint: 'npm install brings the packages that it imports' }]);
  }
}
