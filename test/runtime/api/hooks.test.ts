import type { KindHooks, Policy } from '../../../templates/runtime/model/kinds/kind';
import type { Resource } from '../../../templates/runtime/model/resource';
import { createLogger } from '../../../templates/runtime/service/logger';
import { readSettings } from '../../../templates/runtime/settings/settings';
import { create, JSON_TYPE, send } from '../support/client';
import { startService } from '../support/harness';
import { testProject } from '../support/projects';

// What a kind's own file may export, and what keeps the service from starting.

const allow = (): { allowed: boolean } => ({ allowed: true });
const refuse = (): { allowed: boolean } => ({ allowed: false });
const noFailures = (): [] => [];
const FILE = 'src/kinds/example.svc.dev/book.ts: ';
const EXPORTS = '; move helpers to a file of their own';
const METHODS =
  '; a policy has canList, canGet, canCreate, canUpdate, canDelete, canUpdateStatus, canManageDeadLetters';

class Typed {
  readonly roles = ['admin'];
  canDelete = allow;
  CanUpdatStatus(): { allowed: boolean } {
    return refuse();
  }
}

test.each<[exports: object, problems: string[]]>([
  [{ polcy: {} }, [`the export polcy is unknown; did you mean policy?${EXPORTS}`]],
  [{ Policy: {} }, [`the export Policy is unknown; did you mean policy?${EXPORTS}`]],
  [{ validateon: ['create'] }, [`the export validateon is unknown; did you mean validateOn?${EXPORTS}`]],
  [{ isFree: allow }, [`the export isFree is unknown${EXPORTS}`]],
  [{ default: { policy: {} } }, ['the default export is never read; export validate and policy by name']],
  [{ default: () => undefined }, ['the default export is never read; export validate and policy by name']],
  [{ validate: 'x' }, ['validate must be a function']],
  [{ validateOn: 'create' }, ["validateOn must be a list, such as ['create', 'update']"]],
  [{ validateOn: ['updaet'] }, ['validateOn has the unknown operation updaet; did you mean update?']],
  [
    { policy: { canUpdateStats: refuse } },
    [`the policy's method canUpdateStats is unknown; did you mean canUpdateStatus?${METHODS}`],
  ],
  [
    { policy: { can_update_status: refuse } },
    [`the policy's method can_update_status is unknown; did you mean canUpdateStatus?${METHODS}`],
  ],
  [{ policy: { update: refuse } }, [`the policy's method update is unknown${METHODS}`]],
  [{ policy: { canEat: false } }, [`the policy's method canEat is unknown; did you mean canGet?${METHODS}`]],
  [
    { policy: new Typed() },
    [`the policy's method CanUpdatStatus is unknown; did you mean canUpdateStatus?${METHODS}`],
  ],
  [{ policy: { canGet: true } }, ["the policy's canGet must be a function"]],
  [
    { policy: { canGet: allow, CanGet: refuse } },
    ['the policy has canGet in two spellings; keep one of them'],
  ],
  [
    { polcy: {}, policy: { canDelet: refuse, canGt: refuse } },
    [
      `the export polcy is unknown; did you mean policy?${EXPORTS}`,
      `the policy's method canDelet is unknown; did you mean canDelete?${METHODS}`,
      `the policy's method canGt is unknown; did you mean canGet?${METHODS}`,
    ],
  ],
])('%j keeps the service from starting', async (hooks, problems) => {
  const starting = startService(testProject(), { hooks: { Book: hooks as KindHooks } });
  await expect(starting).rejects.toThrow(new Error(problems.map((problem) => FILE + problem).join('\n  ')));
});

test.each<[what: string, exports: object]>([
  ['nothing', {}],
  ['nothing, compiled by esbuild or swc', { default: {} }],
  ['a file that jest.mock replaces', { validate: noFailures, default: { validate: noFailures } }],
  ['the same, as a module', { __esModule: true, validate: noFailures }],
  ['functions of rules custom', { sizeToHub: allow, sizeFromHub: allow }],
  ['a policy without methods', { policy: {} }],
  ['methods that are not there', { validate: undefined, policy: { canGet: undefined, CanList: undefined } }],
  ['an object with fields of its own', { policy: { roles: ['admin'], canGet: allow } }],
])('%s: it starts', async (_what, hooks) => {
  const service = await startService(testProject(), { hooks: { Book: hooks as KindHooks } });
  expect((await send(service.port, 'GET', '/books')).status).toBe(200);
  await service.close();
});

/** As the specification spells it, with state of its own. */
class Requirement {
  readonly #roles = ['controller'];
  CanUpdateStatus(): { allowed: boolean; reason: string } {
    return { allowed: !this.#roles.includes('controller'), reason: this.#roles.join() };
  }
}

test.each<[name: keyof Policy<Resource>, method: string, path: string]>([
  ['CanList', 'GET', '/books'],
  ['CanGet', 'GET', '/books/{uid}'],
  ['CanCreate', 'POST', '/books'],
  ['CanUpdate', 'PUT', '/books/{uid}'],
  ['CanDelete', 'DELETE', '/books/{uid}'],
  ['CanUpdateStatus', 'PUT', '/books/{uid}/status'],
])('%s is asked for %s %s', async (name, method, path) => {
  const policy: Policy<Resource> = {};
  const service = await startService(testProject(), {
    hooks: { Book: { policy: { ...policy, [name]: refuse } } },
  });
  const open =
    name === 'CanCreate' ? '' : (await create(service.port, '/books', { title: 'a', author: 'b' })).path;
  const response = await send(service.port, method, path.replace('/books/{uid}', open), {
    headers: JSON_TYPE,
    ...(method !== 'GET' && { body: { spec: { title: 'a', author: 'b' }, status: {} } }),
  });
  expect(response.status).toBe(403);
  await service.close();
});

test('a policy may be an object of a class', async () => {
  const service = await startService(testProject(), { hooks: { Book: { policy: new Requirement() } } });
  const { path } = await create(service.port, '/books', { title: 'a', author: 'b' });
  const response = await send(service.port, 'PUT', `${path}/status`, {
    headers: JSON_TYPE,
    body: { status: {} },
  });
  expect([response.status, response.text]).toEqual([
    403,
    expect.stringContaining('Forbidden - requires update_status permission: controller'),
  ]);
  await service.close();
});

/** A getter of a member that cannot be read. */
const unreadable = {
  get(): never {
    throw new Error('it cannot be read');
  },
};

const knot = new AggregateError([], 'a knot');
knot.errors.push(knot);

test.each<[what: string, thrown: unknown, logged: string]>([
  ['null', null, 'null'],
  ['nothing', undefined, ''],
  ['a string', 'out of order', 'out of order'],
  ['an object without a prototype', Object.create(null), ''],
  ['an error whose message cannot be read', Object.defineProperty(new Error(), 'message', unreadable), ''],
  ['an object whose status cannot be read', Object.defineProperty({}, 'status', unreadable), ''],
  ['a message that is no text', { status: 404, expose: true, message: Object.create(null) as object }, ''],
  ['an error that is one of its own errors', knot, 'a knot'],
])('a policy rejects with %s: 500, which is logged', async (_what, thrown, logged) => {
  const rejected: Promise<never> = Promise.resolve().then(() => {
    throw thrown;
  });
  const lines: string[] = [];
  const service = await startService(testProject(), {
    hooks: { Book: { policy: { canList: () => rejected } } },
  });
  const write = (line: string): void => void lines.push(line);
  service.service.logger = createLogger('test', readSettings({}), { write });
  expect((await send(service.port, 'GET', '/books')).status).toBe(500);
  expect(lines).toContainEqual(expect.stringMatching(`${logged}.*"msg":"failed"`));
  await service.close();
});
