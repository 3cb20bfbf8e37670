import { Identifiers, TYPE_WORDS } from './identifiers';
import { statusFields, usedTypes, versionSchemas } from './json-schema';
import { Code, literal } from './literal';
import type { Group, Kind, KindVersion } from './model';
import { renderTemplate } from './templates';
import { TypeText } from './type-text';
import { validatorModule } from './validators';

/** A kind in its group. */
export interface KindSubject {
  group: Group;
  kind: Kind;
}

/** A kind in one version. */
export interface VersionSubject extends KindSubject {
  version: KindVersion;
}

/** The runtime folder, from a file of a kind. */
const RUNTIME = '../../runtime';

/** `<group>/<kind in lowercase>`: where a kind's files are, below several folders. */
export function kindPath({ group, kind }: KindSubject): string {
  return `${group.name}/${kind.name.toLowerCase()}`;
}

/** `kind.ts`: the kind as data. */
export function kindFile(subject: KindSubject): string {
  const { group, kind } = subject;
  const versions = kind.versions.map(({ version }) => version);
  const { storageVersion } = group;
  const definition = {
    group: group.name,
    kind: kind.name,
    plural: kind.plural,
    uidPrefix: kind.uidPrefix,
    storageVersion,
    servedVersions: [storageVersion, ...versions.filter((version) => version !== storageVersion)],
    history: kind.history && { keep: kind.history.keep },
    versions: new Code(versionTable(versions)),
    hooks: new Code(`runtime.hooksOf<${storageVersion}.${kind.name}>(hooks)`),
  };
  return renderTemplate('generated/kind.ts', {
    kind: kind.name,
    hooks: `../../../kinds/${kindPath(subject)}`,
    storageVersion,
    versions,
    definition: literal(definition),
  });
}

function versionTable(versions: string[]): string {
  const rows = versions.map((version) => `    ${version}: { ...${version}Schema, ...${version}Validate },\n`);
  return `{\n${rows.join('')}  }`;
}

/** `<version>.ts`: the types of a kind in one version. */
export function typesFile({ group, kind, version }: VersionSubject): string {
  const [spec, status] = [`${kind.name}Spec`, `${kind.name}Status`];
  const fields = statusFields(kind, version);
  const shared = usedTypes(group.types, [...version.spec, ...fields]);
  const identifiers = new Identifiers([...TYPE_WORDS, 'runtime', kind.name, spec, status]);
  const names = new Map(
    shared.map(({ name }) => [name, identifiers.claim(name.replace(/\W/g, '_'), 'Type')]),
  );
  const text = new TypeText((name) => names.get(name)!);
  return renderTemplate('generated/version.ts', {
    kind: kind.name,
    version: version.version,
    spec: text.declaration(spec, version.spec, `Desired state of a ${kind.name}, written by users.`),
    status: text.declaration(status, fields, `Observed state of a ${kind.name}, written by controllers.`),
    types: shared.map(({ name, fields }) => text.declaration(names.get(name)!, fields, '')),
  });
}

/** `<version>.schema.ts`: the field rules of a kind in one version. */
export function schemaFile({ group, kind, version }: VersionSubject): string {
  const { spec, status, types } = versionSchemas(group, kind, version);
  const constant = (start: string, value: object): string =>
    `${start}${literal(value as Parameters<typeof literal>[0], { column: start.length, tail: 1 })};`;
  return renderTemplate('generated/schema.ts', {
    kind: kind.name,
    version: version.version,
    spec: constant('export const spec: Schema = ', spec),
    status: constant('export const status: Schema = ', status),
    types: constant('export const types: { [name: string]: Schema } = ', types),
  });
}

/** `<version>.validate.ts`: the field rules, compiled. */
export function validateFile({ group, kind, version }: VersionSubject): string {
  return `// @ts-nocheck\n${validatorModule(versionSchemas(group, kind, version), RUNTIME)}`;
}

/** `routes.ts` of a kind: one line per route. */
export function kindRoutesFile({ kind }: KindSubject): string {
  return renderTemplate('generated/kind-routes.ts', { kind: kind.name, history: kind.history !== undefined });
}
