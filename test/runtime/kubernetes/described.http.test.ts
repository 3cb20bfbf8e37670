import { Description, type OpenApi } from '../../../templates/contract/described';
import { documentOf } from '../../openapi/document-of';
import { JSON_TYPE, MERGE, send, type Sent } from '../support/client';
import { deviceProject } from './device-project';
import { Cluster } from './devices';

// The responses of a service with Kubernetes clients agree with its OpenAPI document, too.

const project = deviceProject();
const description = new Description(documentOf(project) as unknown as OpenApi);

let cluster: Cluster;
beforeAll(async () => void (cluster = await Cluster.start({ project })));
afterAll(() => cluster.close());

const WAITING = { metadata: { name: 'waits', finalizers: ['a.example/b'] }, spec: { location: 'eu' } };

test.each<[want: number, method: string, path: string, sent?: Sent]>([
  [200, 'GET', '/'],
  [200, 'GET', '/apis'],
  [201, 'POST', '/devices', { headers: JSON_TYPE, body: WAITING }],
  [409, 'POST', '/devices', { headers: JSON_TYPE, body: WAITING }],
  [200, 'GET', '/devices/waits'],
  [200, 'GET', '/apis/example.svc.dev/v2beta1/devices/waits'],
  [202, 'DELETE', '/devices/waits'],
  [200, 'GET', '/devices'],
  [200, 'PATCH', '/devices/waits', { headers: MERGE, body: { metadata: { finalizers: null } } }],
  [404, 'GET', '/devices/waits'],
])('%i for %s %s', async (...row) => {
  const [want, method, path, sent] = row;
  const response = await send(cluster.port, method, path, sent);
  expect([response.status, response.text]).toEqual([want, response.text]);
  const headers = response.headers as { [name: string]: string };
  description.check(method, path, { status: response.status, headers, text: response.text });
});
