import type { Browser } from 'playwright-core';
import { deviceProject } from '../runtime/kubernetes/device-project';
import type { TestService } from '../runtime/support/harness';
import { accessibilityFailures, open, startBrowser } from './browser';
import { startConsole } from './console';
import { api } from './console-api';

let browser: Browser;
let service: TestService;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());
beforeEach(async () => void (service = await startConsole({ ...deviceProject(), console: true })));
afterEach(() => service.close());

test('a deletion that waits for finalizers is shown as one', async () => {
  const finalizers = ['example.dev/cleanup'];
  const metadata = { name: 'lamp', finalizers };
  const uid = await api(service).create('devices', { metadata, spec: { location: 'eu' } });
  const { page } = await open(browser, `${service.url}/console#/devices/${uid}`);
  const card = page.getByRole('region', { name: 'Metadata' });
  await card.getByText('example.dev/cleanup').waitFor();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText('Device lamp waits for its finalizers').waitFor();
  await page.getByRole('row', { name: /lamp/ }).getByText('waits for its finalizers').waitFor();
  expect(await accessibilityFailures(page)).toEqual({});
  await page.getByRole('link', { name: 'lamp' }).click();
  await card.getByText('deletion', { exact: true }).waitFor();
  await page.context().close();
});
