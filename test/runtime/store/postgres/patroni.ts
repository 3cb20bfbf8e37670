import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '../../../support/free-port';
import { blocksOf } from '../../../support/page';
import { canHaveStandby, postgresPrograms } from './postgres-process';

/** Time for two new servers, or one that was down, to be a leader and its synchronous standby, in ms. */
const PATIENCE = 120_000;

const PAGE = join(__dirname, '../../../../docs/postgresql.md');

/** The lease of a leader is short, so that a test of its death is. */
const TIMES = {
  'ttl: 30': 'ttl: 7',
  'loop_wait: 10': 'loop_wait: 1',
  'retry_timeout: 10': 'retry_timeout: 3',
};

/** `describe` where Patroni, etcd and a server of our own are installed; elsewhere its tests are skipped, and this says so. */
export const describeWithPatroni = canRun() ? describe : describe.skip;

function canRun(): boolean {
  const isInstalled = ['patroni', 'etcd'].every((name) => spawnSync(name, ['--version']).status === 0);
  if (isInstalled && canHaveStandby()) return true;
  console.warn(
    'Patroni is not tested: apt-get install patroni etcd-server, and leave TEST_POSTGRES_URL unset',
  );
  return false;
}

/** One server with its Patroni, which is configured as the page on operations says. */
export class PatroniNode {
  readonly settings: string;
  #patroni: ChildProcess | undefined;

  constructor(
    readonly name: string,
    readonly port: number,
    private readonly restPort: number,
    private readonly folder: string,
    private readonly options: SpawnOptions,
  ) {
    this.settings = join(folder, 'patroni.yml');
  }

  /** The URL of its database. */
  get url(): string {
    return `postgres://postgres:password@127.0.0.1:${this.port}/postgres`;
  }

  /** Writes its settings; `etcd` is where etcd listens. */
  configure(etcd: string): void {
    mkdirSync(this.folder);
    const page = blocksOf(PAGE).find(({ argument }) => argument === 'patroni.yml')!.text;
    const quick = `bin_dir: ${postgresPrograms()}\n  parameters: { unix_socket_directories: ${this.folder}, fsync: 'off' }`;
    const values = {
      ...TIMES,
      'name: a': `name: ${this.name}`,
      'etcd:2379': etcd,
      'a:8008': `127.0.0.1:${this.restPort}`,
      'a:5432': `127.0.0.1:${this.port}`,
      '/var/lib/postgresql/devices': join(this.folder, 'data'),
      'bin_dir: /usr/lib/postgresql/15/bin': quick,
      '- encoding: UTF8': '- encoding: UTF8\n    - no-sync',
    };
    let text = page;
    for (const [shown, value] of Object.entries(values)) {
      if (!text.includes(shown)) throw new Error(`${PAGE} lacks ${shown}`);
      text = text.replaceAll(shown, value);
    }
    writeFileSync(this.settings, text);
    const { uid, gid } = this.options;
    if (uid !== undefined) chownSync(this.folder, uid, gid!);
  }

  start(): void {
    this.#patroni = spawn('patroni', ['patroni.yml'], { ...this.options, cwd: this.folder });
  }

  /** Ends Patroni and all processes of its server at once, as a power cut does. */
  async kill(): Promise<void> {
    await this.killPatroni();
    const file = join(this.folder, 'data/postmaster.pid');
    if (!existsSync(file)) return;
    const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
    const children = `/proc/${pid}/task/${pid}/children`;
    if (!existsSync(children)) return;
    // The stopped server makes no more processes.
    process.kill(pid, 'SIGSTOP');
    for (const child of readFileSync(children, 'utf8').trim().split(' ').filter(Boolean))
      process.kill(Number(child), 'SIGKILL');
    process.kill(pid, 'SIGKILL');
  }

  /** Ends Patroni alone: its server goes on, and nobody demotes it. */
  async killPatroni(): Promise<void> {
    if (this.#patroni === undefined) return;
    const ended = once(this.#patroni, 'exit');
    this.#patroni.kill('SIGKILL');
    this.#patroni = undefined;
    await ended;
  }

  /** Returns the names of the members of its cluster by their roles, as it knows them; none while it does not respond. */
  async roles(): Promise<{ [role: string]: string }> {
    interface Member {
      name: string;
      role: string;
      state: string;
    }
    const members = await fetch(`http://127.0.0.1:${this.restPort}/cluster`)
      .then(async (response) => ((await response.json()) as { members: Member[] }).members)
      .catch(() => []);
    const running = members.filter(({ state }) => state === 'running' || state === 'streaming');
    return Object.fromEntries(running.map(({ role, name }) => [role, name]));
  }
}

/** Two servers, each with its Patroni, and an etcd. */
export interface PatroniCluster {
  nodes: PatroniNode[];
  /** A DATABASE_URL of both. */
  url: string;
  /** Resolves with the leader and its synchronous standby, once there are both. */
  pair(): Promise<{ leader: PatroniNode; standby: PatroniNode }>;
  close(): Promise<void>;
}

/** Starts a cluster; resolves when it has a leader and a synchronous standby. */
export async function startPatroni(): Promise<PatroniCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-patroni-'));
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const options: SpawnOptions = {
    ...user,
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, TMPDIR: folder },
  };
  const etcd = await startEtcd(folder, options);
  const nodes: PatroniNode[] = [];
  for (const name of ['a', 'b'])
    nodes.push(new PatroniNode(name, await freePort(), await freePort(), join(folder, name), options));
  const cluster: PatroniCluster = {
    nodes,
    url: `postgres://postgres:password@${nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/postgres?target_session_attrs=read-write`,
    async pair() {
      for (const end = performance.now() + PATIENCE; performance.now() < end; await setTimeout(100)) {
        for (const node of nodes) {
          const { leader, sync_standby: standby } = await node.roles();
          const found = [leader, standby].map((name) => nodes.find((each) => each.name === name));
          if (found[0] !== undefined && found[1] !== undefined)
            return { leader: found[0], standby: found[1] };
        }
      }
      throw new Error('Patroni has no leader with a synchronous standby');
    },
    async close() {
      for (const node of nodes) await node.kill();
      const ended = once(etcd.process, 'exit');
      etcd.process.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
    },
  };
  for (const node of nodes) node.configure(etcd.address);
  const start = async (): Promise<void> => {
    nodes[0].start();
    // A node that waits for the first leader looks for it every 10 s.
    while ((await nodes[0].roles())['leader'] === undefined) await setTimeout(100);
    nodes[1].start();
    await cluster.pair();
  };
  await start().catch(async (error: unknown) => {
    await cluster.close();
    throw error;
  });
  return cluster;
}

async function startEtcd(
  folder: string,
  options: SpawnOptions,
): Promise<{ process: ChildProcess; address: string }> {
  const [address, peers] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
  const urls = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': `http://${address}`,
    'advertise-client-urls': `http://${address}`,
    'listen-peer-urls': `http://${peers}`,
    'initial-advertise-peer-urls': `http://${peers}`,
    'initial-cluster': `default=http://${peers}`,
  };
  const words = Object.entries(urls).map(([name, value]) => `--${name}=${value}`);
  const child = spawn('etcd', words, options);
  const isHealthy = (): Promise<boolean> =>
    fetch(`http://${address}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) {
    if (child.exitCode !== null) throw new Error('etcd does not start');
    await setTimeout(50);
  }
  return { process: child, address };
}
