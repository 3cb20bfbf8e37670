import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { certificateOf } from '../../../templates/runtime/http/security/certificate';
import { kubeconfig } from '../../../templates/runtime/kubernetes/kubeconfig';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { type CertificateFiles, selfSignedIn } from './certificate';
import { Cluster, devices } from './devices';

const folder = mkdtempSync(join(tmpdir(), 'svcgen-tls-'));
afterAll(() => rmSync(folder, { recursive: true }));

const selfSigned = (name: string): CertificateFiles => selfSignedIn(folder, name);

test('with a certificate, the whole port speaks https', async () => {
  const environment = selfSigned('served');
  const cluster = await Cluster.start({ environment });
  const ca = readFileSync(environment.TLS_CERT);
  const status = await new Promise((resolve, reject) => {
    get({ host: 'localhost', port: cluster.port, path: devices(), ca, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
  expect(status).toBe(200);
  await expect(cluster.get(devices())).rejects.toThrow();
  await cluster.close();
});

describe('the health check of the Dockerfile', () => {
  const dockerfile = readFileSync(join(__dirname, '../../../templates/project/Dockerfile'), 'utf8');
  const [, command] = /^HEALTHCHECK [^]*?^ +CMD (\[.*\])$/m.exec(dockerfile)!;
  const [program, ...args] = JSON.parse(command) as [string, ...string[]];
  const check = async (environment: { [name: string]: string }): Promise<number> => {
    const child = spawn(program, args, { env: { PATH: process.env['PATH'], ...environment } });
    const [code] = (await once(child, 'close')) as [number];
    return code;
  };

  test.each([
    ['http', {}],
    ['https, with a certificate that nobody has signed', selfSigned('checked')],
  ])('of a service that speaks %s', async (_, environment) => {
    const cluster = await Cluster.start({ environment });
    const settings = { ...environment, PORT: String(cluster.port) };
    const whileRunning = await check(settings).finally(() => cluster.close());
    expect([whileRunning, await check(settings)]).toEqual([0, 1]);
  });

  test.each([200, 503])('of a service that returns %d', async (status) => {
    const server = createServer((req, res) => res.writeHead(req.url === '/readyz' ? status : 404).end());
    server.listen(0);
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const code = await check({ PORT: String(port) }).finally(() => server.close());
    expect(code).toBe(status === 200 ? 0 : 1);
  });
});

test('a certificate needs a key, and its own', () => {
  const [one, other] = [selfSigned('one'), selfSigned('other')];
  const given = (environment: { [name: string]: string }): unknown =>
    certificateOf(readSettings(environment));
  expect(given({})).toBeUndefined();
  expect(() => given({ TLS_CERT: one.TLS_CERT })).toThrow('TLS_KEY is empty');
  expect(() => given({ ...one, TLS_CERT: join(folder, 'none') })).toThrow(/^TLS_CERT=.*none does not exist$/);
  expect(() => given({ ...one, TLS_KEY: folder })).toThrow(`TLS_KEY=${folder} is not a regular file`);
  expect(() => given({ ...one, TLS_KEY: other.TLS_KEY })).toThrow('are not a certificate and its key');
});

test('a kubeconfig has the URL, the certificate and the token', () => {
  const { TLS_CERT } = selfSigned('config');
  const read = (argv: string[], environment: { [name: string]: string }): unknown =>
    parseDocument(kubeconfig('device-service', argv, environment)).toJS();
  expect(read([], { PORT: '9000' })).toMatchObject({
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'device-service' },
    clusters: [{ name: 'device-service', cluster: { server: 'http://localhost:9000/k8s' } }],
    users: [{ name: 'device-service', user: {} }],
    contexts: [{ name: 'device-service', context: { cluster: 'device-service', user: 'device-service' } }],
  });
  const secure = { TLS_CERT, TLS_KEY: 'key', TOKEN: 'secret' };
  expect(read(['https://example.com/'], secure)).toMatchObject({
    clusters: [
      {
        cluster: {
          server: 'https://example.com/k8s',
          'certificate-authority-data': readFileSync(TLS_CERT).toString('base64'),
        },
      },
    ],
    users: [{ user: { token: 'secret' } }],
  });
  expect(() => read(['example.com'], {})).toThrow('usage:');
});
