import { client } from './demo/client.gen.js';
import {
  createDeviceV1,
  getDevice,
  getDeviceV2Beta1,
  listDevices,
  patchDeviceV2Beta1,
} from './demo/index.js';

// A client made by hey-api/openapi-ts creates, gets, lists and patches in both versions of the demo.

declare const process: { argv: string[] };
const [, , baseUrl = ''] = process.argv;
client.setConfig({ baseUrl });
const throwOnError = true;

const { data: created } = await createDeviceV1({
  throwOnError,
  body: {
    metadata: { name: 'lamp', labels: { made: 'hey-api' } },
    spec: { name: 'lamp', location: 'hall', timeoutMs: 5000 },
  },
});
const path = { uid: created.metadata.uid };

const { data: got } = await getDeviceV2Beta1({ throwOnError, path });
equal([got.spec.site, got.spec.timeoutSeconds], ['hall', 5]);

const { data: patched } = await patchDeviceV2Beta1({ throwOnError, path, body: { spec: { site: 'attic' } } });
equal(patched.spec.site, 'attic');

const { data: listed } = await listDevices({ throwOnError, query: { labelSelector: 'made=hey-api' } });
equal(
  listed.map(({ spec }) => spec),
  [{ name: 'lamp', location: 'attic', timeoutMs: 5000 }],
);

const { error, response } = await getDevice({ path: { uid: 'dev-0000000000000000' } });
equal([response.status, error?.title], [404, 'Not Found']);

function equal(got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}
