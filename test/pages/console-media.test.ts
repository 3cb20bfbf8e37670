import type { Browser, Page } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import { LOOKS, open, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// The console under other conditions than those of a screen with full colours: forced colours, no motion, paper, a
// browser that refuses its storage, and one that does not fit a field to its text.

let browser: Browser;
let service: TestService;
let client: Api;
let uid: string;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startConsole(consoleProject('examples/device-service'));
  client = api(service);
});
beforeEach(async () => {
  const spec = { name: 'Sensor', location: 'berlin', model: 'X9\nwith 2 lines' };
  uid = await client.create('devices', { metadata: { name: 'sensor' }, spec });
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser.close();
  await service.close();
});

async function openAt(path: string, look = LOOKS[0]): Promise<void> {
  ({ page } = await open(browser, `${service.url}/console#${path}`, look));
  await page.locator('.stream.live').waitFor();
}

/** Returns a property of each of the elements. */
function styles(selector: string, property: string): Promise<string[]> {
  return page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => getComputedStyle(each)['${property}'])`,
  );
}

test('with forced colours, what is chosen differs from what is not', async () => {
  await openAt(`/devices/${uid}?tab=edit`);
  await page.emulateMedia({ forcedColors: 'active' });
  const [current] = await styles('.tabs a[aria-current]', 'border-bottom-color');
  expect(await styles('.tabs a:not([aria-current])', 'border-bottom-color')).not.toContain(current);
  const [view] = await styles('.views a[aria-current]', 'background-color');
  expect(await styles('.views a:not([aria-current])', 'background-color')).not.toContain(view);
  const enabled = await styles('.head button', 'color');
  expect(enabled).not.toContain((await styles('.save-bar button', 'color'))[1]);
  await page.keyboard.press('g');
  await page.keyboard.press('ArrowDown');
  const isChosen = await page
    .locator('.targets li')
    .evaluateAll((all) => all.map((each) => each.getAttribute('aria-selected') === 'true'));
  const outlines = await styles('.targets li', 'outline-style');
  expect(outlines).toEqual(isChosen.map((chosen) => (chosen ? 'solid' : 'none')));
});

test('without motion, a changed line is marked in a cell, since WebKit draws no shadow of a line', async () => {
  await openAt('/devices');
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await client.merge('devices', uid, { metadata: { labels: { env: 'test' } } });
  await page.locator('tr.changed').waitFor();
  expect((await styles('tr.changed > td:first-child', 'box-shadow'))[0]).toContain('inset');
});

test('on paper, a page has its contents alone, in dark letters', async () => {
  await openAt(`/devices/${uid}`);
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  const [colour] = await styles('body', 'color');
  await page.emulateMedia({ media: 'print' });
  expect((await styles('body', 'color'))[0]).not.toBe(colour);
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await page.getByRole('navigation', { name: 'Pages and kinds' }).isVisible()).toBe(false);
  expect(await page.getByRole('region', { name: 'Spec' }).isVisible()).toBe(true);
});

test('a field has the height of its text in a browser that does not fit it', async () => {
  await openAt(`/devices/${uid}?tab=edit`);
  expect(await page.getByLabel('model').getAttribute('rows')).toBe('2');
});

test('a comparison shows the ends of lines', async () => {
  await client.merge('devices', uid, { spec: { model: 'X9 with 2 lines' } });
  await openAt(`/devices/${uid}?tab=history`);
  await page.locator('table.diff').waitFor();
  expect(await page.locator('td.gone').innerText()).toBe('X9\nwith 2 lines');
  expect(await page.locator('td.come').innerText()).toBe('X9 with 2 lines');
});

test('a browser that refuses its storage shows the console, and says what a reload would lose', async () => {
  ({ page } = await open(browser, `${service.url}/`));
  // As Firefox does where a user blocks all cookies.
  await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('', 'SecurityError'); } });`);
  await page.goto(`${service.url}/console#/devices/${uid}?tab=edit`);
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  await page.getByRole('button', { name: 'Use light colours' }).waitFor();
  await page.getByLabel('location').fill('rome');
  await page.getByText('A reload would lose these changes.').waitFor();
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('link', { name: 'Go on editing' }).click();
  expect(await page.getByLabel('location').inputValue()).toBe('rome');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('No changes.').waitFor();
  expect((await client.read('devices', uid)).spec).toMatchObject({ location: 'rome' });
});

test('the age of a change begins with the change', async () => {
  await openAt('/devices?wide=1');
  const row = page.getByRole('row', { name: uid });
  await row.waitFor();
  await client.merge('devices', uid, { metadata: { labels: { env: 'test' } } });
  await row.getByText('env=test').waitFor();
  expect(await row.locator('td.age time').allTextContents()).toEqual([
    expect.stringMatching(/^\d+ s$/),
    expect.stringMatching(/^\d+ s$/),
  ]);
});
