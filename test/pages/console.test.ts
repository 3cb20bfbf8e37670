import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import {
  accessibilityFailures,
  type Look,
  LOOKS,
  open,
  outOfReach,
  PICTURES,
  sideways,
  startBrowser,
  TWO_LOOKS,
} from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// The console in Chromium: its frame, the kinds, the list and the resource.

const EVERYTHING = consoleProject('fixtures/everything', { security: [], nats: false });

/** Widths of phones; the last one is that of the pictures. */
const PHONES = [320, 390, 360];

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

describe('pages', () => {
  let service: TestService;
  let uid: string;
  let product: string;
  beforeAll(async () => {
    service = await startConsole(EVERYTHING);
    const { create, status } = api(service);
    for (const index of [1, 2, 3])
      await create('products', {
        metadata: { name: `lamp-${index}`, labels: { env: index === 1 ? 'test' : 'prod' } },
        spec: { name: `مصباح ${index}`, price: index },
      });
    product = await create('products', { metadata: { name: 'n'.repeat(200) }, spec: { name: 'Lamp' } });
    const annotations = { note: 'Bought in 2024.\nReplaced once.' };
    const device = { name: 'Sensor', location: 'berlin', config: { ['rack-'.repeat(20)]: 'r5' } };
    uid = await create('devices', { metadata: { name: 'sensor', annotations }, spec: device });
    const conditions = [{ type: 'Online', status: 'True', reason: 'Ping', message: 'answers' }];
    await status('devices', uid, { phase: 'Ready', lastSeen: '2026-11-20T10:00:00Z', conditions });
  });
  afterAll(() => service.close());

  const PAGES: [name: string, path: () => string, landmark: string][] = [
    ['kinds', () => '', 'table.kinds'],
    ['list', () => '/products', 'table.list'],
    ['list in another version', () => '/products?version=v1beta1&wide=1', 'table.list'],
    ['empty list', () => '/books', '.empty'],
    ['resource', () => `/devices/${uid}`, '.overview'],
    ['yaml', () => `/devices/${uid}?tab=yaml`, 'pre'],
    ['form', () => `/devices/${uid}?tab=edit`, '.draft-form'],
    ['status', () => `/devices/${uid}?tab=status`, '.draft-form'],
    ['versions', () => `/products/${product}?tab=versions&edit=v1beta1`, 'table.versions'],
    ['create', () => '/trees/-new', '.draft-form'],
    ['history', () => `/devices/${uid}?tab=history`, '.timeline'],
    ['events', () => '/-/events?after=0', 'table.events'],
    ['dead letters', () => '/-/events?tab=dead-letters', '.empty'],
    ['service', () => '/-/service', '.charts'],
    ['missing resource', () => '/devices/dev-0', '.problem'],
    ['missing page', () => '/nothing/at/all', '.empty'],
  ];

  test.each(LOOKS.map((look) => [look.name, look] as const))('%s', async (_, look) => {
    const { page, complaints } = await open(browser, `${service.url}/console`, look);
    for (const [name, path, landmark] of PAGES) {
      await page.goto(`${service.url}/console#${path()}`);
      await page.locator(landmark).first().waitFor();
      await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
      if (TWO_LOOKS.includes(look)) expect([name, await accessibilityFailures(page)]).toEqual([name, {}]);
      for (const width of look.viewport.width < 600 ? PHONES : [look.viewport.width]) {
        await page.setViewportSize({ ...look.viewport, width });
        expect([name, width, await sideways(page), await outOfReach(page)]).toEqual([name, width, 0, []]);
      }
      await page.screenshot({ path: join(PICTURES, `console ${name} ${look.name}.png`), fullPage: true });
    }
    // The missing resource, and only that.
    expect(complaints.filter((each) => !each.includes('dev-0'))).toEqual([expect.stringContaining('404')]);
    await page.context().close();
  });

  test('the first page leads to a list and to a resource, with the keyboard alone', async () => {
    const { page } = await open(browser, `${service.url}/`);
    await page.getByRole('link', { name: 'Console' }).click();
    await page.getByRole('heading', { name: 'Kinds' }).waitFor();
    await page.keyboard.press('g');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.type('produ');
    await page.keyboard.press('Enter');
    await page.locator('table.list').waitFor();
    expect(page.url()).toBe(`${service.url}/console#/products`);
    const focused = (): Promise<string | null> => page.locator(':focus').textContent();
    await page.keyboard.press('/');
    do await page.keyboard.press('Tab');
    while ((await focused()) !== 'lamp-2');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'lamp-2' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.getByRole('dialog', { name: 'Go to' }).waitFor();
    await page.keyboard.type(uid);
    // Two kinds have uids that start like this.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'sensor' }).waitFor();
    await page.context().close();
  });

  test('a dialog that is opened as another closes stays open', async () => {
    const { page } = await open(browser, `${service.url}/console`);
    await page.getByRole('heading', { name: 'Kinds' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    // The event of the first comes in a task of its own.
    await page.evaluate(`document.querySelector('dialog').close();
      window.dispatchEvent(new KeyboardEvent('keydown', { key: 'g' }));
      new Promise((resolve) => setTimeout(resolve, 100))`);
    expect(await page.getByRole('dialog', { name: 'Go to' }).count()).toBe(1);
    await page.context().close();
  });

  test('a narrow window has a menu, and the keyboard alone leads from page to page', async () => {
    const look = { ...LOOKS[0], viewport: { width: 320, height: 640 } };
    const { page } = await open(browser, `${service.url}/console`, look);
    await page.getByRole('heading', { name: 'Kinds' }).waitFor();
    const press = async (name: string): Promise<void> => {
      const named = { name, exact: true };
      const target = page.getByRole('link', named).or(page.getByRole('button', named));
      const isFocused = (): Promise<boolean> =>
        target.evaluateAll((all) => all.some((each) => each === each.ownerDocument.activeElement));
      for (let count = 0; count < 80 && !(await isFocused()); count++) await page.keyboard.press('Tab');
      expect([name, await isFocused()]).toEqual([name, true]);
      await page.keyboard.press('Enter');
    };
    await press('Menu');
    await page.getByRole('dialog', { name: 'Menu' }).waitFor();
    expect(await accessibilityFailures(page)).toEqual({});
    await press('Service');
    await page.getByRole('heading', { name: 'Service' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
    await press('Menu');
    await press('Product');
    await press('lamp-2');
    await page.locator('.overview').waitFor();
    await press('Versions');
    await press('Edit v1');
    await page.getByRole('button', { name: 'Stop editing' }).waitFor();
    await press('Edit');
    await page.locator('.draft-form').waitFor();
    await page.context().close();
  });

  test('the chosen colours stay', async () => {
    const { page } = await open(browser, `${service.url}/console`);
    const colour = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await colour();
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    expect(await colour()).not.toBe(light);
    await page.reload();
    await page.getByRole('button', { name: 'Use light colours' }).waitFor();
    expect(await colour()).not.toBe(light);
    await page.context().close();
  });

  test('shows the resource in each of its versions', async () => {
    const { page } = await open(browser, `${service.url}/console#/products?labelSelector=env%3Dtest`);
    await page.getByRole('link', { name: 'lamp-1' }).click();
    await page.locator('.fields dt', { hasText: 'price' }).waitFor();
    expect(await page.title()).toBe('lamp-1 · Product · everything');
    await page.getByLabel('Version').selectOption('v1beta1');
    await page.locator('.fields dt', { hasText: 'cents' }).waitFor();
    expect(new URL(page.url()).hash).toContain('version=v1beta1');
    await page.getByRole('link', { name: 'JSON' }).click();
    expect(JSON.parse((await page.locator('pre').textContent())!)).toMatchObject({
      apiVersion: 'shop.example.dev/v1beta1',
      spec: { title: 'مصباح 1', cents: 100 },
    });
    await page.context().close();
  });
});

describe('a list', () => {
  let service: TestService;
  let page: Page;
  let client: Api;
  beforeEach(async () => {
    service = await startConsole(consoleProject('examples/device-service'));
    client = api(service);
  });
  afterEach(async () => {
    await page.context().close();
    await service.close();
  });

  async function fill(count: number): Promise<string[]> {
    const uids: string[] = [];
    for (let index = 0; index < count; index++)
      uids.push(
        await client.create('devices', {
          metadata: { name: `book-${index}` },
          spec: { name: 'T', location: 'A' },
        }),
      );
    return uids;
  }

  const names = (): Promise<string[]> => page.locator('tbody th').allTextContents();

  async function openList(path = '/devices', look?: Look): Promise<void> {
    ({ page } = await open(browser, `${service.url}/console#${path}`, look));
    await page.locator('.stream.live').waitFor();
  }

  test('is read page by page, and each page has a URL', async () => {
    await fill(120);
    const limits: (string | null)[] = [];
    await openList();
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      // A dry run asks whether the user may create.
      const isRead = request.method() === 'GET' && pathname.endsWith('/devices');
      if (isRead) limits.push(searchParams.get('limit'));
    });
    expect(await names()).toHaveLength(50);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByRole('link', { name: 'book-50' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('link', { name: 'book-119' }).waitFor();
    expect(await names()).toHaveLength(20);
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await page.reload();
    await page.getByRole('link', { name: 'book-119' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('link', { name: 'book-0' }).waitFor();
    expect(new Set(limits)).toEqual(new Set(['50']));
  });

  test('leads to a resource whose name cannot be seen', async () => {
    const uid = await client.create('devices', {
      metadata: { name: ' ' },
      spec: { name: 'T', location: 'A' },
    });
    await openList();
    await page.getByRole('checkbox', { name: `Select ${uid}` }).waitFor();
    await page.getByRole('link', { name: uid }).click();
    await page.getByRole('heading', { name: uid }).waitFor();
  });

  test('follows changes, and no line moves', async () => {
    const [first, second] = await fill(3);
    await openList('/devices?wide=1');
    await client.merge('devices', second, { metadata: { labels: { shelf: 'a' } } });
    await page.getByText('shelf=a').waitFor();
    await client.remove('devices', first);
    await page.locator('tr.deleted', { hasText: 'book-0' }).waitFor();
    await fill(1);
    await page.locator('tr.new').waitFor();
    expect(await names()).toEqual(['book-0 deleted', 'book-1', 'book-2', 'book-0']);
  });

  test('selects by labels, and explains a wrong selector', async () => {
    const [first, second] = await fill(3);
    await client.merge('devices', first, { metadata: { labels: { shelf: 'a' } } });
    await client.merge('devices', second, { metadata: { labels: { shelf: 'b' } } });
    await openList();
    await page.keyboard.press('/');
    await page.keyboard.type('shelf in (a,b)');
    await page.keyboard.press('Enter');
    await page.getByText('2 resources').waitFor();
    expect(await names()).toEqual(['book-0', 'book-1']);
    await page.getByLabel('Label selector').fill('shelf in (a');
    await page.keyboard.press('Enter');
    const problem = page.getByRole('alert');
    await problem.waitFor();
    expect(await problem.textContent()).toMatch(
      /The service refused the content \(400\).*Request [0-9a-f-]+/,
    );
    await page.getByLabel('Label selector').fill('shelf=c');
    await page.keyboard.press('Enter');
    await page.getByText('No resource is selected').waitFor();
  });

  test('labels what is selected', async () => {
    const uids = await fill(3);
    await openList();
    await page.getByLabel('Select book-0').check();
    await page.getByLabel('Select book-2').check();
    await page.getByRole('button', { name: 'Set label…' }).click();
    await page.getByLabel('Label', { exact: true }).fill('shelf');
    await page.getByLabel('Value').fill('x');
    await page.getByRole('button', { name: 'Set label', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Set shelf=x?' });
    expect(await accessibilityFailures(page)).toEqual({});
    await dialog.getByRole('button', { name: 'Set label' }).click();
    await dialog.waitFor({ state: 'detached' });
    const labels = await Promise.all(
      uids.map(async (uid) => (await client.read('devices', uid)).metadata.labels),
    );
    expect(labels).toEqual([{ shelf: 'x' }, undefined, { shelf: 'x' }]);
  });

  test('reports what a deletion could not delete, whatever keys are pressed meanwhile', async () => {
    await fill(2);
    await openList();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(/devices\/dev-[0-9a-f]+$/, async (route) => {
      if (route.request().method() !== 'DELETE') return route.continue();
      await released;
      await route.fulfill({ status: 503, body: 'busy' });
    });
    await page.getByLabel('Select all of this page').check();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: '0 of 2' }).waitFor();
    for (let count = 0; count < 4; count++) await page.keyboard.press('Escape');
    release();
    await page.getByRole('dialog', { name: 'Delete: 2 of 2 failed' }).waitFor();
  });

  test('deletes what is selected as it was shown, and nothing else', async () => {
    const uids = await fill(3);
    await openList();
    // Without the stream, the page does not learn of the change.
    await page.route('**/events?*', (route) => route.abort());
    await page.reload();
    await page.locator('.stream.broken').waitFor();
    await client.merge('devices', uids[1], { spec: { name: 'New' } });
    await page.getByLabel('Select all of this page').check();
    await page.getByLabel('Select book-2').uncheck();
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 resources?' });
    await dialog.getByRole('button', { name: 'Delete' }).click();
    const failures = page.getByRole('dialog', { name: 'Delete: 1 of 2 failed' });
    await failures.waitFor();
    expect(await failures.textContent()).toContain(
      'book-1: This did not work. It has changed since the list was read.',
    );
    await failures.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('2 resources').waitFor();
    expect(await names()).toEqual(['book-1', 'book-2']);
  });
});
