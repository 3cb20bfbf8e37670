import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addVersion } from '../../../src/edit/scaffold';
import { type LoadedProject, loadProject } from '../../../src/load/load-project';
import { QUICK, until } from '../events/devices';
import { openStream } from '../events/sse';
import { create, MERGE, send } from '../support/client';
import { startService, type TestService } from '../support/harness';

// Reads that began under an earlier storage version, by fields of the same path in another unit.

const load = (text: string): LoadedProject => loadProject('.', text);
const BEFORE = `
name: moving
events: true
groups:
  - storageVersion: v1
    versions: [v1, v2]
    kinds:
      - name: Thing
        versions:
          v1: { spec: { size: { type: integer, selectable: true } } }
          v2:
            spec: { size: integer }
            conversion: [{ scale: { hub: spec.size, spoke: spec.size, factor: 1000 } }]
`;
const AFTER = addVersion(BEFORE, { name: 'v2', storage: true }, load);

let folder: string;
let service: TestService;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'moved-events-'))));
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

async function start(text: string): Promise<void> {
  const environment = { ...QUICK, DATABASE_URL: `sqlite:${folder}/store.db` };
  service = await startService(load(text).project, { environment });
}

/** The names and attributes of the events that a version selects. */
async function reported(version: string, fieldSelector: string): Promise<string[]> {
  const query = { kind: 'Thing', lastEventId: '0', version, fieldSelector };
  const stream = await openStream(service.port, `/events?${new URLSearchParams(query).toString()}`);
  await until(() => stream.received.some(({ event }) => event.data.resourceName === 'end'));
  stream.close();
  return stream.received.map(({ event }) => `${event.data.resourceName} ${event.selection ?? ''}`.trim());
}

test('an event shows that its resource left the selection, whichever version was the storage version', async () => {
  await start(BEFORE);
  const { path } = await create(service.port, '/things', { size: 5000 }, { name: 'a' });
  await send(service.port, 'PATCH', path, { headers: MERGE, body: { spec: { size: 9000 } } });
  await create(service.port, '/things', { size: 5000 }, { name: 'end' });
  const want = ['a', 'a left', 'end'];
  for (const text of [BEFORE, AFTER]) {
    await service.close();
    await start(text);
    expect(await reported('v1', 'spec.size=5000')).toEqual(want);
    expect(await reported('v2', 'spec.size=5')).toEqual(want);
  }
});

/** Returns the target of the link to the next page. */
async function nextPage(path: string): Promise<string> {
  const { headers } = await send(service.port, 'GET', path);
  return /<([^>]*)>; rel="next"/.exec(String(headers['link']))![1];
}

test('the next page of a list that began before', async () => {
  await start(BEFORE);
  for (const size of [2000, 1000, 3000]) await create(service.port, '/things', { size });
  const query = 'fieldSelector=spec.size>0&sort=-spec.size&limit=1';
  const next = await Promise.all(
    ['v1', 'v2'].map((version) => nextPage(`/apis/example.svc.dev/${version}/things?${query}`)),
  );
  await service.close();
  await start(AFTER);
  const pages = await Promise.all(next.map((path) => send(service.port, 'GET', path)));
  expect(pages.map(({ status, text }) => [status, /"spec":{"size":(\d+)}/.exec(text)?.[1]])).toEqual([
    [200, '2000'],
    [200, '2'],
  ]);
});

test('a list that began while the field that sorts it had another type cannot go on', async () => {
  await start(BEFORE);
  for (const size of [2000, 1000, 3000]) await create(service.port, '/things', { size });
  const next = await nextPage('/things?sort=spec.size&limit=1');
  await service.close();
  await start(
    BEFORE.replace('{ size: { type: integer', '{ size: { type: boolean').replace(
      /spec: { size: integer }[^]*$/,
      'spec: { size: boolean }',
    ),
  );
  const { status, text } = await send(service.port, 'GET', next);
  expect([status, text]).toEqual([400, expect.stringContaining('is not a cursor of this list')]);
});
