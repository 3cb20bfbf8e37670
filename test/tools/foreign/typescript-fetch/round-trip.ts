import { Configuration, DeviceV1Api, DeviceV2beta1Api, ResponseError } from './client';

// A client made by openapi-generator's typescript-fetch creates, gets, patches and lists.

async function main(basePath: string, accessToken: string): Promise<void> {
  const configuration = new Configuration({ basePath, accessToken });
  const v1 = new DeviceV1Api(configuration);
  const v2beta1 = new DeviceV2beta1Api(configuration);

  const created = await v1.createDeviceV1({
    deviceV1Input: {
      metadata: { labels: { made: 'typescript-fetch' } },
      spec: { name: 'lamp', location: 'hall' },
    },
  });
  const { uid } = created.metadata;
  equal((await v2beta1.getDeviceV2beta1({ uid })).spec.site, 'hall');

  const patched = await v2beta1.patchDeviceV2beta1({ uid, deviceV2beta1Patch: { spec: { site: 'attic' } } });
  equal(patched.spec.site, 'attic');

  const listed = await v1.listDevicesV1({ labelSelector: 'made=typescript-fetch' });
  equal(
    listed.map(({ spec }) => spec.location),
    ['attic'],
  );

  const error: unknown = await v1
    .getDeviceV1({ uid: 'dev-0000000000000000' })
    .catch((error: unknown) => error);
  equal(error instanceof ResponseError && error.response.status, 404);
}

function equal(got: unknown, want: unknown): void {
  if (JSON.stringify(got) !== JSON.stringify(want))
    throw new Error(`got ${JSON.stringify(got)}, want ${JSON.stringify(want)}`);
}

declare const process: { argv: string[]; exitCode: number };
main(process.argv[2]!, process.argv[3]!).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
