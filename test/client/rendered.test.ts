import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { loadProject } from '../../src/load/load-project';
import { render } from '../../src/render/render';

// The client as it is rendered for the fixture with every type: what the compiler says of it, and of code that uses it.

const ROOT = join(__dirname, '..', '..');
const FOLDER = join(ROOT, '.tmp', 'client');
const CLIENT = join(FOLDER, 'src/generated/client/index.ts');
const USAGE = join(FOLDER, 'usage.ts');

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  for (const { path, text } of render(loadProject(join(ROOT, 'fixtures/everything')).project)) {
    mkdirSync(dirname(join(FOLDER, path)), { recursive: true });
    writeFileSync(join(FOLDER, path), text);
  }
});

/** A program as a browser's project would compile it: nothing of Node is declared. */
function compile(root: string): ts.Program {
  return ts.createProgram([root], {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
    types: [],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    isolatedModules: true,
    strict: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    exactOptionalPropertyTypes: false,
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

export async function use(client: Client, uid: string): Promise<void> {
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
  await client.devices.patch(uid, shorthand({ 'spec.model': 'x' }), { ifMatch: etagOf(device) });
  await client.devices.patch(uid, jsonPatch([{ op: 'move', from: '/spec/model', path: '/spec/name' }]));
  // @ts-expect-error a value is missing
  await client.devices.patch(uid, jsonPatch([{ op: 'add', path: '/spec/model' }]));
  await client.devices.patchStatus(uid, mergePatch({ status: { phase: 'Ready' } }));
  // @ts-expect-error the spec is not changed here
  await client.devices.patchStatus(uid, mergePatch({ spec: { model: 'x' } }));

  await client.devices.update(uid, ({ metadata, spec }) => {
    metadata.labels = { env: 'test' };
    // @ts-expect-error location is a string
    spec.location = 1;
  });
  await client.devices.updateStatus(uid, (status) => {
    status.ready = true;
  });
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

export const client: Client = createClient({ baseUrl: '', fetch, headers: async () => ({ Authorization: 'x' }) });
`;

test('its types let through what is right, and nothing that is wrong', () => {
  writeFileSync(USAGE, USES);
  expect(problems(compile(USAGE))).toEqual([]);
});
