import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** CPU cores: one for the measured process, the other for the measuring one. */
export const SERVER_CORE = '0';
export const LOAD_CORE = '1';

/** Unit of /proc/<pid>/stat: Linux counts in hundredths of a second for programs. */
const TICK_US = 10_000;

const children = new Set<ChildProcess>();
process.once('exit', () => children.forEach((child) => child.kill()));

/** A measured server, in a process on its own core. */
export class Server {
  private constructor(
    private readonly child: ChildProcess,
    readonly port: number,
    /** Time from its start to its first request, in ms. */
    readonly startedIn: number,
  ) {}

  /** Starts `node <arguments>` with PORT in its environment; resolves when it reports that it listens. */
  static async start(
    nodeArguments: string[],
    port: number,
    environment: { [name: string]: string },
  ): Promise<Server> {
    const begin = performance.now();
    const child = spawn('taskset', ['-c', SERVER_CORE, process.execPath, ...nodeArguments], {
      env: { ...process.env, NODE_ENV: 'production', PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let output = '';
    child.stderr.on('data', (text) => (output += String(text)));
    child.once('exit', (code, signal) => {
      if (code !== 0)
        process.stderr.write(`${nodeArguments.join(' ')} ended (${code ?? signal}): ${output}\n`);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('a server does not start')));
      child.stdout.on('data', (text) => {
        output += String(text);
        if (output.includes('listening')) resolve();
      });
    });
    await (await fetch(`http://127.0.0.1:${port}/readyz`)).arrayBuffer();
    return new Server(child, port, performance.now() - begin);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Returns the CPU time of all its threads, in µs. */
  cpu(): number {
    const fields = readFileSync(`/proc/${this.child.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK_US;
  }

  /** Returns its resident memory, in MiB. */
  memory(): number {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    this.child.kill('SIGTERM');
    await once(this.child, 'exit');
  }
}
