import { readMetadata } from '../../templates/runtime/api/request/metadata';
import { collecting, type Unconverted } from '../../templates/runtime/conversion/lenses/unconverted';
import * as rules from '../../templates/runtime/conversion/rules';
import * as table from '../../templates/runtime/conversion/table';
import { longFailures } from '../../templates/runtime/data/fields';
import { nameFailures } from '../../templates/runtime/data/names';
import { lifecycle } from '../../templates/runtime/kubernetes/lifecycle/rules';
import { same } from '../../templates/runtime/model/fields/values';
import type { KindDefinition } from '../../templates/runtime/model/kinds/kind';
import type { KindData } from '../../templates/runtime/model/kinds/kind-data';
import type { HubState, PartWrite } from '../../templates/runtime/model/kinds/versioning';
import { type Failure, HttpProblem } from '../../templates/runtime/model/problem';
import type { Resource } from '../../templates/runtime/model/resource';
import * as formats from '../../templates/runtime/model/rules/formats';
import * as patterns from '../../templates/runtime/model/rules/patterns';
import * as pointerSteps from '../../templates/runtime/model/rules/pointer-steps';
import * as repeatedKeys from '../../templates/runtime/model/rules/repeated-keys';
import type { JsonObject } from '../../templates/runtime/model/schema';
import type { Service } from '../../templates/runtime/service/service';
import { readSettings } from '../../templates/runtime/settings/settings';
import { admit, defaultsOf } from '../../templates/runtime/validation/admission';
import { versioning } from '../../templates/runtime/versions';
import { converterModule } from '../conversion/module/converter-module';
import { PARTS } from '../model/fields';
import { versionSchemas } from '../model/json-schema';
import { ProjectError } from '../model/problem';
import type { Kind, KindVersion } from '../model/project';
import { dataOf } from '../plan/kind-data';
import { type ConvertedKind, kindPath } from '../plan/planned-project';
import { validatorModule } from '../render/kinds/validators';
import { ModuleLoader, type Sources } from './module-loader';

/** A resource as a document of one version. */
export interface ResourceDocument {
  apiVersion?: string;
  kind?: string;
  metadata?: JsonObject;
  spec: JsonObject;
  status?: JsonObject;
}

/** The document in the other version and the fields that could not be converted, or the failures of its rules. */
type Converted = { failures: Failure[] } | { document: ResourceDocument; left: Unconverted[] };

/** A kind of a project, and where its own file comes from. */
interface DocumentKind extends ConvertedKind {
  /** The kind's own file, without its ending. */
  userFile: string;
  sources: Sources;
}

const RUNTIME = '#runtime';
const USER_FILE = '#user';
/** The modules of the runtime that generated code imports. */
const MODULES: { [file: string]: object } = {
  'model/rules/pointer-steps': pointerSteps,
  'model/rules/repeated-keys': repeatedKeys,
  'model/rules/formats': formats,
  'model/rules/patterns': patterns,
  'conversion/rules': rules,
  'conversion/table': table,
};

/**
 * Converts a document between two versions of a kind as a service does with a new resource: its rules are checked,
 * defaults are filled in, and only the version that it is in has something preserved. Throws ProjectError for a function of a rule `custom`
 * that the kind's own file lacks.
 */
export function convertDocument(
  subject: DocumentKind,
  { from, to }: { from: string; to: string },
  document: ResourceDocument,
): Converted {
  const { group, kind } = subject;
  const definition = definitionOf(subject, new Set([from, to, group.storageVersion]));
  const { status: { version, ...observed } = {}, ...rest } = structuredClone(document);
  const isServers = kind.history !== undefined;
  const status = isServers || version === undefined ? observed : { ...observed, version };
  const parts = { spec: rest.spec, status };
  const writes = PARTS.map((part) => ({ version: from, part, fields: parts[part] }));
  const admitted = writes.map((write) => ({ write, found: admit(SERVICE, definition, write, undefined) }));
  const judged = admitted.filter(({ write }) => write.part === 'spec' || !isFirstStatus(definition, write));
  const failures = [
    ...judged.flatMap(({ found }) => found),
    ...metadataFailures(kind, definition.data, from, rest),
  ];
  const later = (): Failure[] =>
    judged.flatMap(({ write }) => versioning.laterFailures(SERVICE, definition, write, undefined, failures));
  failures.push(...collecting(later).result);
  if (failures.length > 0) return { failures };
  const { result, left } = collecting(() =>
    versioning.shownIn(definition, created(definition, rest, writes), to),
  );
  const shown = { ...result.status, ...(isServers && version !== undefined && { version }) };
  const whole = { ...rest, apiVersion: `${group.name}/${to}`, spec: result.spec };
  return { document: Object.keys(shown).length > 0 ? { ...whole, status: shown } : whole, left };
}

/** Returns true for the status of a new resource: it has only defaults, which may lack required fields. */
function isFirstStatus(definition: KindDefinition, { version, part, fields }: PartWrite): boolean {
  return same(fields, defaultsOf(definition, version, part));
}

/** Returns a new resource whose parts were written one after the other. */
function created(definition: KindDefinition, document: object, writes: PartWrite[]): HubState {
  const empty = { metadata: {}, ...document, spec: {}, status: {} } as unknown as Resource;
  return writes.reduce<HubState>(
    (state, write) => {
      const before = write.part === 'spec' ? undefined : state;
      const { fields, ...besides } = versioning.writeThrough(SERVICE, definition, write, before, []);
      const hub = { ...state.hub, [write.part]: fields };
      const writer = { version: write.version, part: write.part, ...besides };
      return { hub, preserved: versioning.preservedAfter(definition, before, hub, writer) };
    },
    { hub: empty, preserved: {} },
  );
}

/** The parts of a service that decide what is valid; its environment sets nothing. */
const SERVICE = { definition: { validation: 'strict' }, settings: readSettings({}) } as unknown as Pick<
  Service,
  'definition' | 'settings'
>;

/** Returns the failures of metadata, and those of names and indexed strings, which every mode refuses. */
function metadataFailures(
  { uniqueNames, ownedFields, uidPrefix }: Kind,
  data: KindData = {},
  version: string,
  { metadata, spec }: ResourceDocument,
): Failure[] {
  const failures: Failure[] = [];
  try {
    const names = uniqueNames ? (['name', 'generateName'] as const) : (['name'] as const);
    const client = readMetadata(metadata, failures, names, ownedFields ? lifecycle : undefined);
    // What a service shows has the uid as its name where its client gave none.
    const { name, ...others } = client;
    const given = name === metadata?.['uid'] ? others : client;
    if (uniqueNames) failures.push(...nameFailures(uidPrefix, given, undefined));
    if (ownedFields) failures.push(...lifecycle.failuresOf(given, undefined));
    failures.push(...longFailures({ data }, { version, part: 'spec', fields: spec, client: given }));
  } catch (error) {
    // Too many labels are one failure, which the service has no pointer for.
    if (!(error instanceof HttpProblem) || error.status !== 400) throw error;
    failures.push({ pointer: '/metadata/labels', rule: 'max', detail: error.message });
  }
  return failures;
}

/** Returns the kind as the runtime knows it, in the versions that are needed. */
function definitionOf(subject: DocumentKind, names: Set<string>): KindDefinition {
  const { group, kind, sources, userFile } = subject;
  const file = `src/kinds/${kindPath(subject)}.ts`;
  const functions = (): object => functionsOf(loader, userFile, file);
  const modules = Object.entries(MODULES).map(
    ([name, module]) => [`${RUNTIME}/${name}`, () => module] as const,
  );
  const loader = new ModuleLoader(sources, { ...Object.fromEntries(modules), [USER_FILE]: functions });
  const needed = kind.versions.filter(({ version }) => names.has(version));
  for (const version of needed) checkFunctions(functions, file, version);
  const versions = needed.map((version) => [version.version, versionOf(loader, subject, version)] as const);
  return {
    ...{ group: group.name, kind: kind.name, plural: kind.plural, uidPrefix: kind.uidPrefix },
    storageVersion: group.storageVersion,
    servedVersions: versions.map(([name]) => name),
    history: kind.history,
    data: dataOf(subject),
    versions: Object.fromEntries(versions) as KindDefinition['versions'],
    hooks: {},
    versioning,
  };
}

function versionOf(loader: ModuleLoader, subject: DocumentKind, version: KindVersion): object {
  const { group, kind, conversions } = subject;
  const schemas = versionSchemas(group, kind, version);
  const name = version.version;
  const validators = loader.run(`#${name}.validate`, validatorModule(schemas, RUNTIME));
  if (name === group.storageVersion) return { ...schemas, ...validators };
  const place = { kind: kind.name, runtime: RUNTIME, userFile: USER_FILE };
  const converter = loader.run(
    `#${name}.convert`,
    converterModule(conversions.planOf(name), group.types, place),
  );
  return { ...schemas, ...validators, ...converter };
}

/** Throws ProjectError for a function of a rule `custom` that the kind's own file does not export. */
function checkFunctions(functions: () => object, file: string, { version, conversion }: KindVersion): void {
  const names = (conversion as { custom?: { name: string } }[]).flatMap(({ custom }) => custom?.name ?? []);
  if (names.length === 0) return;
  const exported = functions() as { [name: string]: unknown };
  const problems = names
    .flatMap((each) => [`${each}ToHub`, `${each}FromHub`])
    .filter((name) => typeof exported[name] !== 'function')
    .map((name) => ({ file, message: `it does not export ${name}, which a rule of ${version} needs` }));
  if (problems.length > 0) throw new ProjectError(problems);
}

function functionsOf(loader: ModuleLoader, userFile: string, file: string): object {
  try {
    return loader.load(userFile);
  } catch (error) {
    if (error instanceof ProjectError) throw error;
    const message = `it cannot be run: ${(error as Error).message.split('\n', 1)[0]}`;
    throw new ProjectError([{ file, message, hint: 'run npm install if it imports packages' }]);
  }
}
