import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { loadProject } from '../../src/load/load-project';
import type { JsonObject } from '../../src/model/project';
import { parseSelector } from '../../templates/runtime/model/selectors/selector';
import { outcome } from '../runtime/support/outcome';
import { documentOf } from './document-of';
import { documentedRoutes } from './documented-routes';
import { everything, projects } from './openapi-projects';

/** Every value of a JSON tree that is an object, with the keys that lead to it. */
function* objects(value: unknown, path: string[] = []): Generator<[path: string[], object: JsonObject]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as JsonObject];
  for (const [key, member] of Object.entries(value)) yield* objects(member, [...path, key]);
}

function resolve(document: JsonObject, ref: string): unknown {
  return ref
    .slice('#/'.length)
    .split('/')
    .reduce((value: unknown, key) => (value as JsonObject | undefined)?.[key], document);
}

function operations(document: JsonObject): [route: string, operation: JsonObject][] {
  const paths = document['paths'] as { [path: string]: { [method: string]: JsonObject } };
  return documentedRoutes(document).map(([method, path]) => [
    `${method} ${path}`,
    paths[path][method.toLowerCase()],
  ]);
}

function operation(route: string, project = everything): JsonObject {
  return Object.fromEntries(operations(documentOf(project)))[route];
}

function validators(document: JsonObject): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  ajv.addSchema(document, 'document');
  return (schema) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as JsonObject);
}

describe.each(Object.entries(projects))('%s', (_, project) => {
  const document = documentOf(project);

  test('every reference resolves and every component is used', () => {
    const refs = new Set(
      [...objects(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : [])),
    );
    expect([...refs].filter((ref) => resolve(document, ref) === undefined)).toEqual([]);
    const components = Object.entries(document['components'] as { [section: string]: JsonObject }).flatMap(
      ([section, members]) => Object.keys(members).map((name) => `#/components/${section}/${name}`),
    );
    expect(components.filter((name) => !refs.has(name))).toEqual([]);
    expect(components.filter((name) => !/^#\/components\/[a-zA-Z]+\/[a-zA-Z0-9._-]+$/.test(name))).toEqual(
      [],
    );
  });

  test('operationIds and tags are unique, every tag is declared', () => {
    const ids = operations(document).map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = (document['tags'] as { name: string }[]).map(({ name }) => name);
    expect(new Set(tags).size).toBe(tags.length);
    for (const [, operation] of operations(document)) {
      expect(tags).toEqual(expect.arrayContaining(operation['tags'] as string[]));
    }
  });

  test('every example is valid against its schema', () => {
    const compile = validators(document);
    for (const [path, object] of objects(document)) {
      const { schema, example, examples } = object;
      if (example !== undefined && schema !== undefined) {
        const validate = compile(schema as object);
        expect([path, example, validate(example), validate.errors]).toEqual([path, example, true, null]);
      }
      if (!Array.isArray(examples) || path[1] !== 'schemas') continue;
      const validate = compile(object);
      for (const value of examples)
        expect([path, value, validate(value), validate.errors]).toEqual([path, value, true, null]);
    }
  });

  test('the same project gives the same document', () => {
    expect(JSON.stringify(documentOf(structuredClone(project)))).toBe(JSON.stringify(document));
  });
});

test('a kind has its endpoints on the short URL and on that of every version', () => {
  const routes = documentedRoutes(documentOf(everything)).map((route) => route.join(' '));
  const item = (url: string): string[] => [`GET ${url}`, `PUT ${url}`, `PATCH ${url}`, `DELETE ${url}`];
  const kind = (url: string): string[] => [
    `GET ${url}`,
    `POST ${url}`,
    ...item(`${url}/{uid}`),
    `PUT ${url}/{uid}/status`,
    `PATCH ${url}/{uid}/status`,
  ];
  const history = (url: string): string[] => [
    `GET ${url}/{uid}/versions`,
    `GET ${url}/{uid}/versions/{versionId}`,
    `DELETE ${url}/{uid}/versions/{versionId}`,
  ];
  const [v1, v2beta1] = ['/apis/example.svc.dev/v1', '/apis/example.svc.dev/v2beta1'];
  const devices = ['/devices', `${v1}/devices`, `${v2beta1}/devices`];
  expect(routes.filter((route) => /\/devices/.test(route))).toEqual(
    devices.flatMap((url) => [...kind(url), ...history(url)]),
  );
  expect(routes.filter((route) => /\/products/.test(route))).toEqual(
    ['/products', `${v1}/products`].flatMap(kind),
  );
  expect(routes.slice(-12)).toEqual([
    'GET /',
    'GET /apis',
    'GET /openapi.json',
    'GET /apis/example.svc.dev/v1/openapi.json',
    'GET /apis/example.svc.dev/v2beta1/openapi.json',
    'GET /docs',
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
    'GET /events',
    'GET /events/dead-letters',
    'POST /events/dead-letters/resend',
  ]);
});

test.each([
  ['GET /devices', 'listDevices'],
  ['POST /devices', 'createDevice'],
  ['GET /devices/{uid}', 'getDevice'],
  ['PUT /devices/{uid}', 'replaceDevice'],
  ['PATCH /devices/{uid}', 'patchDevice'],
  ['DELETE /devices/{uid}', 'deleteDevice'],
  ['PUT /devices/{uid}/status', 'replaceDeviceStatus'],
  ['PATCH /devices/{uid}/status', 'patchDeviceStatus'],
  ['GET /devices/{uid}/versions', 'listDeviceVersions'],
  ['DELETE /devices/{uid}/versions/{versionId}', 'deleteDeviceVersion'],
  ['PUT /apis/example.svc.dev/v2beta1/devices/{uid}/status', 'replaceDeviceStatusV2beta1'],
  // The kind DeviceVersion gives way to the snapshots of Device.
  ['DELETE /device-versions/{uid}', 'deleteDeviceVersionExampleSvcDev'],
  ['POST /device-versions', 'createDeviceVersion'],
])('%s is %s', (route, want) => {
  expect(operation(route)['operationId']).toBe(want);
});

test.each([
  ['GET /devices', '200 304 400 403 406 412 413 500 503'],
  ['POST /devices', '201 400 403 406 412 413 415 422 500 503'],
  ['GET /devices/{uid}', '200 304 400 403 404 406 412 413 500 503'],
  ['PUT /devices/{uid}', '200 400 403 404 406 412 413 415 500 503'],
  ['PATCH /devices/{uid}', '200 400 403 404 406 412 413 415 422 500 503'],
  ['DELETE /devices/{uid}', '200 400 403 404 406 412 413 500 503'],
  ['PATCH /devices/{uid}/status', '200 400 403 404 406 412 413 415 422 500 503'],
  ['GET /devices/{uid}/versions', '200 400 403 404 406 413 500 503'],
  ['GET /apis/example.svc.dev/v1/devices/{uid}', '200 304 400 403 404 412 413 500 503'],
  ['GET /events', '200 400 403 406 410 500 503'],
  ['GET /events/dead-letters', '200 400 403 406 500 503'],
  ['POST /events/dead-letters/resend', '200 400 403 406 500 503'],
])('%s answers %s', (route, want) => {
  expect(Object.keys(operation(route)['responses'] as object).join(' ')).toBe(want);
});

test('428 is there when If-Match is required', () => {
  const project = { ...everything, requireIfMatch: true };
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    expect(operation(`${method} /devices/{uid}`, project)['responses']).toHaveProperty('428');
  }
  expect(operation('GET /devices/{uid}', project)['responses']).not.toHaveProperty('428');
});

test('a PUT that may create does not demand If-Match', () => {
  const [group] = everything.groups;
  const kinds = group.kinds.map((kind) => ({ ...kind, uniqueNames: true }));
  const project = { ...everything, requireIfMatch: true, groups: [{ ...group, kinds }] };
  const document = documentOf(project);
  const required = (route: string): unknown[] =>
    (operation(route, project)['parameters'] as { $ref: string }[])
      .map(({ $ref }) => resolve(document, $ref) as JsonObject)
      .filter((parameter) => parameter['in'] === 'header' && parameter['required'])
      .map((parameter) => parameter['name']);
  expect(required('PUT /devices/{uid}')).toEqual([]);
  expect(required('PATCH /devices/{uid}')).toEqual(['If-Match']);
  expect(required('PUT /devices/{uid}/status')).toEqual(['If-Match']);
});

test('a short URL answers in every version, a versioned one in its own', () => {
  const { components } = documentOf(everything) as unknown as {
    components: { responses: { [name: string]: { content: { [type: string]: JsonObject } } } };
  };
  const types = (name: string): string[] => Object.keys(components.responses[name].content);
  expect(types('DeviceNegotiatedResponse')).toEqual(['application/json', 'application/json;version=v2beta1']);
  expect(types('DeviceV2beta1Response')).toEqual(['application/json']);
  expect(types('ProductV1Response')).toEqual(['application/json']);
});

test.each([
  ['Device', {}, true],
  ['the least', { spec: { name: 'a', location: 'b' } }, true],
  [
    'what was read',
    { metadata: { name: 'a', uid: 'dev-0123456789abcdef', generation: 3 }, status: { x: 1 } },
    true,
  ],
  ['both forms of apiVersion', { apiVersion: 'v1' }, true],
  ['another version', { apiVersion: 'example.svc.dev/v9' }, false],
  ['no spec', { spec: undefined }, false],
  ['an unknown field', { spec: { name: 'a', location: 'b', colour: 'red' } }, false],
  ['an unknown member', { colour: 'red' }, false],
])('a create with %s', (_, change, want) => {
  const document = documentOf(everything);
  const validate = validators(document)({ $ref: '#/components/schemas/DeviceV1Input' });
  const body = { spec: { name: 'a', location: 'b' }, ...change };
  expect(validate(JSON.parse(JSON.stringify(body)))).toBe(want);
});

test('the operations of a deprecated version say so', () => {
  const project = projects['a deprecated version'];
  const marked = operations(documentOf(project)).filter(([, { deprecated }]) => deprecated === true);
  const versioned = operations(documentOf(project)).filter(([route]) => route.includes('/v2beta1/devices'));
  expect(marked).toEqual(versioned);
  const beta = '/apis/example.svc.dev/v2beta1/devices';
  expect(operation(`GET ${beta}`, project)['description']).toBe(
    'A flat array in order of creation.\n\nDeprecated as of 2026-01-31 and removed as of 2027-01-31; use example.svc.dev/v1. See /docs.',
  );
  const response = (route: string): JsonObject => {
    const responses = operation(route, project)['responses'] as JsonObject;
    return resolve(documentOf(project), (responses['200'] as { $ref: string }).$ref) as JsonObject;
  };
  const headers = ['Deprecation', 'Sunset', 'Link'];
  expect(Object.keys(response(`GET ${beta}/{uid}`)['headers'] as object)).toEqual(
    expect.arrayContaining(headers),
  );
  expect(
    Object.keys(response('GET /apis/example.svc.dev/v1/devices/{uid}')['headers'] as object),
  ).not.toEqual(expect.arrayContaining(['Deprecation']));
});

test('100 kinds in two versions stay below 5 MB', () => {
  const [group] = everything.groups;
  const kinds = Array.from({ length: 100 }, (_, index) => ({
    ...group.kinds[0],
    name: `Device${index}`,
    plural: `devices${index}`,
  }));
  const text = JSON.stringify(documentOf({ ...everything, groups: [{ ...group, kinds }] }));
  expect(text.length).toBeLessThan(5_000_000);
});

test.each([
  ['string', true],
  ['{ type: string, ref: Supplier }', false],
])('a response to a GET of a kind with a field %s must have validators: %s', (field, isRequired) => {
  const { project } = loadProject(
    __dirname,
    `name: shop
groups:
  - name: example.svc.dev
    versions: [v1]
    kinds:
      - { name: Part, versions: { v1: { spec: { supplier: ${field} } } } }
      - { name: Supplier, versions: { v1: { spec: { title: string } } } }
`,
  );
  const { components } = documentOf(project) as unknown as {
    components: {
      headers: { [name: string]: { required?: boolean } };
      responses: { PartV1Response: { headers: { [name: string]: { $ref: string } } } };
    };
  };
  const { headers } = components.responses.PartV1Response;
  const required = ['ETag', 'Last-Modified'].map(
    (header) => components.headers[headers[header].$ref.split('/').at(-1)!].required ?? false,
  );
  expect(required).toEqual([isRequired, isRequired]);
});

test('the pattern of label selectors is their grammar', () => {
  const { components } = documentOf(everything) as unknown as {
    components: { parameters: { labelSelector: { schema: { pattern: string } } } };
  };
  const pattern = new RegExp(components.parameters.labelSelector.schema.pattern);
  const token = fc.constantFrom('a', 'b', 'in', 'notin', '(', ')', ',', '=', '==', '!=', '!', '<', ' ');
  fc.assert(
    fc.property(fc.array(token, { maxLength: 10 }), (tokens) => {
      const text = tokens.join('');
      expect([text, pattern.test(text)]).toEqual([text, outcome(() => parseSelector(text)) !== 400]);
    }),
    { numRuns: 5_000, examples: [[['a', ' ', 'in', '(', ')']], [['a', ' ', 'in', '(', ',', ')']]] },
  );
});
