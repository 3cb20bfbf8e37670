import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig } from '../../templates/runtime/kubernetes/kubeconfig';
import { MERGE } from '../runtime/client';
import { selfSignedIn } from '../runtime/kubernetes/certificate';
import { Cluster, device, devices } from '../runtime/kubernetes/devices';
import { BackgroundProgram } from './background-program';
import { describeWith, pythonPrograms, run, workFolder } from './foreign-tool';
import { Tool } from './tool';

// Kubernetes clients of several languages work against a service as they are published. Each makes a first list, watch,
// create, patch and delete. kubectl and the clients in Go have tests of their own.

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

  test('an operator of kopf follows changes of objects, and lets them go with its finalizer', async () => {
    const args = ['run', '--all-namespaces', '--standalone', 'device_operator.py'];
    const env = { KUBECONFIG: config };
    const operator = new BackgroundProgram(join(programs, 'kopf'), args, { cwd: workFolder(PYTHON), env });
    const path = `${devices()}/operated`;
    const until = (condition: (reply: Reply) => boolean): Promise<void> =>
      operator.until(async () => condition(await cluster.get(path)));
    try {
      expect((await cluster.request('POST', devices(), { body: device('operated') })).code).toBe(201);
      await until(({ body }) => body.status.phase === 'Pending');
      expect((await cluster.get(path)).body.metadata.finalizers).toEqual([
        'kopf.zalando.org/KopfFinalizerMarker',
      ]);
      const ports = [{ name: 'http', number: 80 }];
      const patch = { headers: MERGE, body: { spec: { ports } } };
      expect((await cluster.request('PATCH', path, patch)).code).toBe(200);
      await until(({ body }) => body.status.phase === 'Ready');
      const { body } = await cluster.request('DELETE', path);
      expect(body.metadata.deletionTimestamp).toBeDefined();
      await until(({ code }) => code === 404);
      expect(operator.text).toContain('released');
    } finally {
      await operator.stop();
    }
  });
});
