import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { loadProject } from '../../src/load/load-project';
import { setActor } from '../../templates/runtime/http/security/actor';
import { documentOf } from '../openapi/document-of';
import { startService, type TestService } from '../runtime/support/harness';
import { accessibilityFailures, open, startBrowser } from './browser';

// A service that asks for credentials: Authorize of `/docs`, under the policy of the page.

let browser: Browser;
let service: TestService;
beforeAll(async () => {
  browser = await startBrowser();
  const { project } = loadProject(join(__dirname, '../../examples/device-service'));
  const secured = {
    ...project,
    security: [{ type: 'bearer' } as const, { type: 'apiKey', header: 'X-API-Key' } as const],
  };
  service = await startService(secured, {
    openapi: documentOf(secured),
    middleware: (app) =>
      app.use((req, _res, next) => {
        if (req.headers.authorization === 'Bearer secret') setActor(req, 'ann');
        if (req.headers['x-api-key'] === 'key') setActor(req, 'robot');
        next();
      }),
  });
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

test.each([
  ['bearer', 'secret'],
  ['X-API-Key', 'key'],
])('Authorize takes %s', async (scheme, value) => {
  const { page, complaints } = await open(browser, `${service.url}/docs`);
  await page.locator('.opblock-tag').first().click();
  await page.locator('#operations-Device_v1-listDevicesV1 .opblock-summary-control').click();
  expect(await answer(page)).toBe('401');
  expect(complaints.splice(0)).toEqual([expect.stringContaining('401 (Unauthorized)')]);

  await page.getByRole('button', { name: 'Authorize', exact: true }).click();
  const form = page.locator('.auth-container', { hasText: scheme });
  await form.locator('input').fill(value);
  expect(await accessibilityFailures(page, ['color-contrast', 'label'])).toEqual({});
  await form.getByRole('button', { name: 'Apply credentials' }).click();
  await form.getByRole('button', { name: 'Remove authorization' }).waitFor();
  await page.locator('.auth-btn-wrapper .btn-done').first().click();
  expect(await answer(page)).toBe('200');
  expect(complaints).toEqual([]);
});

/** Sends the request of the operation that is open; returns the status that the page shows. */
async function answer(page: Page): Promise<string> {
  const block = page.locator('.opblock.is-open');
  const start = block.getByRole('button', { name: 'Try it out' });
  const execute = block.getByRole('button', { name: 'Execute' });
  await start.or(execute).waitFor();
  if (await start.isVisible()) await start.click();
  const [response] = await Promise.all([page.waitForResponse(/\/devices/), execute.click()]);
  const status = String(response.status());
  await block.locator('.live-responses-table .response-col_status', { hasText: status }).waitFor();
  return status;
}
