import type { Browser, Page } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import { open, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// Pages follow the changes: those made before their stream begins, and several with the same time.

let browser: Browser;
let service: TestService;
let client: Api;
let page: Page;
let uid: string;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());
beforeEach(async () => {
  service = await startConsole(consoleProject('fixtures/parts'));
  // The clock stands still.
  service.service.now = () => 1_700_000_000_000;
  client = api(service);
  uid = await client.create('persons', { spec: { name: 'Ann' } });
  // A page without a stream of its own.
  ({ page } = await open(browser, `${service.url}/`));
});
afterEach(async () => {
  await page.context().close();
  await service.close();
});

const live = (): Promise<void> => page.locator('.stream.live').waitFor();

/** Opens a page whose stream begins after `change`. */
async function openBefore(link: string, change: () => Promise<unknown>): Promise<void> {
  await page.route(
    '**/events*',
    async (route) => {
      await change();
      await route.continue();
    },
    { times: 1 },
  );
  await page.goto(`${service.url}/console#/${link}`);
  await live();
}

test('a list shows what has changed before its stream begins', async () => {
  await openBefore('persons', async () => {
    await client.create('persons', { metadata: { name: 'late' }, spec: { name: 'Bob' } });
  });
  await page.getByRole('link', { name: 'late' }).waitFor();
});

test('a list shows what changes just after it was read again', async () => {
  // Effects run late, as on a busy machine.
  await page.addInitScript(`
    window.requestAnimationFrame = (run) => setTimeout(run, 300);
    // The browser's own would cancel a frame of Playwright with the same number, whose click would wait for ever.
    window.cancelAnimationFrame = clearTimeout;`);
  await page.goto(`${service.url}/console#/persons`);
  await live();
  const read = page.waitForResponse(/persons\?limit/);
  await page.getByRole('button', { name: 'Reload' }).click();
  await read;
  await client.merge('persons', uid, { metadata: { labels: { team: 'red' } } });
  await page.getByText('team=red', { exact: true }).waitFor();
  await page.waitForTimeout(500);
  expect(await page.getByText('team=red', { exact: true }).count()).toBe(1);
});

test('a resource shows what has changed before its stream begins', async () => {
  await openBefore(`persons/${uid}`, () => client.merge('persons', uid, { spec: { name: 'Eve' } }));
  await page.getByRole('region', { name: 'Spec' }).getByText('Eve', { exact: true }).waitFor();
});

test('a page whose stream is lost does not say that it is live', async () => {
  let end = (): void => undefined;
  const ending = await startConsole(consoleProject('fixtures/parts'), {
    middleware: (app) =>
      app.use((req, res, next) => {
        if (req.path === '/events') end = () => void res.destroy();
        next();
      }),
  });
  await page.goto(`${ending.url}/console#/persons`);
  await live();
  await page.route('**/events*', (route) => route.abort());
  end();
  await page.getByText('Connecting', { exact: true }).waitFor();
  await page.unroute('**/events*');
  await live();
  await ending.close();
});

test('hidden tabs leave the connections to others, and show what they have missed', async () => {
  const show = (tab: Page, hidden: boolean): Promise<void> =>
    tab.evaluate(`Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));`);
  const tabs: Page[] = [];
  // Chromium has six connections to a service.
  for (let count = 0; count < 8; count++) {
    const tab = await page.context().newPage();
    await tab.goto(`${service.url}/console#/persons/${uid}`);
    await tab.locator('.stream.live').waitFor();
    await show(tab, true);
    await tab.getByText('Connecting', { exact: true }).waitFor();
    tabs.push(tab);
  }
  await client.merge('persons', uid, { spec: { name: 'Eve' } });
  await show(tabs[0], false);
  await tabs[0].getByRole('region', { name: 'Spec' }).getByText('Eve', { exact: true }).waitFor();
});

test('changes with the same time are shown, and are not deleted unseen', async () => {
  await page.goto(`${service.url}/console#/persons`);
  await live();
  for (const team of ['red', 'blue']) {
    await client.merge('persons', uid, { metadata: { labels: { team } } });
    await page.getByText(`team=${team}`, { exact: true }).waitFor();
  }
  await page.route('**/events*', (route) => route.abort());
  await page.reload();
  await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
  await client.merge('persons', uid, { metadata: { labels: { team: 'green' } } });
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page.getByText(/changed since the list was read/).waitFor();
});
