import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Session } from '../cli';
import { loadConverter, type Document, type DocumentConverter } from '../conversion/load';
import { conversionOf } from '../conversions';
import { kindPath } from '../render/kind-files';
import { loadProject } from '../load/load-project';
import type { Group, Kind, Project } from '../model';
import type { Outcome } from '../cli/outcome';
import { findProject } from '../cli/project-folder';
import { refuse } from '../cli/refusal';
import { TEMPLATES } from '../render/templates';

interface Options {
  project?: string;
  group?: string;
  kind: string;
  from: string;
  to: string;
}

/** A resource as a document, whatever its kind. */
interface Envelope {
  apiVersion?: string;
  spec: object;
  status?: object;
}

/** The part of the TypeScript compiler that is used, from the project's own installation. */
interface Compiler {
  transpileModule(text: string, options: { compilerOptions: object }): { outputText: string };
  ModuleKind: { CommonJS: number };
  ScriptTarget: { ES2022: number };
}

/** `svcgen convert`: a resource of one version as another shows it, by the converters of the service. */
export async function run({ io }: Session, options: Options, [file]: string[]): Promise<Outcome> {
  const folder = findProject(io.cwd(), options.project);
  const { group, kind } = findKind(loadProject(folder).project, options);
  const document = parse(
    file === undefined ? await readAll(io.stdin) : read(join(io.cwd(), file)),
    file ?? 'stdin',
  );
  let body: Document = { spec: document.spec, status: document.status ?? {} };
  const converter = (version: string): DocumentConverter => spokeConverter(folder, group, kind, version);
  try {
    if (options.from !== options.to) {
      if (options.from !== group.storageVersion) body = converter(options.from).toHub(body, undefined).hub;
      if (options.to !== group.storageVersion) body = converter(options.to).fromHub(body, undefined);
    }
  } catch (error) {
    const { failures } = error as { failures?: { pointer: string; detail: string }[] };
    if (failures === undefined) throw error;
    refuse(failures.map(({ pointer, detail }) => `${pointer}: ${detail}`).join('\n'));
  }
  const { spec, status } = body;
  const converted = {
    ...document,
    apiVersion: `${group.name}/${options.to}`,
    spec,
    status: Object.keys(status).length > 0 ? status : undefined,
  };
  return { exit: 0, text: `${JSON.stringify(converted, null, 2)}\n`, more: { document: converted } };
}

function findKind({ groups }: Project, options: Options): { group: Group; kind: Kind } {
  const found = groups
    .filter(({ name }) => options.group === undefined || name === options.group)
    .flatMap((group) => group.kinds.map((kind) => ({ group, kind })))
    .filter(({ kind }) => kind.name === options.kind);
  if (found.length === 0) refuse(`kind ${options.kind} not found in project.yaml`);
  if (found.length > 1) refuse(`several groups have a kind ${options.kind}`, '--group names one');
  const versions = found[0].kind.versions.map(({ version }) => version);
  for (const version of [options.from, options.to]) {
    if (versions.includes(version)) continue;
    refuse(`version ${version} not found in kind ${options.kind}; available: ${versions.join(', ')}`);
  }
  return found[0];
}

function spokeConverter(folder: string, group: Group, kind: Kind, version: string): DocumentConverter {
  const spoke = kind.versions.find((candidate) => candidate.version === version)!;
  const { plan, problems } = conversionOf(group, kind, spoke);
  if (plan === undefined)
    refuse(problems.map(({ message }) => message).join('\n'), 'svcgen generate tells where');
  const { transpileModule, ModuleKind, ScriptTarget } = compiler(folder);
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true };
  return loadConverter(plan, group.types, kind.name, {
    runtime: join(TEMPLATES, 'runtime'),
    userFile: join(folder, 'src', 'kinds', kindPath({ group, kind })),
    transpile: (text) => transpileModule(text, { compilerOptions }).outputText,
    read: (path) => readFileSync(`${path}.ts`, 'utf8'),
  });
}

function compiler(folder: string): Compiler {
  for (const from of [join(folder, 'package.json'), __filename]) {
    try {
      return createRequire(from)('typescript') as Compiler;
    } catch {
      // The next place may have it.
    }
  }
  return refuse('convert needs the TypeScript of the project', 'run npm install in the project');
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    return refuse(`cannot read ${path}: ${(error as Error).message}`);
  }
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk.toString();
  return text;
}

function parse(text: string, source: string): Envelope {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    refuse(`${source} is not JSON: ${(error as Error).message}`);
  }
  const { spec } = Object(document) as { spec?: unknown };
  if (typeof spec !== 'object' || spec === null) refuse(`${source} is no resource: it has no spec`);
  return document as Envelope;
}
