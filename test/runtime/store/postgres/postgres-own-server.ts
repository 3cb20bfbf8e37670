import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';

/** Options of a server of our own. */
export interface ServerOptions {
  /** True if its commits wait for the disk; tests do not need that. */
  durable?: boolean;
  /** The processor that it is confined to, as taskset counts. */
  core?: string;
  /** More settings, such as `max_connections=5`. */
  settings?: readonly string[];
}

/** A server on a socket in a folder for temporary files. PostgreSQL does not run as root, so there it is somebody else. */
export class OwnServer {
  readonly url: string;
  readonly folder = mkdtempSync(join(tmpdir(), 'svcgen-pg-'));
  readonly #data = join(this.folder, 'data');
  readonly #user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  #process: ChildProcess | undefined;

  /** `primary`: the running server that this one is a standby of. */
  constructor(
    private readonly programs: string,
    private readonly options: ServerOptions,
    primary?: OwnServer,
  ) {
    if (this.#user.uid !== undefined) chownSync(this.folder, this.#user.uid, this.#user.gid!);
    this.url = `postgres://postgres@/postgres?host=${encodeURIComponent(this.folder)}`;
    if (primary === undefined) {
      this.#run('initdb', '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync');
    } else {
      this.#run('pg_basebackup', '-h', primary.folder, '-U', 'postgres', '-R', '-c', 'fast', '--no-sync');
    }
  }

  /** Copies the running server to a standby, which is not started. */
  copy(): OwnServer {
    return new OwnServer(this.programs, this.options, this);
  }

  async start(): Promise<void> {
    const { durable, core, settings = [] } = this.options;
    const set = ['listen_addresses=', `fsync=${durable ? 'on' : 'off'}`, ...settings];
    const options = ['-D', this.#data, '-k', this.folder, ...set.flatMap((setting) => ['-c', setting])];
    const program = join(this.programs, 'postgres');
    const command = core === undefined ? [program] : ['taskset', '-c', core, program];
    this.#process = spawn(command[0], [...command.slice(1), ...options], {
      ...this.#user,
      cwd: this.folder,
      stdio: 'ignore',
    });
    for (;;) {
      const client = new Client(this.url);
      client.on('error', () => undefined);
      try {
        await client.connect();
        return await client.end();
      } catch (error) {
        if (this.#process.exitCode !== null) throw error;
        await setTimeout(20);
      }
    }
  }

  async stop(signal: 'SIGQUIT' | 'SIGINT'): Promise<void> {
    if (this.#process === undefined || this.#process.exitCode !== null || this.#process.signalCode !== null)
      return;
    const ended = once(this.#process, 'exit');
    this.#process.kill(signal);
    await ended;
  }

  /** Ends all of its processes at once; none can finish what it is doing. */
  async kill(): Promise<void> {
    const ended = once(this.#process!, 'exit');
    // The stopped server makes no more processes.
    this.#process!.kill('SIGSTOP');
    this.#signalChildren('SIGKILL');
    this.#process!.kill('SIGKILL');
    await ended;
  }

  /** Stops all of its processes, which keep their connections; `thaw` lets them go on. */
  freeze(): void {
    this.#process!.kill('SIGSTOP');
    this.#signalChildren('SIGSTOP');
  }

  thaw(): void {
    this.#signalChildren('SIGCONT');
    this.#process!.kill('SIGCONT');
  }

  /** Uses up the transaction ids of the stopped server, but for those that it reserves for a vacuum. */
  exhaust(): void {
    // It takes no more transactions when three million ids are left before the oldest one, here one of the first thousand.
    const next = 2 ** 31 - 2_999_000;
    this.#run('pg_resetwal', '-x', String(next));
    const segment = Math.floor(next / 2 ** 20)
      .toString(16)
      .toUpperCase()
      .padStart(4, '0');
    writeFileSync(join(this.#data, 'pg_xact', segment), Buffer.alloc(2 ** 18));
    if (this.#user.uid !== undefined)
      chownSync(join(this.#data, 'pg_xact', segment), this.#user.uid, this.#user.gid!);
  }

  async promote(): Promise<void> {
    const client = new Client(this.url);
    await client.connect();
    await client.query('SELECT pg_promote()').finally(() => client.end());
  }

  async close(): Promise<void> {
    await this.stop('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }

  #signalChildren(signal: NodeJS.Signals): void {
    const { pid } = this.#process!;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    for (const child of children === '' ? [] : children.split(' ')) process.kill(Number(child), signal);
  }

  #run(program: string, ...options: string[]): void {
    execFileSync(join(this.programs, program), ['-D', this.#data, ...options], {
      ...this.#user,
      cwd: this.folder,
      stdio: 'ignore',
    });
  }
}
