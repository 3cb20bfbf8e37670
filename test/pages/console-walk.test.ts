import type { Browser, Page } from 'playwright-core';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import type { TestService } from '../runtime/support/harness';
import { open, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// A walk through every page of the console, on PostgreSQL; the other tests have SQLite.

describeWithPostgres('PostgreSQL', () => {
  let server: PostgresServer;
  let service: TestService;
  let browser: Browser;
  let client: Api;
  let page: Page;
  beforeAll(async () => {
    server = await postgresServer();
    const environment = { DATABASE_URL: await server.newSchema() };
    service = await startConsole(consoleProject('fixtures/parts'), { environment });
    client = api(service);
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    await server.close();
  });

  const part = (name: string, price: number): Promise<string> =>
    client.create('parts', { metadata: { name }, spec: { sku: name, price, supplier: 'acme' } });
  const press = (name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).last().click();
  const follow = (name: string): Promise<void> =>
    page.getByRole('link', { name, exact: true }).last().click();
  const saved = (): Promise<void> => page.getByText('No changes.').waitFor();

  test('every page works', async () => {
    const contact = await client.create('persons', { spec: { name: 'Ann' } });
    await client.create('suppliers', { metadata: { name: 'acme' }, spec: { country: 'de', contact } });
    const uid = await part('bolt', 3);
    await part('nut', 1);
    ({ page } = await open(browser, `${service.url}/console`));
    await page.getByRole('row', { name: /^Part 2/ }).waitFor();
    await follow('Part');
    await list();
    await edit(uid);
    await versions();
    await restore();
    await copy();
    await watch();
    await remove(uid);
  });

  async function list(): Promise<void> {
    await page.locator('.stream.live').waitFor();
    await page.getByLabel('Order').selectOption('spec.price');
    await page.locator('tbody th').first().getByText('nut').waitFor();
    await page.getByLabel('Field selector').fill('spec.price>2');
    await page.keyboard.press('Enter');
    await page.getByText('1 resource', { exact: true }).waitFor();
    await page.getByLabel('Select bolt').check();
    await press('Set label…');
    await page.getByLabel('Label', { exact: true }).fill('shelf');
    await page.getByLabel('Value').fill('s1');
    await press('Set label');
    await page.getByRole('dialog', { name: 'Set shelf=s1?' }).waitFor();
    await press('Set label');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await follow('bolt');
    await page.getByText('shelf=s1').waitFor();
  }

  /** Somebody else changes the same resource meanwhile. */
  async function edit(uid: string): Promise<void> {
    await page.keyboard.press('e');
    await page.getByLabel('note').fill('mine');
    await client.merge('parts', uid, { spec: { note: 'theirs', price: 4 } });
    await press('Compare');
    await page.getByRole('radio', { name: 'Keep mine of spec.note', exact: true }).check();
    await press('Use these values');
    await press('Save');
    await saved();
    expect((await client.read('parts', uid)).spec).toMatchObject({ note: 'mine', price: 4 });
  }

  async function versions(): Promise<void> {
    await follow('Versions');
    await press('Edit v1beta1');
    await page.getByRole('textbox', { name: 'cost' }).fill('5');
    await press('Save v1beta1');
    await saved();
  }

  async function restore(): Promise<void> {
    await follow('History');
    const entries = page.locator('.timeline li');
    await entries.nth(4).waitFor();
    await entries.nth(4).getByRole('radio').first().check();
    await page.getByRole('group', { name: 'Differences' }).getByText('spec.note').waitFor();
    await entries
      .nth(4)
      .getByRole('button', { name: /^Restore/ })
      .click();
    await page.getByRole('dialog').getByText('spec.price').waitFor();
    await press('Restore');
    await entries.nth(5).waitFor();
    await follow('Overview');
    await page.locator('.fields').getByText('3', { exact: true }).first().waitFor();
  }

  async function copy(): Promise<void> {
    await follow('Copy…');
    await page.getByLabel('sku').fill('screw');
    await press('Create Part');
    await page.getByRole('heading', { name: 'bolt-copy' }).waitFor();
  }

  async function watch(): Promise<void> {
    await page.goto(`${service.url}/console#/-/events?after=0`);
    await page.getByRole('button', { name: 'Open the event of bolt-copy' }).click();
    await page.getByRole('dialog').getByText('"specversion": "1.0"').waitFor();
    await page.keyboard.press('Escape');
    await follow('Service');
    await page.getByRole('region', { name: 'Readiness' }).getByText('ready').waitFor();
  }

  async function remove(uid: string): Promise<void> {
    await page.goto(`${service.url}/console#/parts/${uid}`);
    await press('Delete…');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 resources').waitFor();
  }
});
