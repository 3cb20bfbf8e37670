import type { Browser, Page } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import { accessibilityFailures, open, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// Lists by fields: selectors with completion, orders, and the changes of what they select.

let browser: Browser;
let service: TestService;
let client: Api;
let page: Page;
let uids: string[];
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());
beforeEach(async () => {
  service = await startConsole(consoleProject('fixtures/parts'));
  client = api(service);
  const contact = await client.create('persons', { spec: { name: 'Ann' } });
  await client.create('suppliers', { metadata: { name: 'acme' }, spec: { country: 'de', contact } });
  uids = [];
  for (const [name, price, tier] of [
    ['bolt', 3, 'db'],
    ['nut', 1, 'web'],
    ['a, (b) c', 2, 'web'],
  ] as const)
    uids.push(
      await client.create('parts', {
        metadata: { name: `part-${price}`, labels: { tier, env: 'prod' } },
        spec: { sku: name, price, supplier: 'acme' },
      }),
    );
});
afterEach(async () => {
  await page.context().close();
  await service.close();
});

async function openList(query = ''): Promise<void> {
  ({ page } = await open(browser, `${service.url}/console#/parts${query}`));
  await page.locator('.stream.live').waitFor();
}

const names = (): Promise<string[]> => page.locator('tbody th').allTextContents();

/** Waits until the list has exactly these lines. */
async function listed(...expected: string[]): Promise<void> {
  for (const [index, name] of expected.entries())
    await page.locator('tbody th').nth(index).getByText(name, { exact: true }).waitFor();
  expect(await names()).toEqual(expected);
}

test('selectors are completed with the keyboard', async () => {
  await openList();
  await page.keyboard.press('/');
  await page.keyboard.type('ti');
  await page.getByRole('option', { name: 'tier' }).waitFor();
  expect(await accessibilityFailures(page)).toEqual({});
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  const options = page.getByRole('listbox').getByRole('option');
  expect(await options.allTextContents()).toEqual(['db ', 'web ']);
  for (const key of ['ArrowUp', 'Enter', 'Enter']) await page.keyboard.press(key);
  await listed('part-1', 'part-2');

  const fields = page.getByLabel('Field selector');
  await fields.pressSequentially('spec.sku=a');
  await page.getByRole('option', { name: 'a\\,\\ \\(b\\)\\ c' }).click();
  await page.keyboard.press('Enter');
  await listed('part-2');
  expect(new URLSearchParams(page.url().split('?')[1])).toEqual(
    new URLSearchParams({ labelSelector: 'tier=web', fieldSelector: 'spec.sku=a\\,\\ \\(b\\)\\ c' }),
  );
});

test('a list is sorted by its heads, or by a field without a column', async () => {
  await openList();
  await page.getByRole('button', { name: 'Name' }).click();
  await listed('part-1', 'part-2', 'part-3');
  expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('ascending');
  await page.getByRole('button', { name: 'Name' }).click();
  await listed('part-3', 'part-2', 'part-1');
  await page.getByLabel('Order').selectOption('spec.sku');
  await listed('part-2', 'part-3', 'part-1');
  await page.getByLabel('Order').selectOption('');
  await listed('part-3', 'part-1', 'part-2');
});

test('a line stays when its resource leaves the selection, or another place in the order', async () => {
  await openList('?sort=spec.price&fieldSelector=spec.price%3C3');
  expect(await names()).toEqual(['part-1', 'part-2']);
  await client.merge('parts', uids[1], { spec: { price: 9 } });
  await page.getByText('no longer selected').waitFor();
  await client.merge('parts', uids[2], { spec: { price: 0 } });
  await page.locator('tr.changed').waitFor();
  await client.create('parts', { metadata: { name: 'new' }, spec: { sku: 'x', price: 1, supplier: 'acme' } });
  await page.getByText('One new resource is not on this page').waitFor();
  expect(await names()).toEqual(['part-1 no longer selected', 'part-2']);
  await page.getByRole('button', { name: 'Read the page again' }).click();
  await listed('part-2', 'new');
});

test('a wrong field selector is explained', async () => {
  ({ page } = await open(browser, `${service.url}/console#/parts?fieldSelector=spec.skuu%3Dx`));
  await page.getByRole('alert').getByText('Did you mean spec.sku?').waitFor();
});

test('kinds show what was changed last, and what changes', async () => {
  ({ page } = await open(browser, `${service.url}/console`));
  const part = page.getByRole('row', { name: 'Part' });
  await part.getByRole('link', { name: 'part-2' }).waitFor();
  await page.locator('.stream.live').waitFor();
  await client.merge('parts', uids[0], { spec: { price: 9 } });
  await part.getByRole('link', { name: 'part-3' }).waitFor();
  await client.remove('parts', uids[1]);
  await part.getByText('2', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Part', exact: true }).first().click();
  await page.locator('table.list').waitFor();
  await client.merge('parts', uids[2], { spec: { price: 7 } });
  await page.goBack();
  const changes = page.getByRole('region', { name: 'Changes' });
  await changes.getByRole('listitem').nth(2).waitFor();
  expect(await changes.locator('.name').allTextContents()).toEqual(['part-2', 'part-1', 'part-3']);
});
