import type { Browser, Locator, Page } from 'playwright-core';
import type { Resource } from '../../templates/runtime/model/resource';
import type { TestService } from '../runtime/support/harness';
import { open, startBrowser } from './browser';
import { created, execute, operation, responseOf } from './docs-page';
import { startProject } from './service';

// Requests of the page at `/docs`, as a reader of the page sends them.

let browser: Browser;
let service: TestService;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startProject('examples/device-service');
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

const PATCHES: [type: string, body: (place: string) => object][] = [
  ['application/merge-patch+json', (place) => ({ spec: { [place]: 'attic' } })],
  ['application/json-patch+json', (place) => [{ op: 'replace', path: `/spec/${place}`, value: 'attic' }]],
  ['application/shorthand-patch+json', (place) => ({ [`spec.${place}`]: 'attic' })],
];

/** The definition that is chosen, and the operation in it. */
const PLACES: [definition: string, tag: string, id: string, place: string][] = [
  ['example.svc.dev/v1', 'Device_v1', 'patchDeviceV1', 'location'],
  ['example.svc.dev/v2beta1', 'Device_v2beta1', 'patchDeviceV2beta1', 'site'],
  ['all versions', 'Device', 'patchDevice', 'location'],
  ['all versions', 'Device_v2beta1', 'patchDeviceV2beta1', 'site'],
];

describe.each(PLACES)('in %s, %s %s', (definition, tag, id, place) => {
  let page: Page;
  let complaints: string[];
  let patch: Locator;
  beforeAll(async () => {
    ({ page, complaints } = await open(browser, `${service.url}/docs`));
    await page.getByLabel('Select a definition').selectOption(definition);
    patch = await operation(page, tag, id);
    await patch.getByRole('button', { name: 'Try it out' }).click();
  });
  afterAll(() => page.context().close());

  test.each(PATCHES)('tried out with %s', async (type, body) => {
    const uid = await created(service);
    await patch.getByPlaceholder('uid', { exact: true }).fill(uid);
    await patch.getByLabel('Request content type').selectOption(type);
    await patch.locator('textarea').fill(JSON.stringify(body(place)));
    await execute(patch);
    expect(await responseOf(patch)).toEqual({
      status: '200',
      text: expect.stringContaining(`"${place}": "attic"`) as string,
    });
    const stored = (await (await fetch(`${service.url}/devices/${uid}`)).json()) as Resource;
    expect(stored.spec['location']).toBe('attic');
    expect(complaints).toEqual([]);
    await patch.getByRole('button', { name: 'Clear' }).click();
  });
});

test('a refusal is shown', async () => {
  const { page } = await open(browser, `${service.url}/docs`);
  await page.getByLabel('Select a definition').selectOption('example.svc.dev/v1');
  const create = await operation(page, 'Device_v1', 'createDeviceV1');
  await create.getByRole('button', { name: 'Try it out' }).click();
  await create.locator('textarea').fill('{"spec":{"name":"lamp"}}');
  await execute(create);
  expect(await responseOf(create)).toEqual({
    status: '400',
    text: expect.stringContaining('#/spec/location') as string,
  });
});
