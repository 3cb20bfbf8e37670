import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Session } from '../cli';
import { convertDocument } from '../conversion/convert-document';
import { DocumentFile } from '../conversion/document-file';
import { checkConversions } from '../conversions';
import { kindPath } from '../render/kind-files';
import { loadProject } from '../load/load-project';
import type { Group, Kind, Project } from '../model';
import type { Outcome } from '../cli/outcome';
import { findProject } from '../cli/project-folder';
import { refuse } from '../cli/refusal';
import type { Problem } from '../problem';

interface Options {
  project?: string;
  group?: string;
  kind: string;
  from: string;
  to: string;
}

/** `svcgen convert`: a resource of one version as another shows it, by the converters of the service. */
export async function run({ io }: Session, options: Options, [file]: string[]): Promise<Outcome> {
  const folder = findProject(io.cwd(), options.project);
  const loaded = loadProject(folder);
  const { group, kind } = findKind(loaded.project, options);
  checkConversions(loaded);
  const given = file === undefined ? await readAll(io.stdin) : read(resolve(io.cwd(), file));
  const source = new DocumentFile(file ?? 'stdin', given);
  const document = source.resource({ group: group.name, kind: kind.name, version: options.from });
  const userFile = join(folder, 'src', 'kinds', kindPath({ group, kind }));
  const converted = convertDocument(
    { group, kind, userFile, sources: await sources(folder) },
    options,
    document,
  );
  if ('failures' in converted) return source.refuse(converted.failures);
  const text = `${JSON.stringify(converted.document, null, 2)}\n`;
  const problems = converted.left.map(({ function: name, error }): Problem => ({
    file: `${relative(folder, userFile)}.ts`,
    message: `${name} threw: ${error instanceof Error ? error.message : String(error)}`,
    hint: `${options.to} shows none of its fields`,
  }));
  return { exit: 0, text, problems, more: { document: converted.document } };
}

function findKind({ groups }: Project, options: Options): { group: Group; kind: Kind } {
  const found = groups
    .filter(({ name }) => options.group === undefined || name === options.group)
    .flatMap((group) => group.kinds.map((kind) => ({ group, kind })))
    .filter(({ kind }) => kind.name === options.kind);
  if (found.length === 0) {
    const kinds = groups.flatMap((group) => group.kinds.map(({ name }) => name));
    refuse(`kind ${options.kind} not found in project.yaml; available: ${[...new Set(kinds)].join(', ')}`);
  }
  if (found.length > 1) refuse(`several groups have a kind ${options.kind}`, '--group names one');
  const versions = found[0].kind.versions.map(({ version }) => version);
  for (const version of [options.from, options.to]) {
    if (versions.includes(version)) continue;
    refuse(`version ${version} not found in kind ${options.kind}; available: ${versions.join(', ')}`);
  }
  return found[0];
}

/** TypeScript takes a while to load, and no other command needs it. */
async function sources(folder: string): Promise<Parameters<typeof convertDocument>[0]['sources']> {
  const { transpileModule, ModuleKind, ScriptTarget } = await import('typescript');
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true };
  return {
    transpile: (text) => transpileModule(text, { compilerOptions }).outputText,
    read(path) {
      try {
        return readFileSync(`${path}.ts`, 'utf8');
      } catch {
        return refuse(`cannot read ${relative(folder, path)}.ts`, 'svcgen generate writes what is missing');
      }
    },
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`cannot read ${path}: ${(error as Error).message}`);
  }
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  // A character may begin in one chunk and end in the next.
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}
