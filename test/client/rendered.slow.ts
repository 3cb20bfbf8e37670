import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { loadProject } from '../../src/load/load-project';
import { plannedProject } from '../../src/plan/planned-project';
import { render } from '../../src/render/render';

// The client as it is rendered for the fixture with every type: what the compiler says of it, and of code that uses it.

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, '.tmp', 'client');
const CLIENT = join(FOLDER, 'src/generated/client/index.ts');
const USAGE = join(FOLDER, 'usage.ts');
const PARTS = join(ROOT, '.tmp', 'client-of-parts');

beforeAll(() => {
  renderInto(FOLDER, 'fixtures/everything');
  renderInto(PARTS, 'fixtures/parts');
});

function renderInto(folder: string, fixture: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const { path, text } of render(plannedProject(loadProject(join(ROOT, fixture)).project))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** A program as the strictest project of a browser would compile it: nothing of Node is declared. */
function compile(root: string): ts.Program {
  return ts.createProgram([root], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    isolatedModules: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noImplicitOverride: true,
    noImplicitReturns: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    noEmit: true,
  });
}

function problems(program: ts.Program): string[] {
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const line = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start!).line + 1} ` : '';
    return line + ts.flattenDiagnosticMessageText(messageText, '\n');
  });
}

test('it compiles for browsers', () => {
  expect(problems(compile(CLIENT))).toEqual([]);
});

test('nothing of Node is reachable from it, and of the service nothing but types', () => {
  const values: string[] = [];
  for (const file of compile(CLIENT).getSourceFiles()) {
    if (!file.fileName.startsWith(FOLDER)) continue;
    expect(
      ts.preProcessFile(file.text).importedFiles.filter(({ fileName }) => !fileName.startsWith('.')),
    ).toEqual([]);
    const { outputText } = ts.transpileModule(file.text, {
      compilerOptions: { module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
    });
    const folder = file.fileName.slice(FOLDER.length);
    for (const { fileName } of ts.preProcessFile(outputText).importedFiles)
      if (folder.startsWith('/src/generated/client/')) values.push(fileName);
  }
  expect(values.length).toBeGreaterThan(10);
  expect(values.filter((path) => !/^\.\/[a-z-]+$/.test(path))).toEqual([]);
});

// Each @ts-expect-error is a mistake that the compiler has to find.
const USES = `
import { createClient, etagOf, jsonPatch, mergePatch, shorthand, type Client, type ServiceEvent } from './src/generated/client';

export async function use(client: Client, uid: string, signal: AbortSignal | undefined): Promise<void> {
  const device = await client.devices.create({ metadata: { name: 'a' }, spec: { name: 'a', location: 'b' } });
  const phase: 'Pending' | 'Ready' | 'Offline' | 'Error' | undefined = device.status?.phase;
  const ready: boolean | undefined = device.status?.ready;
  // @ts-expect-error location is required
  await client.devices.create({ spec: { name: 'a' } });
  // @ts-expect-error a status is not written here
  await client.devices.create({ spec: { name: 'a', location: 'b' }, status: { ready: true } });
  // @ts-expect-error there is no such field
  await client.devices.create({ spec: { name: 'a', location: 'b', place: 'c' } });

  // What has a default may be left out, at any depth; it is there in answers.
  const rule = await client.rules.create({ spec: { count: 1, anything: null } });
  const color: 'red' | 'green' | 'blue' = rule.spec.color;
  const tree = await client.trees.create({ spec: { root: { title: 'a', owner: { email: 'a@example.com' } } } });
  const nickname: string | undefined = tree.spec.root.owner?.nickname;
  await client.devices.replaceStatus(uid, { phase: 'Ready' });
  // @ts-expect-error no such phase
  await client.devices.replaceStatus(uid, { phase: 'Gone' });
  await client.devices.replace(uid, device, { ifMatch: device });

  await client.devices.patch(uid, mergePatch({ spec: { model: null, config: { a: 'b', c: null } } }));
  // @ts-expect-error model is a string
  await client.devices.patch(uid, mergePatch({ spec: { model: 1 } }));
  // @ts-expect-error there is no such member
  await client.devices.patch(uid, mergePatch({ specs: {} }));
  await client.devices.patch(uid, shorthand({ 'spec.model': 'x' }), { ifMatch: etagOf(device)! });
  // @ts-expect-error without an ETag there would be no condition
  await client.devices.patch(uid, shorthand({ 'spec.model': 'x' }), { ifMatch: etagOf(device) });
  await client.devices.patch(uid, jsonPatch([{ op: 'move', from: '/spec/model', path: '/spec/name' }]));
  // @ts-expect-error a value is missing
  await client.devices.patch(uid, jsonPatch([{ op: 'add', path: '/spec/model' }]));
  await client.devices.patchStatus(uid, mergePatch({ status: { phase: 'Ready' } }));
  // @ts-expect-error the spec is not changed here
  await client.devices.patchStatus(uid, mergePatch({ spec: { model: 'x' } }));

  // Fields named like members that every object inherits may be left out.
  await client.objects.create({ spec: { valueOf: 1 } });
  await client.objects.patch(uid, mergePatch({ spec: { length: 3 } }));
  await client.objects.patch(uid, mergePatch({ spec: { toString: 'a', valueOf: 2, hasOwnProperty: null } }));
  // @ts-expect-error toString is a string
  await client.objects.create({ spec: { toString: 1, valueOf: 1 } });
  // @ts-expect-error valueOf is a number
  await client.objects.patch(uid, mergePatch({ spec: { valueOf: 'a' } }));

  await client.devices.update(uid, ({ metadata, spec }) => {
    metadata.labels = { env: 'test' };
    // @ts-expect-error location is a string
    spec.location = 1;
  });
  await client.devices.updateStatus(uid, (status) => {
    status.ready = true;
  });
  // Options that are not always there.
  await client.devices.get(uid, { signal, timeoutMs: undefined, headers: undefined, cached: undefined });
  await client.devices.list({ labelSelector: undefined, labels: undefined }, { signal });
  await client.devices.delete(uid, { dryRun: undefined });
  client.events({ signal, version: undefined, kinds: undefined, lastEventId: client.events().position });

  const [snapshot] = await client.devices.versions.list(uid);
  const location: string | undefined = snapshot?.spec.location;
  // @ts-expect-error products keep no history
  client.products.versions;

  const other = await client.apis['shop.example.dev'].v1['shop-devices'].get(uid);
  const serial: string = other.spec.serial;
  // @ts-expect-error a device of the other group
  const same: typeof device = other;
  // @ts-expect-error no such version
  client.apis['shop.example.dev'].v2;

  for await (const { data } of client.events({ kinds: ['Book'], lastEventId: '0' })) {
    if (data.resourceKind === 'Book') console.log(data.resource.spec.title);
    // @ts-expect-error only books have titles
    console.log(data.resource.spec.title);
  }
  for await (const { data } of client.events({ version: 'shop.example.dev/v1beta1' })) {
    const name: 'Product' = data.resourceKind;
    console.log(name, data.resource.apiVersion);
  }
  // @ts-expect-error nothing has this version
  client.events({ version: 'v9' });
  const kind: ServiceEvent['data']['resourceKind'] = 'Hostile';
  console.log(phase, ready, color, nickname, location, serial, same, kind);
}

export const client: Client = createClient({
  baseUrl: '',
  token: undefined,
  fetch: (url, init) => fetch(url, { ...init, credentials: 'include' }),
  headers: async () => ({ Authorization: 'x' }),
});
createClient({ baseUrl: '', fetch });
`;

test('its types let through what is right, and nothing that is wrong', () => {
  writeFileSync(USAGE, USES);
  expect(problems(compile(USAGE))).toEqual([]);
});

const USES_OF_FIELDS = `
import { fieldSelector, type Client } from './src/generated/client';

export async function use({ parts, persons, suppliers, drawings, apis, events }: Client): Promise<void> {
  const found = await parts.list({
    where: {
      'spec.price': { gte: 10, lt: 20 },
      'spec.level': { in: ['low', 'high'] },
      'spec.tags': 'red',
      'spec.size.width': { exists: false },
      'status.ready': true,
      'metadata.name': { ne: 'lamp' },
    },
    sort: '-spec.price,-metadata.createdAt',
    expand: ['spec.supplier', 'spec.related'],
  });
  const country: string | undefined = found[0]?.expanded['spec.supplier']?.spec.country;
  const related: string | undefined = found[0]?.expanded['spec.related']?.[0]?.spec.sku;
  // @ts-expect-error it was not asked for
  found[0]?.expanded['spec.parent'];
  const [plain] = await parts.list();
  // @ts-expect-error nothing was asked for
  plain?.expanded;
  for await (const { spec } of parts.items({ sort: 'metadata.name', limit: 10 })) console.log(spec.sku);
  const one = await parts.get('lamp', { expand: ['spec.parent'] });
  const parent: number | undefined = one.expanded['spec.parent']?.spec.price;

  // @ts-expect-error a price is a number
  await parts.list({ where: { 'spec.price': 'cheap' } });
  // @ts-expect-error there is no such level
  await parts.list({ where: { 'spec.level': { in: ['middle'] } } });
  // @ts-expect-error a note is not selectable
  await parts.list({ where: { 'spec.note': 'x' } });
  // @ts-expect-error lists do not sort
  await parts.list({ sort: 'spec.tags' });
  // @ts-expect-error that is the order of creation
  await parts.list({ sort: 'metadata.createdAt,-metadata.createdAt' });
  // @ts-expect-error a note is no reference
  await parts.list({ expand: ['spec.note'] });
  // @ts-expect-error persons have no selectable fields
  await persons.list({ where: {} });
  // @ts-expect-error persons have no selectable fields
  await persons.list({ sort: 'metadata.name' });
  // @ts-expect-error drawings have no references
  await drawings.list({ expand: ['spec.file'] });
  await drawings.list({ where: { 'status.viewed': { lt: '2026-01-01T00:00:00Z' } } });

  // The words of the version.
  const { v1beta1 } = apis['parts.example.dev'];
  const [old] = await v1beta1.parts.list({ where: { 'spec.level': 1, 'spec.cost': { gt: 1 } }, expand: ['spec.vendor'] });
  const vendor: string | undefined = old?.expanded['spec.vendor']?.apiVersion;
  // @ts-expect-error that is the price in v1
  await v1beta1.parts.list({ sort: 'spec.price' });
  await suppliers.list({ fieldSelector: fieldSelector({ 'spec.country': 'de' }) });
  events({ kinds: ['Part'], fieldSelector: 'spec.price>10' });
  console.log(country, related, parent, vendor);
}
`;

test('its types know the fields that requests can name', () => {
  const usage = join(PARTS, 'usage.ts');
  writeFileSync(usage, USES_OF_FIELDS);
  expect(problems(compile(usage))).toEqual([]);
});
