import createClient from 'openapi-fetch';
import type { paths } from './shop.js';

// A client made by openapi-typescript creates, gets, lists and patches in both versions of the shop.

declare const process: { argv: string[] };
const [, , baseUrl = '', token = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

const created = expectData(
  await client.POST('/apis/example.svc.dev/v1/devices', {
    body: {
      metadata: { name: 'lamp', labels: { made: 'openapi-typescript' } },
      spec: { name: 'lamp', location: 'hall', weight: 5, mode: 'Safe' },
    },
  }),
);
const params = { path: { uid: created.metadata.uid } };

const got = expectData(await client.GET('/apis/example.svc.dev/v2beta1/devices/{uid}', { params }));
equal([got.spec.site, got.spec.weight], ['hall', 5]);

const patched = expectData(
  await client.PATCH('/apis/example.svc.dev/v2beta1/devices/{uid}', {
    params,
    headers: { 'Content-Type': 'application/merge-patch+json' },
    body: { spec: { site: 'attic' } },
  }),
);
equal(patched.spec.site, 'attic');

const listed = expectData(
  await client.GET('/apis/example.svc.dev/v1/devices', {
    params: { query: { labelSelector: 'made=openapi-typescript' } },
  }),
);
equal(
  listed.map(({ spec }) => spec.location),
  ['attic'],
);

const { error, response } = await client.GET('/devices/{uid}', {
  params: { path: { uid: 'dev-0000000000000000' } },
});
// A refusal of the middleware is text, every other one a problem.
equal([response.status, typeof error === 'object' && error.title], [404, 'Not Found']);

function expectData<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`);
  return data;
}

function equal(got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}
