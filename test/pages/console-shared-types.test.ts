import type { Browser, Page } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import { open, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// A kind whose fields have shared types, with keys of maps that are no names of fields.

let browser: Browser;
let service: TestService;
let client: Api;
let page: Page;
let uid: string;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startConsole(consoleProject('fixtures/conversion/file-tree'));
  client = api(service);
});
beforeEach(async () => {
  const links = { '': { name: 'x', bytes: 1 }, 'a.b': { name: 'y', bytes: 2048 } };
  const root = { name: 'r', bytes: 1024, links };
  uid = await client.create('volumes', { spec: { root, snapshots: [{ name: 's' }] } });
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser.close();
  await service.close();
});

async function openTab(tab: string): Promise<void> {
  ({ page } = await open(browser, `${service.url}/console#/volumes/${uid}?tab=${tab}`));
}

test('the rules of a shared type are in the rows of the fields that have it', async () => {
  await openTab('versions');
  const rows = page.locator('table.versions > tbody > tr');
  await rows.first().waitFor();
  expect(await rows.locator('td:first-child .path').allTextContents()).toEqual([
    'spec.root',
    'spec.snapshots',
  ]);
  for (const text of await rows.allTextContents()) expect(text).toMatch(/Entry\.bytes ↔ Node\.kib.*÷ 1024/);
});

test('a key without characters is named, and one with a dot is in quotes where it is part of a path', async () => {
  await openTab('overview');
  await page.locator('dt').getByText('empty key', { exact: true }).waitFor();
  await page.goto(`${service.url}/console#/volumes/${uid}?tab=edit`);
  await page.getByLabel('bytes', { exact: true }).first().fill('3');
  for (const key of ['', 'a.b'])
    await client.merge('volumes', uid, { spec: { root: { links: { [key]: { bytes: 7 } } } } });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const legends = page.locator('fieldset.conflict legend code');
  await legends.first().waitFor();
  expect((await legends.allTextContents()).sort()).toEqual([
    'spec.root.bytes',
    'spec.root.links[""].bytes',
    'spec.root.links["a.b"].bytes',
  ]);
});
