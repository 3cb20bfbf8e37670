import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith, goPrograms } from './foreign-tool';

/** A kubectl, and a folder that has its kubeconfig in the file `config`. */
export interface Kubectl {
  program: string;
  folder: string;
}

/** A kubectl to test. */
export interface KubectlProgram {
  name: string;
  /** The minor version: 27 for 1.27. */
  minor: number;
  /** Resolves with its path once it is there. */
  path(): Promise<string>;
}

const GO = 'kubectl-go';

/** A recent kubectl, which needs Go to be built. Its minor version is that of the library. */
const KUBECTL_OF_GO: KubectlProgram = {
  name: 'kubectl of a Go module',
  minor: Number(
    /k8s\.io\/kubectl v0\.(\d+)/.exec(readFileSync(join(__dirname, 'foreign', GO, 'go.mod'), 'utf8'))![1],
  ),
  path: async () => join(await goPrograms(GO), 'kubectl'),
};

/** The minor version from which a kubectl of the machine makes that of Go needless: its build takes minutes. */
const RECENT = 30;

/**
 * Returns the programs to test: those of KUBECTL, separated by commas, or else that of the machine; and that of Go where none of
 * them is recent.
 */
export function kubectlPrograms(): KubectlProgram[] {
  const names = (process.env['KUBECTL'] ?? 'kubectl').split(',').filter(isInstalled);
  const installed = names.map((name): KubectlProgram => {
    return { name, minor: minorOf(name), path: () => Promise.resolve(name) };
  });
  return installed.some(({ minor }) => minor >= RECENT) ? installed : [...installed, KUBECTL_OF_GO];
}

/** Declares the same tests for each program. */
export function describeKubectl(tests: (program: KubectlProgram) => void): void {
  for (const program of kubectlPrograms()) {
    const describeProgram = program === KUBECTL_OF_GO ? describeWith('go') : describe;
    describeProgram(program.name, () => tests(program));
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['version', '--client'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(`${program} is not installed: it is not tested\n`);
    return false;
  }
}

function minorOf(program: string): number {
  const text = execFileSync(program, ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  const { clientVersion } = JSON.parse(text) as { clientVersion: { gitVersion: string } };
  return Number(/^v1\.(\d+)/.exec(clientVersion.gitVersion)?.[1] ?? 0) || 99;
}

/** Runs kubectl and returns what it prints. The service is in this process, so that nothing may block it. */
export function kubectl({ program, folder }: Kubectl, args: readonly string[]): Promise<string> {
  const environment = { ...process.env, KUBECONFIG: join(folder, 'config'), HOME: folder };
  const child = spawn(program, args, { cwd: folder, env: environment });
  let text = '';
  const add = (chunk: Buffer): void => void (text += chunk.toString());
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return new Promise((resolve, reject) => child.on('error', reject).on('close', () => resolve(text)));
}
