import { camelCase } from '../../code/identifiers';
import { WIDTH } from '../../code/literal';
import type { Kind } from '../../model/project';
import { kindPath, type PlannedProject } from '../../plan/planned-project';
import { renderTemplate } from '../text/templates';
import { usedBy } from './features';

/** Returns the name of a kind's definition in `src/generated/index.ts`, such as `deviceKind`. */
export function publicKind({ publicName }: Pick<Kind, 'publicName'>): string {
  return `${camelCase(publicName)}Kind`;
}

/** Returns the name of a kind's type in `src/generated/index.ts`, such as `DeviceV1`; its spec is `DeviceV1Spec`. */
export function publicType({ publicName }: Pick<Kind, 'publicName'>, version: string): string {
  return `${publicName}V${version.slice(1)}`;
}

/** `index.ts`: the public entry point of the generated code. */
export function indexFile({ project, kinds: planned }: PlannedProject): string {
  const kinds = planned.map((subject) => {
    const { kind } = subject;
    const path = kindPath(subject);
    const versions = kind.versions.map(({ version }) => typesLine(kind, version, path));
    return { name: publicKind(kind), path, versions };
  });
  return renderTemplate('generated/index.ts', {
    client: project.parts.client,
    exports: usedBy(project).flatMap(({ exports = [] }) => exports),
    kinds,
  });
}

/** Returns the export of a kind's types under their public names: one line, or one for each name where that is too long. */
export function typesLine(kind: Kind, version: string, path: string, ...more: string[]): string {
  const parts = ['', 'Spec', 'Status', ...more].map(
    (part) => `${kind.name}${part} as ${publicType(kind, version)}${part}`,
  );
  const from = `from './kinds/${path}/${version}';`;
  const line = `export type { ${parts.join(', ')} } ${from}`;
  return line.length <= WIDTH
    ? line
    : `export type {\n${parts.map((part) => `  ${part},\n`).join('')}} ${from}`;
}
