import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { textOf } from '../../templates/runtime/model/thrown';
import { convertDocument } from '../document/convert-document';
import { DocumentFile } from '../document/document-file';
import type { Sources } from '../document/module-loader';
import { decodeText, readTextFile, tryRead } from '../files/text-file';
import { readProject } from '../load/load-project';
import { type Problem, refuse } from '../model/problem';
import { planProject } from '../plan/plan-project';
import { kindPath, type PlannedKind, type PlannedProject } from '../plan/planned-project';
import { findProject } from './project-folder';
import type { Outcome, Session } from './session';

interface Options {
  project?: string;
  group?: string;
  kind: string;
  from: string;
  to: string;
}

/** The most that a document or a source of the project may hold, in bytes; a service takes 1 MiB by default. */
const MAX_DOCUMENT_SIZE = 4 * 1024 * 1024;

/** `svcgen convert`: a resource of one version as another shows it, by the converters of the service. */
export async function run({ io }: Session, options: Options, [file]: string[]): Promise<Outcome> {
  const folder = findProject(io.cwd(), options.project);
  const subject = findKind(planProject(readProject(folder)), options);
  const { group, kind } = subject;
  const given =
    file === undefined
      ? await readAll(io.stdin)
      : read(resolve(io.cwd(), file), file, 'the document may come from stdin');
  const source = new DocumentFile(file ?? 'stdin', given);
  const document = source.resource({ group: group.name, kind: kind.name, version: options.from });
  const userFile = join(folder, 'src', 'kinds', kindPath({ group, kind }));
  const withSources = { ...subject, userFile, sources: await sources(folder) };
  const converted = convertDocument(withSources, options, document);
  if ('failures' in converted) return source.refuse(converted.failures);
  source.check();
  const text = `${JSON.stringify(converted.document, null, 2)}\n`;
  const problems = converted.left.map(({ function: name, error }): Problem => ({
    file: `${relative(folder, userFile)}.ts`,
    message: `${name} threw: ${textOf(error)}`,
    hint: `${options.to} omits its fields`,
  }));
  return { exit: 0, text, problems, more: { document: converted.document } };
}

function findKind({ project, kinds }: PlannedProject, options: Options): PlannedKind {
  const groups = project.groups.map(({ name }) => name);
  if (options.group !== undefined && !groups.includes(options.group))
    refuse(`group ${options.group} not found; available: ${groups.join(', ')}`);
  const all = kinds.filter(({ group }) => [undefined, group.name].includes(options.group));
  const found = all.filter(({ kind }) => kind.name === options.kind);
  if (found.length === 0) {
    const available = new Set(all.map(({ kind }) => kind.name));
    if (available.size === 0) refuse('project.yaml has no kinds yet', 'svcgen add kind adds one');
    refuse(`kind ${options.kind} not found in project.yaml; available: ${[...available].join(', ')}`);
  }
  if (found.length > 1) refuse(`several groups have a kind ${options.kind}`, 'choose one with --group');
  const versions = found[0].kind.versions.map(({ version }) => version);
  for (const version of [options.from, options.to]) {
    if (versions.includes(version)) continue;
    refuse(`version ${version} not found in kind ${options.kind}; available: ${versions.join(', ')}`);
  }
  return found[0];
}

/** TypeScript takes a while to load, and no other command needs it. */
async function sources(folder: string): Promise<Sources> {
  const { transpileModule, ModuleKind, ScriptTarget } = await import('typescript');
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022, esModuleInterop: true };
  return {
    transpile: (text) => transpileModule(text, { compilerOptions }).outputText,
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
    read: (path) => read(path, relative(folder, path), 'run svcgen generate to create it'),
  };
}

function read(path: string, name: string, hint: string): string {
  return tryRead(
    () => readTextFile(path, { limit: MAX_DOCUMENT_SIZE }),
    ({ message }) => refuse(`cannot read ${name}: it ${message}`, hint),
  );
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A character may begin in one chunk and end in the next.
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    size += chunks.at(-1)!.length;
    if (size > MAX_DOCUMENT_SIZE) refuse(`stdin is larger than ${MAX_DOCUMENT_SIZE / 1024 / 1024} MiB`);
  }
  return tryRead(
    () => decodeText(Buffer.concat(chunks)),
    ({ message }) => refuse(`stdin ${message}`),
  );
}
