import type { JsonObject } from '../../../templates/runtime/model/schema';
import { type Answer, Cluster } from './devices';

const GVK = 'x-kubernetes-group-version-kind';

describe('OpenAPI', () => {
  let cluster: Cluster;
  beforeAll(async () => void (cluster = await Cluster.start()));
  afterAll(() => cluster?.close());

  /** Returns the document of a version, as the index names it. */
  async function documentOf(version: string): Promise<JsonObject> {
    const index = (await cluster.get('/k8s/openapi/v3')).body;
    const { serverRelativeURL } = index.paths[`apis/example.svc.dev/${version}`];
    expect(serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\//);
    return (await cluster.get(`/k8s${serverRelativeURL}`)).body;
  }

  test.each(['v1', 'v2beta1'])('%s is OpenAPI 3.0', async (version) => {
    const document = await documentOf(version);
    expect(document['openapi']).toBe('3.0.0');
    const schemas = (document['components'] as JsonObject)['schemas'] as JsonObject;
    const seen: string[] = [];
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, member] of Object.entries(value)) {
        if (/^exclusive/.test(name)) expect(member).toBe(true);
        if (name === 'additionalProperties') expect(member).not.toBe(false);
        if (name === '$ref') seen.push(String(member));
        visit(member);
      }
    };
    visit(document);
    expect(seen.length).toBeGreaterThan(0);
    for (const ref of seen) expect(Object.keys(schemas)).toContain(ref.replace('#/components/schemas/', ''));
  });

  test('schemas have the group, version and kind, and the descriptions of fields', async () => {
    const document = await documentOf('v1');
    const { schemas } = document['components'] as { schemas: { [name: string]: Answer['body'] } };
    const device = schemas['dev.svc.example.v1.Device'];
    expect(device).toMatchObject({
      description: 'A device of a site.',
      [GVK]: [{ group: 'example.svc.dev', version: 'v1', kind: 'Device' }],
    });
    expect(device.properties.spec.properties).toMatchObject({
      location: { type: 'string', description: 'The site.', maxLength: 20 },
      price: { type: 'number', minimum: 0, exclusiveMinimum: true },
    });
  });

  test('operations that write list dryRun and fieldValidation', async () => {
    const { paths } = (await documentOf('v1')) as { paths: { [path: string]: Answer['body'] } };
    const collection = '/apis/example.svc.dev/v1/devices';
    const operations = [
      paths[collection].post,
      ...[paths[`${collection}/{name}`], paths[`${collection}/{name}/status`]].flatMap(({ put, patch }) => [
        put,
        patch,
      ]),
    ];
    for (const operation of operations) {
      expect(operation[GVK]).toEqual({ group: 'example.svc.dev', version: 'v1', kind: 'Device' });
      const names = operation.parameters.map(({ name }: { name: string }) => name);
      expect(names).toEqual(expect.arrayContaining(['dryRun', 'fieldValidation']));
    }
  });

  test('operations that may create an object list 201', async () => {
    const { paths } = (await documentOf('v1')) as { paths: { [path: string]: Answer['body'] } };
    const collection = '/apis/example.svc.dev/v1/devices';
    const { get, put, patch } = paths[`${collection}/{name}`];
    const { post } = paths[collection];
    for (const operation of [post, patch]) {
      expect(Object.keys(operation.responses)).toEqual(['200', '201']);
      expect(operation.responses['201'].content).toEqual(get.responses['200'].content);
    }
    for (const operation of [get, put]) expect(Object.keys(operation.responses)).toEqual(['200']);
  });
});
