import { join } from 'node:path';
import * as ts from 'typescript';
import { converterModule } from '../../src/conversion/module/converter-module';
import { type Conversion, planConversion } from '../../src/conversion/plan/conversion';
import { loadProject } from '../../src/load/load-project';
import { type VersionSchemas, versionSchemas } from '../../src/model/json-schema';
import type { Group, Kind } from '../../src/model/project';
import type { SpokeConverter } from '../../templates/runtime/model/versions/spoke-converter';

const RUNTIME = join(__dirname, '../../templates/runtime');

/** The functions of a kind's own file. */
export type UserFile = { [name: string]: unknown };

/** One spoke of a kind, its converter compiled from the generated text. */
export interface Spoke {
  hub: VersionSchemas;
  spoke: VersionSchemas;
  conversion: Conversion;
  text: string;
  converter: SpokeConverter;
}

/** The first kind of a project.yaml, and what is known of each of its spokes. */
export function conversions(yaml: string): { group: Group; kind: Kind; all: Map<string, Conversion> } {
  const { project } = loadProject('.', yaml);
  const group = project.groups[0];
  const kind = group.kinds[0];
  const hub = kind.versions.find(({ version }) => version === group.storageVersion)!;
  const all = new Map<string, Conversion>();
  for (const spoke of kind.versions) {
    if (spoke !== hub) all.set(spoke.version, planConversion(hub, spoke, group.types));
  }
  return { group, kind, all };
}

/** The spokes of the first kind of a project.yaml, compiled. */
export function spokes(yaml: string, user: UserFile = {}): Map<string, Spoke> {
  const { group, kind, all } = conversions(yaml);
  const schemas = (version: string) =>
    versionSchemas(
      group,
      kind,
      kind.versions.find((one) => one.version === version)!,
    );
  const compiled = new Map<string, Spoke>();
  for (const [version, conversion] of all) {
    const { plan, problems } = conversion;
    if (plan === undefined)
      throw new Error(
        problems.map(({ path, message, hint }) => `${path.join('.')}: ${message} (${hint})`).join('\n'),
      );
    const text = converterModule(plan, group.types, {
      kind: kind.name,
      runtime: '../../runtime',
      userFile: '../../../kind',
    });
    const converter = evaluate(text, user);
    compiled.set(version, {
      hub: schemas(group.storageVersion),
      spoke: schemas(version),
      conversion,
      text,
      converter,
    });
  }
  return compiled;
}

/** Both versions, the rules between them, the shared types, and the kind's own file. */
export interface Given {
  hub: string;
  spoke: string;
  rules?: string;
  types?: string;
  user?: UserFile;
}

/** A project.yaml of one group with v1 as its hub and v1beta1 as its spoke. */
export function pair(parts: Given): string {
  const indented = (text: string, by: number) =>
    text
      .trim()
      .split('\n')
      .map((line) => ' '.repeat(by) + line)
      .join('\n');
  return `name: pair
groups:
  - name: example.svc.dev
    storageVersion: v1
    versions: [v1, v1beta1]
${parts.types ? `    types:\n${indented(parts.types, 6)}\n` : ''}    kinds:
      - name: Thing
        versions:
          v1:
${indented(parts.hub, 12)}
          v1beta1:
${indented(parts.spoke, 12)}
            conversion:
${parts.rules ? indented(parts.rules, 14) : '              []'}
`;
}

function evaluate(text: string, user: UserFile): SpokeConverter {
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const code = ts.transpileModule(text, { compilerOptions: options }).outputText;
  const exported: { converter?: SpokeConverter } = {};
  const load = (id: string): unknown =>
    id.startsWith('../../runtime') ? require(join(RUNTIME, id.slice('../../runtime'.length))) : user;
  new Function('exports', 'require', code)(exported, load);
  return exported.converter!;
}
