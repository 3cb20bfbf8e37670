import type { Browser, Page } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import { open, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// Pages of resources that are opened by name, where names are unique.

let browser: Browser;
let service: TestService;
let client: Api;
let page: Page;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startConsole(consoleProject('fixtures/parts'));
  client = api(service);
  const contact = await client.create('persons', { spec: { name: 'Ann' } });
  await client.create('suppliers', { metadata: { name: 'acme' }, spec: { country: 'de', contact } });
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser.close();
  await service.close();
});

const part = (name: string, sku: string): Promise<string> =>
  client.create('parts', { metadata: { name }, spec: { sku, price: 1, supplier: 'acme' } });

/** Opens a part by its name, and waits until it follows the changes. */
async function openPart(name: string, parameters = ''): Promise<void> {
  ({ page } = await open(browser, `${service.url}/console#/parts/${name}${parameters}`));
  await page.locator('.stream.live').waitFor();
}

const shows = (text: string): Promise<void> =>
  page.locator('.overview').getByText(text, { exact: true }).waitFor();

test('a page by name follows the changes of its resource, its name included, and of no other one', async () => {
  const uid = await part('bolt', 'b1');
  const other = await part('nut', 'n1');
  await openPart('bolt');
  await client.merge('parts', other, { spec: { note: 'of the nut' } });
  await client.merge('parts', uid, { spec: { note: 'of the bolt' } });
  await shows('of the bolt');
  await client.merge('parts', uid, { metadata: { name: 'screw' } });
  await page.getByRole('heading', { name: 'screw' }).waitFor();
  await client.merge('parts', uid, { spec: { note: 'of the screw' } });
  await shows('of the screw');
});

test('a resource may be called new', async () => {
  await part('new', 'n2');
  await openPart('new');
  await page.getByRole('heading', { name: 'new', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Copy…' }).click();
  await page.getByRole('heading', { name: 'New Part' }).waitFor();
});

test('the URL of a page by name gets the new name, and nothing that is being edited is lost', async () => {
  const uid = await part('gear', 'g1');
  await openPart('gear', '?tab=edit');
  await page.getByLabel('note').fill('mine');
  await page.getByText('The service accepts this.').waitFor();
  await client.merge('parts', uid, { metadata: { name: 'wheel' } });
  await page.getByRole('heading', { name: 'wheel' }).waitFor();
  expect(new URL(page.url()).hash).toBe('#/parts/wheel?tab=edit');
  expect(await page.getByLabel('note').inputValue()).toBe('mine');
  await page.reload();
  expect(await page.getByLabel('note').inputValue()).toBe('mine');
  await page.getByRole('link', { name: 'Overview' }).click();
  await shows('g1');
  expect(new URL(page.url()).hash).toBe('#/parts/wheel');
});

test('"Go to" finds resources by their names', async () => {
  const uid = await part('wrench', 'y1');
  ({ page } = await open(browser, `${service.url}/console`));
  await page.getByRole('heading', { name: 'Kinds' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.type('wrench');
  await page.getByRole('option', { name: `wrench Part · ${uid}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'wrench' }).waitFor();
  expect(new URL(page.url()).hash).toBe(`#/parts/${uid}`);
  await page.keyboard.press('g');
  await page.keyboard.type('nobody');
  await page.getByText('Nothing has this name').waitFor();
});

test('a page by name tells what somebody else has changed meanwhile', async () => {
  const uid = await part('cog', 'c1');
  await openPart('cog', '?tab=edit');
  await page.getByLabel('note').fill('mine');
  // After this check of its own, only the events tell of other changes.
  await page.getByText('The service accepts this.').waitFor();
  await client.merge('parts', uid, { spec: { note: 'theirs' } });
  await page.getByText('Somebody else has changed this resource since you began.').waitFor();
});

test('a page by name tells that its resource has been deleted, and shows its successor when it is read again', async () => {
  const uid = await part('pin', 'p1');
  await openPart('pin');
  await client.remove('parts', uid);
  const banner = page.getByText('This resource has been deleted.');
  await banner.waitFor();
  const successor = await part('pin', 'p2');
  expect(await banner.count()).toBe(1);
  await page.getByRole('button', { name: 'Reload' }).click();
  await shows('p2');
  expect(await banner.count()).toBe(0);
  await client.merge('parts', successor, { spec: { note: 'the second' } });
  await shows('the second');
});

test('a deletion that references forbid names what refers to the resource, with a link', async () => {
  const uid = await part('washer', 'w1');
  ({ page } = await open(browser, `${service.url}/console#/suppliers/acme`));
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('link', { name: 'washer' }).click();
  await page.getByRole('heading', { name: 'washer' }).waitFor();
  expect(page.url()).toContain(`#/parts/${uid}`);
  await page.goto(`${service.url}/console#/suppliers`);
  await page.getByLabel('Select acme').check();
  await page.getByRole('button', { name: 'Delete…' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete: 1 of 1 failed' }).waitFor();
  await dialog.getByRole('link', { name: 'washer' }).click();
  await page.getByRole('heading', { name: 'washer' }).waitFor();
});
