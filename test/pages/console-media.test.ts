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
