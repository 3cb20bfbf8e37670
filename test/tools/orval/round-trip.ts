import { createDeviceV1, getDeviceV1, getDeviceV2beta1, listDevicesV1, patchDeviceV2beta1 } from './shop.js';

// A client made by orval creates, gets, patches and lists. A body of several types leaves the type to the caller.

declare const process: { argv: string[] };
const identified = { headers: { Authorization: `Bearer ${process.argv[2]}` } };

const created = await createDeviceV1(
  {
    metadata: { labels: { made: 'orval' } },
    spec: { name: 'lamp', location: 'hall' },
  },
  {},
  identified,
);
if (created.status !== 201) throw new Error(JSON.stringify(created));
const { uid } = created.data.metadata;

const got = await getDeviceV2beta1(uid, identified);
equal(got.status === 200 && got.data.spec.site, 'hall');

const headers = { ...identified.headers, 'Content-Type': 'application/merge-patch+json' };
const patched = await patchDeviceV2beta1(uid, { spec: { site: 'attic' } }, {}, { headers });
equal(patched.status === 200 && patched.data.spec.site, 'attic');

const listed = await listDevicesV1({ labelSelector: 'made=orval' }, identified);
equal(listed.status === 200 && listed.data.map(({ spec }) => spec.location), ['attic']);

const missing = await getDeviceV1('dev-0000000000000000', identified);
equal(missing.status === 404 && missing.data.title, 'Not Found');

function equal(got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}
