import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments } from 'yaml';
import { loadProject } from '../../src/load/load-project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';
import { kubeconfig } from '../../templates/runtime/kubernetes/kubeconfig';

// Names of a project that would meet each other, or those of the service, once they are the names of something generated.

const PROJECT = `
name: 'true'
events: true
security: [{ apiKey: X-API-Key }, { apiKey: XApi-Key }, { apiKey: Token }, { apiKey: Headers }, bearer, { apiKey: Value-Of }]
groups:
  - name: x
    types: { Shared: { a: string }, ABShared: { a: string } }
    kinds:
      - { name: Device, versions: { v1: { spec: { s: Shared, t: ABShared } } } }
      - { name: CDevice, versions: { v1: { spec: { l: string } } } }
      - { name: CDevice1, versions: { v1: { spec: { l: string } } } }
      - { name: DeadLetter, versions: { v1: { spec: { l: string } } } }
      - { name: DeviceVersion, versions: { v1: { spec: { l: string } } } }
      - { name: Service, versions: { v1: { spec: { l: string } } } }
      - { name: Webhooks, versions: { v1: { spec: { l: string } } } }
      - { name: Thing, plural: constructor, specVersioning: true, versions: { v1: { spec: { l: string } } } }
  - name: a.b
    types: { Shared: { b: integer } }
    kinds: [{ name: Device, plural: d2, specVersioning: true, versions: { v1: { spec: { s: Shared } } } }]
  - name: a-b
    types: { Shared: { c: boolean } }
    kinds: [{ name: Device, plural: d3, versions: { v1: { spec: { s: Shared } } } }]
  - name: c
    kinds: [{ name: Device, plural: d4, versions: { v1: { spec: { l: string } } } }]
`;

interface OpenApi {
  tags: { name: string }[];
  paths: { [path: string]: { [method: string]: { operationId: string } } };
  components: { schemas: { [name: string]: { properties?: object } } };
}

let files: Map<string, string>;
let openapi: OpenApi;

beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'svcgen-'));
  writeFileSync(join(folder, 'project.yaml'), PROJECT);
  const plan = plannedProject(loadProject(folder).project);
  rmSync(folder, { recursive: true });
  files = new Map(render(plan).map(({ path, text }) => [path, text]));
  openapi = JSON.parse(files.get('src/generated/openapi.json')!) as OpenApi;
});

/** Returns the names that occur more than once, whatever their case. */
function repeated(names: string[]): string[] {
  const folded = names.map((name) => name.toLowerCase());
  return names.filter((_, index) => folded.indexOf(folded[index]) < index);
}

test('files have different paths', () => {
  expect(files.size).toBeGreaterThan(100);
  expect(repeated([...files.keys()])).toEqual([]);
});

test('the entry point exports each name once', () => {
  const text = files.get('src/generated/index.ts')!;
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].map(([, list]) => list);
  const names = lists.flatMap((list) => list.split(',').map((each) => each.trim().split(' as ').at(-1)!));
  expect(names).toContain('ABDevice2V1Spec');
  expect(repeated(names.filter(Boolean))).toEqual([]);
});

test('the client has valid syntax, and an option for each credential', () => {
  const path = 'src/generated/client/index.ts';
  const { diagnostics } = ts.transpileModule(files.get(path)!, { fileName: path, reportDiagnostics: true });
  expect(diagnostics).toEqual([]);
  const options = [...files.get(path)!.matchAll(/^ {2}(\S+)\?: Credential \| undefined;$/gm)].map(([, name]) => name);
  expect(options).toEqual(['xApiKey', 'xapiKey', 'token2', 'headers2', 'token', 'valueOf2']);
});

test('the document has each component, operation and tag once', () => {
  const { schemas } = openapi.components;
  expect(
    ['SharedType', 'ABSharedType', 'ABShared2Type', 'ABShared3Type'].map((name) => schemas[name].properties),
  ).toEqual(['a', 'a', 'b', 'c'].map((field) => ({ [field]: expect.anything() as unknown })));
  const operations = Object.values(openapi.paths).flatMap((path) => Object.values(path));
  expect(repeated(operations.map(({ operationId }) => operationId))).toEqual([]);
  expect(repeated(openapi.tags.map(({ name }) => name))).toEqual([]);
});

test('a name that YAML would take for another value is a string in manifests', () => {
  const text = files.get('kubernetes/service.yaml')!;
  const names = parseAllDocuments(text, { version: '1.1' }).map(
    (document) => (document.toJS() as { metadata: { name: unknown } }).metadata.name,
  );
  expect(names).toEqual(['true', 'true', 'true']);
  const [config] = parseAllDocuments(kubeconfig('1e3', [], {}), { version: '1.1' });
  expect(config.toJS()).toMatchObject({ 'current-context': '1e3', contexts: [{ context: { user: '1e3' } }] });
});
