import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JSON_TYPE, MERGE } from '../support/client';
import { apply, wanted } from './applying';
import { projectOf } from './device-project';
import { type Answer, Cluster, device, devices } from './devices';

// Stored objects have fields that project.yaml no longer has. They stay, as on the plain API, until a client changes or removes them.

const PORT = 'name: { type: string, rules: [required] }';
const BEFORE = versions(`${PORT}, speed: integer`, 'location: string, model: string, ', 'old: string, ');
const AFTER = versions(PORT, 'location: string, ', '');

function versions(port: string, spec: string, status: string): string {
  const ports = `ports: { type: list, key: name, items: { type: object, fields: { ${port} } } }`;
  return `\n        versions: { v1: { spec: { ${spec}${ports} }, status: { ${status}phase: string } } }`;
}

const STORED = { location: 'eu', model: 'x', ports: [{ name: 'a', speed: 1 }, { name: 'b' }] };
const PATH = `${devices()}/one`;

let folder: string;
let cluster: Cluster;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'removed-fields-'));
  cluster = await start(BEFORE);
  await apply(cluster, ['before', 'one'], wanted(STORED));
  await patch({ status: { old: 'o' } }, '/status');
  await cluster.close();
  cluster = await start(AFTER);
});
afterEach(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

function start(kind: string): Promise<Cluster> {
  const environment = { DATABASE_URL: `sqlite:${folder}/store.db` };
  return Cluster.start({ project: projectOf(kind, { versions: 'v1' }), environment });
}

const patch = (body: object, part = '', query = ''): Promise<Answer> =>
  cluster.request('PATCH', `${PATH}${part}${query}`, { body, headers: MERGE });

describe.each(['Strict', 'Warn', 'Ignore'])('fieldValidation=%s', (directive) => {
  const query = `?fieldValidation=${directive}`;

  /** Checks that a write preserves the fields, and says nothing about them. */
  function expectPreserved({ code, body, response }: Answer, spec: object): void {
    expect([body.message, code]).toEqual([undefined, 200]);
    expect(response.headers['warning']).toBeUndefined();
    expect([body.spec, body.status]).toEqual([spec, { old: 'o', ...body.status }]);
  }

  test('patches keep them', async () => {
    expectPreserved(await patch({ metadata: { labels: { a: 'b' } } }, '', query), STORED);
    expectPreserved(await patch({ spec: { location: 'us' } }, '', query), { ...STORED, location: 'us' });
    expectPreserved(await patch({ status: { phase: 'Ready' } }, '/status', query), {
      ...STORED,
      location: 'us',
    });
  });

  test('an object that is sent back keeps them, its elements in any order', async () => {
    const { body } = await cluster.get(PATH);
    const spec = { ...STORED, location: 'us', ports: STORED.ports.toReversed() };
    const sent = { body: { ...body, spec }, headers: JSON_TYPE };
    expectPreserved(await cluster.request('PUT', `${PATH}${query}`, sent), spec);
  });

  test('an apply keeps those of others', async () => {
    const body = wanted({ ports: [{ name: 'c' }] });
    const applied = await apply(cluster, ['team', 'one', `&fieldValidation=${directive}`], body);
    expectPreserved(applied, { ...STORED, ports: [...STORED.ports, { name: 'c' }] });
  });
});

test('another value is an unknown field', async () => {
  const spec = { model: 'y', ports: [{ name: 'a', speed: 2 }] };
  const { code, body } = await patch({ spec }, '', '?fieldValidation=Strict');
  const fields = ['spec.model', 'spec.ports[0].speed'].map((path) => `unknown field ${JSON.stringify(path)}`);
  expect([code, body.message]).toEqual([400, `strict decoding error: ${fields.join(', ')}`]);
  const warned = await patch({ spec });
  expect(warned.body.spec).toEqual({ location: 'eu', ports: [{ name: 'a' }] });
  expect(warned.response.headers['warning']).toBe(
    fields.map((text) => `299 - ${JSON.stringify(text)}`).join(', '),
  );
});

test('a new object has none of them', async () => {
  const { code } = await cluster.request('POST', `${devices()}?fieldValidation=Strict`, {
    body: device('two', STORED),
  });
  expect(code).toBe(400);
});
