import { client } from './shop/client.gen.js';
import {
  createDeviceV1,
  getDevice,
  getDeviceV2Beta1,
  listDevices,
  patchDeviceV2Beta1,
} from './shop/index.js';

// A client made by hey-api/openapi-ts creates, gets, lists and patches in both versions of the shop.

declare const process: { argv: string[] };
const [, , baseUrl = '', token = ''] = process.argv;
client.setConfig({ baseUrl, auth: () => token });
const throwOnError = true;

const { data: created } = await createDeviceV1({
  throwOnError,
  body: {
    metadata: { name: 'lamp', labels: { made: 'hey-api' } },
    spec: { name: 'lamp', location: 'hall', weight: 5 },
  },
});
const path = { uid: created.metadata.uid };

const { data: got } = await getDeviceV2Beta1({ throwOnError, path });
equal([got.spec.site, got.spec.weight], ['hall', 5]);

const { data: patched } = await patchDeviceV2Beta1({ throwOnError, path, body: { spec: { site: 'attic' } } });
equal(patched.spec.site, 'attic');

const { data: listed } = await listDevices({ throwOnError, query: { labelSelector: 'made=hey-api' } });
equal(
  listed.map(({ spec }) => spec.location),
  ['attic'],
);

const { error, response } = await getDevice({ path: { uid: 'dev-0000000000000000' } });
equal([response.status, error?.title], [404, 'Not Found']);

function equal(got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}
