import { execFile, execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from './tool';

const ROOT = join(__dirname, '../..');
const WORK = join(ROOT, '.tmp/tools/foreign');

/** Returns `describe`, or a `describe` that skips and says on stderr which program is missing. */
export function describeWith(...programs: string[]): jest.Describe {
  const missing = programs.filter((program) => !isThere(program));
  if (missing.length === 0) return describe;
  process.stderr.write(
    `skipped, since this machine has no ${missing.join(', no ')}: ${expect.getState().testPath}\n`,
  );
  return describe.skip;
}

/** Returns true where the machine has a program. */
export function isThere(program: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
}

/** Makes a folder for a tool of another language, with the files of its folder here. */
export function workFolder(name: string): string {
  const folder = join(WORK, name);
  mkdirSync(folder, { recursive: true });
  const origin = join(__dirname, 'foreign', name);
  if (existsSync(origin)) cpSync(origin, folder, { recursive: true });
  return folder;
}

/** Compilation of Go takes half of the time without optimization, inlining, and what debuggers need. */
const GO = { GOFLAGS: "'-gcflags=all=-N -l -dwarf=false' -ldflags=-w", CGO_ENABLED: '0' };

/** Runs a program in a folder; its exit code and both of its outputs. */
export function run(cwd: string, file: string, ...args: string[]): Promise<Outcome> {
  const env = { ...process.env, ...GO, NO_COLOR: '1', CI: 'true' };
  return new Promise((resolve) => {
    execFile(file, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, text: stdout + stderr });
    });
  });
}

/** Runs a program that must succeed. Throws an Error with what it printed. */
export async function succeed(cwd: string, file: string, ...args: string[]): Promise<void> {
  const { code, text } = await run(cwd, file, ...args);
  if (code !== 0) throw new Error(`${file} ${args.join(' ')} in ${cwd} failed:\n${text}`);
}

/** Installs openapi-generator from Maven's repository; returns the path of its jar. */
export async function openapiGenerator(): Promise<string> {
  const [group, name, version] = ['org.openapitools', 'openapi-generator-cli', '7.17.0'];
  const folder = join(homedir(), '.m2/repository', ...group.split('.'), name, version);
  const path = join(folder, `${name}-${version}.jar`);
  if (!existsSync(path))
    await succeed(WORK, 'mvn', '-q', 'dependency:get', `-Dartifact=${group}:${name}:${version}`);
  return path;
}

/** Makes the Python environment of a folder, unless the one that is there has what the folder asks for. */
const PYTHON_ENVIRONMENT = `cmp -s requirements.txt installed.txt || {
  python3 -m venv venv && venv/bin/pip install --quiet -r requirements.txt && cp requirements.txt installed.txt
}`;

/** Installs the Python packages that a folder of foreign/ names, in an environment of their own; returns its folder of programs. */
export async function pythonPrograms(name = 'python'): Promise<string> {
  const folder = workFolder(name);
  await inTurn('python', folder, 'sh', '-c', PYTHON_ENVIRONMENT);
  return join(folder, 'venv/bin');
}

/** Builds the Go programs in a folder of foreign/; returns the folder of the executables. */
export async function goPrograms(name: string): Promise<string> {
  const folder = workFolder(name);
  await go(folder, 'build', '-buildvcs=false', '-o', 'bin/', './...');
  return join(folder, 'bin');
}

/** Builds oapi-codegen; returns its path. */
export async function oapiCodegen(): Promise<string> {
  const folder = workFolder('go-oapi-codegen');
  const [module, version] = ['github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen', 'v2.8.2'];
  const bin = join(folder, 'bin', version);
  await inTurn('go', folder, 'env', `GOBIN=${bin}`, 'go', 'install', `${module}@${version}`);
  return join(bin, 'oapi-codegen');
}

/** Runs a command of Go that must succeed, in its turn: at the same time, each would compile the same packages. */
export function go(folder: string, ...args: string[]): Promise<void> {
  return inTurn('go', folder, 'go', ...args);
}

/** Runs a program that must succeed, after those of other processes that have the same lock. */
function inTurn(lock: string, folder: string, ...command: string[]): Promise<void> {
  const turn = isThere('flock') ? ['flock', join(WORK, `${lock}.lock`)] : [];
  const [program, ...args] = [...turn, ...command];
  return succeed(folder, program, ...args);
}
