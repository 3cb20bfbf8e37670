import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { digestOf } from '../files/digest';
import { GENERATED_HEADER, type OutputFile } from '../files/ownership';
import { BUILT_CONSOLE, ROOT, TEMPLATES } from '../files/package-root';
import { MAX_GENERATED_SIZE, readTextFile, tryRead } from '../files/text-file';
import { tryOr } from '../files/try-or';
import type { ImportedText } from '../load/imports';
import { importName, importPath, readProjectFile } from '../load/project-file';
import { readLockText } from '../lock/lock-text';
import { ProjectError } from '../model/problem';
import type { Notices } from '../plan/plan-project';
import type { FeatureCommands } from '../render/features/commands';
import type { FeaturePackage } from '../render/features/packages';
import { CACHE_FILE } from '../write/tree-plan';

/** Results of the last run, keyed by digests of their inputs. Stale results cost time, never correctness. */
export interface LastRun {
  /** The digest of everything that the run read. */
  inputs: string;
  /** The imports as project.yaml has them. */
  imports: string[];
  notices: Notices;
  files: KnownFile[];
  /** The packages that the project needs because of its features. */
  packages: FeaturePackage[];
  /** The commands of package.json that it needs because of them. */
  commands: FeatureCommands[];
}

/** A file of the run. A user-owned one has no digest: anything in its place is right. */
interface KnownFile extends Pick<OutputFile, 'path' | 'owner' | 'digest'> {
  /** As `RenderedFile` has it. */
  source: string;
}

/** The texts that a run reads. */
export interface Inputs {
  /** project.yaml. */
  text: string;
  /** svcgen.lock; undefined before the first run. */
  lock: string | undefined;
}

/** Reads project.yaml and svcgen.lock. Throws ProjectError where one of them cannot be read. */
export function readInputs(folder: string): Inputs {
  return { text: readProjectFile(folder), lock: readLockText(folder) };
}

/** Returns true where a run with these inputs and imports would read the same now. */
export function isUnchanged(folder: string, inputs: Inputs, imports: ImportedText[]): boolean {
  try {
    const written = imports.map((each) => each.written);
    const now = readImports(folder, written);
    return now !== undefined && inputsDigest(readInputs(folder), now) === inputsDigest(inputs, imports);
  } catch (error) {
    // The next attempt reports what cannot be read.
    if (error instanceof ProjectError) return false;
    throw error;
  }
}

/** Returns the results of the last run in a folder; undefined unless this very svcgen wrote them, whole. */
export function readLastRun(root: string): LastRun | undefined {
  const reading = { limit: MAX_GENERATED_SIZE, within: root };
  const text = tryOr(() => readTextFile(join(root, CACHE_FILE), reading), '');
  const [, digest, body] = /^.*\n(.*)\n([^]*)$/.exec(text) ?? [];
  return body !== undefined && digest === seal(body) ? (JSON.parse(body) as LastRun) : undefined;
}

/** Returns the results of a run as a file. */
export function lastRunText(run: LastRun): string {
  const body = JSON.stringify(run);
  return `${GENERATED_HEADER}\n${seal(body)}\n${body}`;
}

/** Returns true where a run would read the same as the last one. */
export function isSameInput(folder: string, inputs: Inputs, last: LastRun): boolean {
  const imports = readImports(folder, last.imports);
  return imports !== undefined && inputsDigest(inputs, imports) === last.inputs;
}

/** Returns a digest of everything that a run reads. */
export function inputsDigest({ text, lock }: Inputs, imports: ImportedText[]): string {
  return digestOf(JSON.stringify([text, lock, imports]));
}

function readImports(folder: string, written: string[]): ImportedText[] | undefined {
  const read = (each: string): ImportedText => {
    const path = importPath(folder, each);
    return { written: each, name: importName(folder, path), text: readTextFile(path) };
  };
  return tryRead(
    () => written.map(read),
    () => undefined,
  );
}

let generator: string | undefined;

/** Returns a digest of results and of svcgen as it was when the process started: `--watch` goes on with that one. */
function seal(body: string): string {
  generator ??= digestOf(...generatorParts());
  return digestOf(generator, body);
}

/** Packages whose code decides what is rendered, or what is refused. */
const PACKAGES = ['@eslint-community/regexpp', 'ajv', 'handlebars', 're2js', 'yaml'];

/** Returns everything about svcgen that its output depends on: its code, its packages, and Node. */
function generatorParts(): (string | Uint8Array)[] {
  const versions = PACKAGES.map((name) => `${name}@${versionOf(name)}`);
  const own = readFileSync(join(ROOT, 'package.json'));
  const folders = [dirname(__dirname), TEMPLATES, ...(existsSync(BUILT_CONSOLE) ? [BUILT_CONSOLE] : [])];
  return [process.version, ...versions, own, ...folders.flatMap(contents)];
}

/** Returns the version of an installed package. Not every one exports its package.json. */
function versionOf(name: string): string | undefined {
  let folder = createRequire(__filename).resolve(name);
  while (folder !== dirname(folder)) {
    folder = dirname(folder);
    const file = join(folder, 'package.json');
    if (!existsSync(file)) continue;
    const found = JSON.parse(readFileSync(file, 'utf8')) as { name?: string; version?: string };
    if (found.name === name) return found.version;
  }
  return undefined;
}

/** Returns the path and the bytes of every file below a folder. */
function contents(folder: string): (string | Uint8Array)[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  return files.flatMap((path) => [path.slice(folder.length), readFileSync(path)]);
}
