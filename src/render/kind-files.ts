import { inputTypes } from './input-types';
import { statusFields, usedTypes, versionSchemas } from '../json-schema';
import { Code, literal, type Printable } from './literal';
import type { Group, Kind, KindVersion } from '../model';
import { renderTemplate } from './templates';
import { declaration } from './type-text';
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
export function kindPath({ group, kind }: { group: { name: string }; kind: { name: string } }): string {
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
    versions: new Code(versionTable(versions, storageVersion)),
    hooks: new Code(`hooksOf<${storageVersion}.${kind.name}>(hooks)`),
  };
  return renderTemplate('generated/kind.ts', {
    kind: kind.name,
    hooks: `../../../kinds/${kindPath(subject)}`,
    storageVersion,
    versions: versions.map((version) => ({ version, isSpoke: version !== storageVersion })),
    definition: literal(definition),
  });
}

function versionTable(versions: string[], hub: string): string {
  const rows = versions.map((version) => {
    const parts = [`...${version}Schema`, `...${version}Validate`];
    if (version !== hub) parts.push(`...${version}Convert`);
    return `    ${version}: { ${parts.join(', ')} },\n`;
  });
  return `{\n${rows.join('')}  }`;
}

/** `<version>.ts`: the types of a kind in one version. */
export function typesFile({ group, kind, version }: VersionSubject): string {
  const [spec, status] = [`${kind.name}Spec`, `${kind.name}Status`];
  const fields = statusFields(kind, version);
  const shared = usedTypes(group.types, [...version.spec, ...fields]);
  return renderTemplate('generated/version.ts', {
    kind: kind.name,
    version: version.version,
    spec: declaration(spec, version.spec, `Desired state of ${kind.name}, written by users.`),
    status: declaration(status, fields, `Observed state of ${kind.name}, written by controllers.`),
    types: shared.map(({ name, fields }) => declaration(name, fields, '')),
    input: { ...inputTypes({ group, kind, version }) },
  });
}

/** `<version>.schema.ts`: the field rules of a kind in one version. Right as they are, they cost the compiler nothing. */
export function schemaFile({ group, kind, version }: VersionSubject): string {
  const { spec, status, types } = versionSchemas(group, kind, version);
  const constant = (start: string, value: object): string =>
    `${start}${literal(value as Printable, { column: start.length, tail: 1 })};`;
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
