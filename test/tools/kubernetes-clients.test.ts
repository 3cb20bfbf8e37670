import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig } from '../../templates/runtime/kubernetes/kubeconfig';
import { selfSignedIn } from '../runtime/kubernetes/certificate';
import { Cluster } from '../runtime/kubernetes/devices';
import { BackgroundProgram } from './background-program';
import { describeWith, pythonPrograms, run, workFolder } from './foreign-tool';
import { change, creation, type Device, KilledService } from './killed-service';
import { Tool } from './tool';

// Kubernetes clients of several languages work against a service as they are published. Each makes a first list, watch,
// create, patch and delete. kubectl and the clients in Go have tests of their own.

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

  test('an operator of kopf follows changes over a kill of the service, and releases its finalizer', async () => {
    const service = await KilledService.start(`sqlite:${folder}/kopf.db`);
    const args = ['run', '--all-namespaces', '--standalone', 'device_operator.py'];
    const env = { KUBECONFIG: configFile('kopf', `http://localhost:${service.port}`) };
    const operator = new BackgroundProgram(join(programs, 'kopf'), args, { cwd: workFolder(PYTHON), env });
    const until = (condition: (found: Device | undefined) => boolean): Promise<void> =>
      operator.until(async () => condition((await service.list())[0]));
    try {
      await service.write(creation('operated'));
      await until((found) => found?.status.phase === 'Pending');
      const [{ metadata }] = await service.list();
      expect(metadata.finalizers).toEqual(['kopf.zalando.org/KopfFinalizerMarker']);
      await service.restart();
      await service.write(change('operated', { ports: [{ name: 'http', number: 80 }] }));
      await until((found) => found?.status.phase === 'Ready');
      await service.write({ method: 'DELETE', name: 'operated' });
      await until((found) => found === undefined);
      await operator.until(() => operator.text.includes('released'));
    } finally {
      await operator.stop();
      await service.close();
    }
  });
});
