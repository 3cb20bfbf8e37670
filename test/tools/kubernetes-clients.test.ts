import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { kubeconfig } from '../../templates/runtime/kubernetes/kubeconfig';
import { selfSignedIn } from '../runtime/kubernetes/certificate';
import { Cluster, device, devices } from '../runtime/kubernetes/devices';
import { describeWith, pythonPrograms, run, workFolder } from './foreign-tool';
import { Tool } from './tool';

// Kubernetes clients of several languages work against a service as they are published. Each makes a first list, watch,
// create, patch and delete. kubectl has a test of its own.

type Reply = Awaited<ReturnType<Cluster['get']>>;

const PYTHON = 'kubernetes-python';
const OK = { code: 0, text: '' };
const folder = mkdtempSync(join(tmpdir(), 'svcgen-clients-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a kubeconfig into a file and returns its path. */
function configFile(name: string, url: string, environment: NodeJS.ProcessEnv = {}): string {
  const path = join(folder, name);
  writeFileSync(path, kubeconfig('device-service', [url], environment));
  return path;
}

// Version 2, which refuses plain http, needs Node 22.
describeWith('openssl')('@kubernetes/client-node', () => {
  test('makes its first calls', async () => {
    const environment = selfSignedIn(folder, 'served');
    const tool = new Tool('client-node');
    await tool.install();
    const cluster = await Cluster.start({ environment });
    try {
      const config = configFile('client-node', `https://localhost:${cluster.port}`, environment);
      expect(await tool.node('round-trip.js', config)).toEqual(OK);
    } finally {
      await cluster.close();
    }
  });
});

describeWith('python3')('Python', () => {
  let cluster: Cluster;
  let programs: string;
  let config: string;

  beforeAll(async () => {
    programs = await pythonPrograms(PYTHON);
    cluster = await Cluster.start();
    config = configFile('python', `http://localhost:${cluster.port}`);
  });
  afterAll(() => cluster?.close());

  test('kubernetes makes its first calls', async () => {
    const args = ['kubernetes_client.py', config];
    expect(await run(workFolder(PYTHON), join(programs, 'python'), ...args)).toEqual(OK);
  });

  test('an operator of kopf reconciles objects, and lets them go with its finalizer', async () => {
    const operator = startOperator(join(programs, 'kopf'), config);
    const path = `${devices()}/operated`;
    const until = async (condition: (reply: Reply) => boolean): Promise<void> => {
      for (;;) {
        const reply = await cluster.get(path);
        if (condition(reply)) return;
        if (operator.process.exitCode !== null) throw new Error(operator.text());
        await setTimeout(100);
      }
    };
    try {
      expect((await cluster.request('POST', devices(), { body: device('operated') })).code).toBe(201);
      await until(({ body }) => body.status.phase === 'Ready');
      expect((await cluster.get(path)).body.metadata.finalizers).toEqual([
        'kopf.zalando.org/KopfFinalizerMarker',
      ]);
      const { body } = await cluster.request('DELETE', path);
      expect(body.metadata.deletionTimestamp).toBeDefined();
      await until(({ code }) => code === 404);
      expect(operator.text()).toContain('released');
    } finally {
      operator.process.kill();
      await operator.ended;
    }
  });
});

/** Starts the operator, with what it prints so far. */
function startOperator(
  kopf: string,
  config: string,
): { process: ChildProcess; text: () => string; ended: Promise<unknown> } {
  const env = { ...process.env, KUBECONFIG: config };
  const args = ['run', '--all-namespaces', '--standalone', 'kubernetes_operator.py'];
  const child = spawn(kopf, args, { cwd: workFolder(PYTHON), env });
  let text = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  return { process: child, text: () => text, ended: once(child, 'exit') };
}
