import { negotiate } from '../../../templates/runtime/api/request/negotiate';
import type { RequestContext } from '../../../templates/runtime/api/request/request-context';
import type { KindDefinition } from '../../../templates/runtime/model/kinds/kind';
import type { Json } from '../../../templates/runtime/model/schema';
import { outcome } from '../support/outcome';

const kind = {
  kind: 'Device',
  group: 'example.svc.dev',
  servedVersions: ['v1', 'v2beta1', 'v3alpha1'],
} as unknown as KindDefinition;

/** The version of a request, by body, URL and Accept; or the status of the refusal. */
test.each<
  [body: Json | undefined, url: string | undefined, accept: string | undefined, want: string | number]
>([
  [undefined, undefined, undefined, 'v1'],
  [undefined, undefined, '*/*', 'v1'],
  [undefined, undefined, 'text/html', 'v1'],
  [undefined, undefined, 'application/json;version=v2beta1', 'v2beta1'],
  [undefined, undefined, 'application/json; api-version=example.svc.dev/v2beta1', 'v2beta1'],
  [undefined, undefined, 'application/json;version=v9', 406],
  [undefined, undefined, 'application/json;version=other.example/v1', 406],
  // Once a level decides, the lower ones are not looked at
  [undefined, 'v2beta1', 'application/json;version=v9', 'v2beta1'],
  [{ apiVersion: 'example.svc.dev/v3alpha1' }, 'v2beta1', 'application/json;version=v9', 'v3alpha1'],
  [{ apiVersion: 'v3alpha1' }, 'v2beta1', undefined, 'v3alpha1'],
  [{}, 'v2beta1', undefined, 'v2beta1'],
  [{}, undefined, 'application/json;version=v2beta1', 'v2beta1'],
  // A patch that is a list has no apiVersion
  [[{ apiVersion: 'v9' }], undefined, undefined, 'v1'],
  ['v9', undefined, undefined, 'v1'],
  [null, undefined, undefined, 'v1'],
  [{ apiVersion: 'example.svc.dev/v9' }, 'v1', undefined, 406],
  [{ apiVersion: 'other.example/v1' }, undefined, undefined, 406],
  [{ apiVersion: 'example.svc.dev/v1/v1' }, undefined, undefined, 406],
  [{ apiVersion: '/v1' }, undefined, undefined, 406],
  [{ apiVersion: '' }, undefined, undefined, 406],
  [{ apiVersion: 'V1' }, undefined, undefined, 406],
  [{ apiVersion: null }, 'v1', undefined, 400],
  [{ apiVersion: 1 }, undefined, undefined, 400],
  [{ apiVersion: ['v1'] }, undefined, undefined, 400],
])('body %j, URL %s, Accept %s: %s', (body, urlVersion, accept, want) => {
  const call = { req: { headers: { accept } }, kind, urlVersion } as unknown as RequestContext;
  expect(outcome(() => negotiate(call, body))).toBe(want);
});

test.each([
  ['application/json;version=v9', '"v9"'],
  [
    'text/html, application/json; api-version=other.example/v1, application/json;version=v8;q=0.5, */*;q=0',
    '"other.example/v1, v8"',
  ],
  ['application/json;version=v9;q=0, */*;q=0', '"Accept: application/json;version=v9;q=0, */*;q=0"'],
])('a refusal of Accept %s names the versions, and those that there are', (accept, asked) => {
  const call = { req: { headers: { accept } }, kind } as unknown as RequestContext;
  expect(() => negotiate(call, undefined)).toThrow(
    `${asked} is not registered for Device; available: example.svc.dev/v1, example.svc.dev/v2beta1, example.svc.dev/v3alpha1.`,
  );
});
