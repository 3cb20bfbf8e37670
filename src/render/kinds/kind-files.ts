import { Code, literal, type Printable } from '../../code/literal';
import { statusFields, usedTypes, versionSchemas } from '../../model/json-schema';
import { dataOf } from '../../plan/kind-data';
import {
  type ConvertedKind,
  kindPath,
  type KindSubject,
  type VersionSubject,
} from '../../plan/planned-project';
import { inputTypes, shownStatus } from '../text/input-types';
import { renderTemplate } from '../text/templates';
import { declaration } from '../text/type-text';
import { validatorModule } from './validators';

/** The runtime folder, from a file of a kind. */
const RUNTIME = '../../../runtime';

/** `kind.ts`: the kind as data. */
export function kindFile(subject: ConvertedKind): string {
  const { group, kind } = subject;
  const versions = kind.versions.map(({ version }) => version);
  const { storageVersion } = group;
  const data = dataOf(subject);
  const converts = versions.length > 1;
  const owns = converts && kind.ownedFields;
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
    ...(converts && { versioning: new Code(owns ? 'owning(versioning)' : 'versioning') }),
    ...(data !== undefined && { data: data as Printable }),
  };
  return renderTemplate('generated/kind.ts', {
    kind: kind.name,
    hooks: `../../../../kinds/${kindPath(subject)}`,
    storageVersion,
    ...{ converts, owns },
    versions: versions.map((version) => ({
      version,
      views: version === storageVersion ? [] : versions.filter((other) => other !== version),
    })),
    definition: literal(definition),
  });
}

function versionTable(versions: string[], hub: string): string {
  const rows = versions.map((version) => {
    const parts = [`...${version}Schema`, `...${version}Validate`];
    if (version === hub) return `    ${version}: { ${parts.join(', ')} },\n`;
    const views = versions
      .filter((other) => other !== version)
      .map((other) => `        ${other}: ${version}${other}View.converter,\n`);
    const all = [...parts, `...${version}Convert`, `views: {\n${views.join('')}      }`];
    return `    ${version}: {\n${all.map((part) => `      ${part},\n`).join('')}    },\n`;
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
    status: declaration(
      status,
      shownStatus(fields),
      `Observed state of ${kind.name}, written by controllers.`,
    ),
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
