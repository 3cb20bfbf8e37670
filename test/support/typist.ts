import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** Maximum time for a service to be built and ready, in milliseconds. */
const PATIENCE = 300_000;

/** A program that goes on, such as a service, and all that it printed. */
interface Running {
  process: ChildProcess;
  output: string;
}

/**
 * Types the commands of a page into a shell. The ports that pages name are free ones in truth; the folder and variables
 * last from one block to the next.
 */
export class Typist {
  readonly #running = new Map<string, Running>();
  readonly #state: string;

  /** `folder` is where the first command is typed, `programs` a folder in front of the PATH, `ports` has a real one for each that is named. */
  constructor(
    readonly folder: string,
    private readonly programs: string,
    private readonly ports: { [named: string]: number },
  ) {
    this.#state = join(folder, '.typist');
  }

  /** The current folder. */
  get cwd(): string {
    return existsSync(this.#state) ? /^cd (.*)$/m.exec(readFileSync(this.#state, 'utf8'))![1] : this.folder;
  }

  /** Runs lines and stops at the first that fails. Returns what they print, with the ports of the page. Throws where one fails. */
  type(lines: string): string {
    // A curl with a time limit ends with 28, as asked.
    const script = `
      state=$1; if [ -e "$state" ]; then . "$state.variables"; cd "$(sed -n 's/^cd //p' "$state")"; fi
      curl() { command curl -sS "$@" || [ $? = 28 ]; }
      set -a
      ${this.real(lines)}
      export -p > "$state.variables"; printf 'cd %s\\n' "$PWD" > "$state"`;
    const words = ['--norc', '-euo', 'pipefail', '-c', script, 'page', this.#state];
    const options = { cwd: this.folder, env: this.#env(), encoding: 'utf8' as const };
    const { status, stdout, stderr } = spawnSync('bash', words, options);
    if (status !== 0) throw new Error(`${lines}\nexits with ${status}:\n${stdout}${stderr}`);
    return this.named(stdout);
  }

  /** Runs a command that stays, in place of the same one before; one that serves until the service is ready. */
  async stay(command: string, serves = true): Promise<void> {
    await this.stop(command);
    const child = spawn('bash', ['--norc', '-c', this.real(command)], {
      cwd: this.cwd,
      env: this.#exported(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const running: Running = { process: child, output: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (running.output += chunk.toString()));
    }
    this.#running.set(command, running);
    if (serves) await this.#ready(running);
  }

  /** Returns the output of a running command so far, with the ports of the page. */
  outputOf(command: string): string {
    return this.named(this.#running.get(command)?.output ?? '');
  }

  /** Stops a command that stays, if it runs. Returns its exit code; null where it ended in another way. */
  async stop(command: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#running.get(command)?.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return child?.exitCode ?? null;
    const exit = once(child, 'exit');
    process.kill(-child.pid!, signal);
    await exit;
    return child.exitCode;
  }

  /** Stops all that runs still. */
  async close(): Promise<void> {
    for (const command of this.#running.keys()) await this.stop(command);
  }

  /** Returns a string of the page with the real ports. */
  real(text: string): string {
    return replaced(
      text,
      Object.entries(this.ports).map(([named, port]) => [named, String(port)]),
    );
  }

  /** Returns the output, with the ports of the page. */
  named(text: string): string {
    return replaced(
      text,
      Object.entries(this.ports).map(([named, port]) => [String(port), named]),
    );
  }

  async #ready(running: Running): Promise<void> {
    const url = this.real('http://127.0.0.1:8080/readyz');
    for (const end = performance.now() + PATIENCE; performance.now() < end; await setTimeout(50)) {
      if (running.process.exitCode !== null) break;
      const isReady = await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
    }
    throw new Error(`the service did not become ready:\n${running.output}`);
  }

  /** Returns the environment with the variables that blocks before have exported. */
  #exported(): NodeJS.ProcessEnv {
    if (!existsSync(this.#state)) return this.#env();
    const words = ['--norc', '-c', '. "$1.variables"; env -0', 'page', this.#state];
    const { stdout } = spawnSync('bash', words, { env: this.#env(), encoding: 'utf8' });
    const lines = stdout.split('\0').filter((line) => line !== '');
    return Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
  }

  #env(): NodeJS.ProcessEnv {
    const path = [this.programs, process.env['PATH']].join(delimiter);
    const npm = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_prefer_offline: 'true' };
    const service = { HOST: '127.0.0.1', PORT: String(this.ports['8080']) };
    return { ...process.env, ...npm, ...service, PATH: path, CI: 'true' };
  }
}

function replaced(text: string, names: [from: string, to: string][]): string {
  return names.reduce((changed, [from, to]) => changed.replace(new RegExp(`\\b${from}\\b`, 'g'), to), text);
}
