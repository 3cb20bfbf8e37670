import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Prints the first test that fails, with the path of its file, and ends the run. */
const REPORTER = `
module.exports = class {
  onTestCaseResult({ path }, { status, fullName }) {
    if (status === 'failed') this.#end(path, fullName);
  }
  onTestResult({ path }, { testExecError }) {
    if (testExecError) this.#end(path, String(testExecError.message));
  }
  #end(path, name) {
    if (this.hasEnded) return;
    this.hasEnded = true;
    process.stdout.write(path + '\\n' + name, () => process.exit(1));
  }
};
`;
/** Runs test files in the order of the arguments. */
const SEQUENCER = `
const Sequencer = require('@jest/test-sequencer').default;
module.exports = class extends Sequencer {
  sort(tests) {
    const place = ({ path }) => process.argv.indexOf(path);
    return [...tests].sort((a, b) => place(a) - place(b));
  }
};
`;

/** The result of a run of tests. */
export interface Run {
  passed: boolean;
  /** The first failed test, with the path of its file. Absent if a time limit ended the run. */
  failed?: { path: string; name: string };
  errors: string;
  cpuSeconds: number;
  seconds: number;
}

/** Time limits of a run, in seconds. */
export interface Limits {
  cpu: number;
  elapsed: number;
}

/** Writes the files that `runJest` needs into a folder with tests. */
export function prepareJest(folder: string): void {
  writeFileSync(join(folder, 'mutants-reporter.js'), REPORTER);
  writeFileSync(join(folder, 'mutants-sequencer.js'), SEQUENCER);
}

/** Runs the tests of a folder, one after the other, until one fails. */
export function runJest(folder: string, args: string[], limits?: Limits): Promise<Run> {
  const jest = join(folder, 'node_modules', 'jest', 'bin', 'jest.js');
  const parts = ['--reporters=./mutants-reporter.js', '--testSequencer=./mutants-sequencer.js'];
  const cache = `--cacheDirectory=${join(folder, '.cache')}`;
  const command = [process.execPath, jest, '--runInBand', '--bail', ...parts, cache, ...args];
  // The last line printed is the processor time of the tests.
  const shell = `ulimit -t ${limits ? Math.ceil(limits.cpu) : 'unlimited'}; "$@"; code=$?; times >&2; exit $code`;
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', shell, 'sh', ...command], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (data: Buffer) => (output += String(data)));
    child.stderr.on('data', (data: Buffer) => (errors += String(data)));
    const timer = limits && setTimeout(() => process.kill(-child.pid!, 'SIGKILL'), limits.elapsed * 1_000);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      const [path, ...name] = output.trim().split('\n');
      const failed = path === '' ? undefined : { path, name: name.join(' ') };
      // A shell reports a signal that ended its child as a code above 128.
      const wasEnded = signal !== null || code! > 128;
      if (code !== 0 && failed === undefined && !wasEnded)
        return reject(new Error(`the tests did not start:\n${errors}`));
      const seconds = (performance.now() - start) / 1_000;
      resolve({ passed: code === 0, failed, errors, cpuSeconds: cpuOf(errors), seconds });
    });
  });
}

/** Returns the name of the test that failed in a run; undefined where all passed. */
export function killerIn({ passed, failed }: Run): string | undefined {
  return passed ? undefined : (failed?.name ?? 'no answer in time');
}

/** Reads the second line that `times` of a shell prints: the user and system time of its children, as `1m2.5s 0m0.3s`. */
function cpuOf(printed: string): number {
  const last = printed.trim().split('\n').at(-1)!;
  return [...last.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}
