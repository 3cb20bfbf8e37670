import { execFile } from 'node:child_process';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');

/** Result of a program. */
export interface Outcome {
  code: number;
  /** Text of both of its outputs. */
  text: string;
}

/**
 * A public tool with the versions that its own lock file names, apart from ours: TypeScript 6 is none of their peers.
 */
export class Tool {
  /** Where it is installed, with the other files of its folder here. */
  readonly folder: string;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
    this.folder = join(ROOT, '.tmp/tools', name);
  }

  /** Installs it, unless what is installed is what the lock file names. Throws when npm fails. */
  async install(): Promise<void> {
    const origin = join(__dirname, this.#name);
    const [lock, installed] = [origin, this.folder].map((folder) => join(folder, 'package-lock.json'));
    const isThere = existsSync(join(this.folder, 'node_modules')) && read(lock) === read(installed);
    cpSync(origin, this.folder, { recursive: true });
    if (!isThere) await this.#expectSuccess('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund']);
  }

  /** Runs one of its programs in its folder. */
  run(program: string, ...args: string[]): Promise<Outcome> {
    return this.#run(join(this.folder, 'node_modules/.bin', program), args);
  }

  /** Runs a compiled file of its folder. */
  node(...args: string[]): Promise<Outcome> {
    return this.#run(process.execPath, args);
  }

  async #expectSuccess(file: string, args: string[]): Promise<void> {
    const { code, text } = await this.#run(file, args);
    if (code !== 0) throw new Error(`${file} ${args.join(' ')} in ${this.folder} failed:\n${text}`);
  }

  #run(file: string, args: string[]): Promise<Outcome> {
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0', CI: 'true' };
    return new Promise((resolve) => {
      execFile(file, args, { cwd: this.folder, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({ code, text: stdout + stderr });
      });
    });
  }
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
