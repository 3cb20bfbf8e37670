import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import { accessibilityFailures, LOOKS, open, PICTURES, sideways, startBrowser } from './browser';
import { startProject } from './service';

// The page at `/`, in Chromium.

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

const PROJECTS = ['examples/device-service', 'fixtures/everything', 'fixtures/empty'];

describe.each(PROJECTS)('%s', (folder) => {
  let service: TestService;
  beforeAll(async () => void (service = await startProject(folder)));
  afterAll(() => service.close());

  test.each(LOOKS.map((look) => [look.name, look] as const))('%s', async (name, look) => {
    const { page, complaints } = await open(browser, service.url, look);
    expect(await accessibilityFailures(page)).toEqual({});
    expect(await sideways(page)).toBe(0);
    await page.screenshot({
      path: join(PICTURES, `landing ${folder.replace('/', ' ')} ${name}.png`),
      fullPage: true,
    });
    expect(complaints).toEqual([]);
  });

  test('every link is answered, and can be reached by the keyboard', async () => {
    const { page } = await open(browser, service.url);
    const links = await page.locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    const some = ['console', 'docs', 'openapi.json', 'apis', 'healthz', 'readyz', 'metrics'];
    expect(links).toEqual(expect.arrayContaining(some.map((path) => `./${path}`)));
    expect(new Set(links).size).toBe(links.length);
    for (const link of links) expect([link, await statusOf(`${service.url}/${link}`)]).toEqual([link, 200]);
    for (const link of links) {
      await page.keyboard.press('Tab');
      const focused = page.locator(':focus-visible');
      expect(await focused.getAttribute('href')).toBe(link);
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).toBe('solid');
    }
  });
});

test('kinds, by group, and their versions lead to their lists', async () => {
  const service = await startProject('fixtures/everything');
  const { page } = await open(browser, service.url);
  const product = page.getByRole('listitem').filter({ hasText: 'Product' });
  expect(await product.getByRole('link').allTextContents()).toEqual([
    'Product /products',
    'v1 · storage',
    'v1beta1 · deprecated',
  ]);
  await product.getByRole('link', { name: 'v1beta1' }).click();
  expect(page.url()).toBe(`${service.url}/apis/shop.example.dev/v1beta1/products`);
  expect(await page.locator('body').textContent()).toContain('[]');
  await service.close();
});

test('without METRICS nothing leads to /metrics', async () => {
  const service = await startProject('examples/device-service', { environment: { METRICS: 'false' } });
  const { page } = await open(browser, service.url);
  expect(await page.content()).toContain('healthz');
  expect(await page.content()).not.toContain('metrics');
  const { links } = (await (await fetch(service.url)).json()) as { links: object };
  expect(links).toEqual({
    apis: '/apis',
    openapi: '/openapi.json',
    docs: '/docs',
    console: '/console',
    health: '/healthz',
    ready: '/readyz',
    events: '/events',
  });
  await service.close();
});

/** The status of a response; the rest of it, which may be endless, is not waited for. */
async function statusOf(url: string): Promise<number> {
  const { status, body } = await fetch(url, { headers: { Accept: 'text/html,*/*;q=0.8' } });
  await body?.cancel();
  return status;
}
