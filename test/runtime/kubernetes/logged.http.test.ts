import { Cluster, device, devices } from './devices';
import { openWatch } from './watching';

// The failures that the log has: those of the service, with the request, and no intended responses.

let cluster: Cluster;
beforeAll(async () => void (cluster = await Cluster.start()));
afterEach(() => jest.restoreAllMocks());
afterAll(() => cluster?.close());

const ID = { 'X-Request-Id': 'request-7' };

test('a watch that fails after its beginning', async () => {
  const { log } = cluster.service.service.events;
  const error = jest.spyOn(cluster.service.service.logger, 'error');
  jest.spyOn(log, 'read').mockImplementation(() => Promise.reject(new Error('out of order')));
  const watching = await openWatch(cluster.port, `${devices()}?watch=true`, ID);
  await watching.ended;
  expect(watching.lines).toMatchObject([{ type: 'ERROR', object: { code: 500, reason: 'InternalError' } }]);
  expect(error).toHaveBeenCalledTimes(1);
  expect(error).toHaveBeenCalledWith(
    expect.objectContaining({ err: new Error('out of order'), requestId: 'request-7', path: devices() }),
    'failed',
  );
});

test('a request that fails', async () => {
  const { service } = cluster.service;
  const error = jest.spyOn(service.logger, 'error');
  jest.spyOn(service.store, 'write').mockImplementation(() => Promise.reject(new Error('out of order')));
  const { code } = await cluster.request('POST', devices(), { body: device('a'), headers: ID });
  expect(code).toBe(500);
  expect(error).toHaveBeenCalledWith(expect.objectContaining({ requestId: 'request-7' }), 'failed');
});

test('a service that stops is not ready, which is no failure', async () => {
  const { service } = cluster.service;
  const error = jest.spyOn(service.logger, 'error');
  service.draining = true;
  expect((await cluster.get('/k8s/readyz')).code).toBe(503);
  service.draining = false;
  expect(error).not.toHaveBeenCalled();
});
