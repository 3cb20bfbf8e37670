import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { loadProject } from '../../src/load/load-project';
import { documentOf } from '../openapi/document-of';
import { startService, type TestService } from '../runtime/support/harness';
import { accessibilityFailures, LOOKS, open, PICTURES, sideways, startBrowser, TWO_LOOKS } from './browser';
import { created, execute, operation, responseOf } from './docs-page';
import { startProject } from './service';

// The page at `/docs`, in Chromium: Swagger UI with nothing but what the service serves.

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

/** Rules that Swagger UI itself breaks are left out. */
const RULES = [
  'color-contrast',
  'document-title',
  'html-has-lang',
  'image-alt',
  'button-name',
  'link-name',
  'meta-viewport',
];

test.each(TWO_LOOKS.map((look) => [look.name, look] as const))('%s', async (name, look) => {
  const { page, complaints } = await open(browser, `${service.url}/docs`, look);
  await page.locator('.opblock-tag').first().waitFor();
  const expectGoodLooks = async (what: string): Promise<void> => {
    await page.screenshot({ path: join(PICTURES, `docs ${name} ${what}.png`), fullPage: true });
    expect(await accessibilityFailures(page, RULES)).toEqual({});
    expect(await sideways(page)).toBe(0);
  };
  await page.getByRole('combobox', { name: 'Select a definition' }).waitFor();
  await expectGoodLooks('closed');

  const uid = await created(service);
  const list = await operation(page, 'Device_v1', 'listDevicesV1');
  await execute(list);
  expect(await responseOf(list)).toEqual({ status: '200', text: expect.stringContaining(uid) as string });
  await expectGoodLooks('list');

  const patch = await operation(page, 'Device_v1', 'patchDeviceV1');
  await expectGoodLooks('patch');
  await patch.getByRole('tab', { name: 'Schema', exact: true }).first().click();
  await page.locator('.models-control').click();
  // WebKit's own buttons are too dark for their texts.
  const background = await page.evaluate(
    "getComputedStyle(document.querySelector('button.json-schema-2020-12-accordion')).backgroundColor",
  );
  expect(background).toBe('rgba(0, 0, 0, 0)');
  await expectGoodLooks('schemas');
  expect(complaints).toEqual([]);
});

test('the storage version comes first, where each operation stands once', async () => {
  const { page } = await open(browser, `${service.url}/docs`);
  await page.locator('.opblock-tag').first().waitFor();
  const definitions = page.getByLabel('Select a definition');
  expect(await definitions.locator('option').allInnerTexts()).toEqual([
    'example.svc.dev/v1',
    'example.svc.dev/v2beta1',
    'all versions',
  ]);
  expect(await page.locator('.opblock-tag').count()).toBe(2);
  await page.locator('.opblock-tag').first().click();
  expect(await page.locator('.opblock').count()).toBe(11);
});

test('a problem takes one line of an opened operation', async () => {
  const { page } = await open(browser, `${service.url}/docs`);
  const create = await operation(page, 'Device_v1', 'createDeviceV1');
  const rows = create.locator('tr.response');
  await rows.first().waitFor();
  const codes = ['201', '400', '403', '406', '412', '413', '415', '422', '500', '503'];
  expect(await rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-code')))).toEqual(codes);
  expect(await rows.locator('.example').count()).toBe(1);
  const [, problem = ''] = await rows.allInnerTexts();
  expect(problem.split(/\s*\n\s*/)).toEqual([
    '400',
    'The request is malformed, or its body breaks field rules.',
  ]);
  expect(await rows.last().innerText()).toContain('Retry-After');
  expect((await create.boundingBox())!.height).toBeLessThan(2_500);
});

test('34 kinds of five versions cost little more than one kind of two', async () => {
  const { project } = loadProject(join(__dirname, '../../examples/device-service'));
  const [group] = project.groups;
  const [device] = group.kinds;
  const versions = ['v3', 'v2', 'v1', 'v2beta1', 'v1beta1'];
  const kinds = Array.from({ length: 34 }, (_, index) => ({
    ...device,
    ...{ name: `Kind${index}`, plural: `kind${index}s`, publicName: `Kind${index}` },
    versions: versions.map((version) => ({ ...device.versions[0], version, conversion: [] })),
  }));
  const large = { ...project, groups: [{ ...group, versions, storageVersion: 'v3', kinds }] };
  const many = await startService(large, { openapi: documentOf(large) });
  const one = await processorTime(service.url);
  expect(await processorTime(many.url)).toBeLessThan(3 * one);
  await many.close();
});

/** The processor time of opening the page and its first POST, in seconds. */
async function processorTime(url: string): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const used = async (): Promise<number> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer');
    return pages.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const { page } = await open(browser, `${url}/docs`);
  const before = await used();
  await page.reload();
  await page.locator('.opblock-tag').first().click();
  const post = page.locator('.opblock-post').first();
  await post.locator('.opblock-summary-control').click();
  await post.locator('.responses-table').waitFor();
  const time = (await used()) - before;
  await page.context().close();
  return time;
}

test('names as long as they may be stay within a phone', async () => {
  const { project } = loadProject(join(__dirname, '../../examples/device-service'));
  const [group] = project.groups;
  const [kind] = group.kinds;
  const name = 'g'.padEnd(63, 'x');
  const long = { ...kind, group: name, name: 'K'.padEnd(63, 'x'), plural: 'k'.padEnd(63, 'x') };
  const named = { ...project, groups: [{ ...group, name, kinds: [long] }] };
  const odd = await startService(named, { openapi: documentOf(named) });
  const { page } = await open(browser, `${odd.url}/docs`, LOOKS[1]);
  const tag = page.locator('.opblock-tag').first();
  await tag.waitFor();
  expect(await sideways(page)).toBe(0);
  await tag.click();
  await page.locator('.opblock-summary-control').nth(1).click();
  await page.getByRole('tab', { name: 'Schema', exact: true }).first().click();
  await page.locator('.json-schema-2020-12__title').first().waitFor();
  expect(await sideways(page)).toBe(0);
  await odd.close();
});

test('without scripts, the page says where the document is, below the name of the service', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.url}/docs`);
  const home = (await page.getByRole('link', { name: 'device-service' }).boundingBox())!;
  const document = (await page.getByRole('link', { name: 'openapi.json' }).boundingBox())!;
  expect(document.y).toBeGreaterThan(home.y + home.height);
  await context.close();
});

test('a refused style or script would be a complaint', async () => {
  const { page, complaints } = await open(browser, `${service.url}/docs`);
  await page.evaluate(
    "document.body.append(Object.assign(document.createElement('img'), { src: 'http://127.0.0.2/x.png' }))",
  );
  while (!/Content Security Policy/.test(complaints.join())) await page.waitForTimeout(20);
});
