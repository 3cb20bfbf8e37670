import type { Decision, KindHooks } from '../../../templates/runtime/model/kinds/kind';
import { create, JSON_TYPE, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';
import { testProject } from '../support/projects';

// A check or a policy that does not settle holds neither its request nor the resource.

const never = <T>(): Promise<T> => new Promise(() => undefined);
const allowed = { allowed: true };
const environment = { HOOK_TIMEOUT_MS: '50' };
const SPEC = { name: 'a', location: 'b' };
const TOO_LONG = {
  status: 503,
  text: expect.stringContaining('The checks of this request took too long; nothing was changed.') as string,
};

/** True while the hooks do not settle. */
let isStuck = false;

const HOOKS: KindHooks = {
  validate: async () => (isStuck ? never<void>() : undefined),
  validateOn: ['create', 'update'],
  policy: { canGet: async () => (isStuck ? never<Decision>() : allowed) },
};

let service: TestService;
let path: string;
const logged: unknown[] = [];

beforeAll(async () => {
  service = await startService(testProject(), { hooks: { Device: HOOKS }, environment });
  service.service.logger.error = (fields: { err: Error }) => void logged.push(fields.err.message);
  ({ path } = await create(service.port, '/devices', SPEC));
});
beforeEach(() => {
  isStuck = true;
  logged.length = 0;
});
afterAll(() => service.close());

const FILE = 'src/kinds/example.svc.dev/device.ts';

test.each<[method: string, suffix: string, body: object | undefined, hook: string]>([
  ['PATCH', '', { spec: { location: 'c' } }, 'validate'],
  ['PUT', '', { spec: SPEC }, 'validate'],
  ['GET', '', undefined, 'canGet'],
])('%s%s: 503, and a line in the log', async (method, suffix, body, hook) => {
  const headers = method === 'PATCH' ? MERGE : JSON_TYPE;
  expect(await send(service.port, method, path + suffix, { headers, body })).toMatchObject(TOO_LONG);
  expect(logged).toEqual([`${hook} of ${FILE} has not settled within 50 ms (HOOK_TIMEOUT_MS)`]);
  isStuck = false;
  const next = { headers: MERGE, body: { spec: { location: 'd' } } };
  expect((await send(service.port, 'PATCH', path, next)).status).toBe(200);
});

test('a list does not leave out what the policy has not decided', async () => {
  expect(await send(service.port, 'GET', '/devices')).toMatchObject(TOO_LONG);
});

test('nothing was created', async () => {
  const body = { metadata: { name: 'x' }, spec: SPEC };
  expect(await send(service.port, 'POST', '/devices', { headers: JSON_TYPE, body })).toMatchObject(TOO_LONG);
  isStuck = false;
  expect(JSON.parse((await send(service.port, 'GET', '/devices')).text)).toHaveLength(1);
});
