import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { ROOT } from '../src/files/package-root';
import { setActor } from '../templates/runtime/http/security/actor';
import { type Look, LOOKS, open, startBrowser } from '../test/pages/browser';
import { consoleProject, startConsole } from '../test/pages/console';
import { api } from '../test/pages/console-api';
import type { TestService } from '../test/runtime/support/harness';

// npm run pictures: the pictures of the console in docs/console.md, of a service that runs for them;
// `-- merge status` takes only those.

const FOLDER = join(ROOT, 'docs/images');

/** The size of a picture, and the time for the charts of a page to get some values, in milliseconds. */
const SIZES = { desktop: { width: 1100, height: 700 }, phone: { width: 360, height: 640 } };
const SETTLE_MS = 1_000;

interface Shown {
  name: string;
  path: string;
  /** Appears when the page is complete. */
  landmark: string;
  /** Requests are sent meanwhile, and so many seconds pass. */
  seconds?: number;
  /** Brings the page into the state that is shown. */
  act?: (page: Page) => Promise<void>;
}

/** Fills a service; returns its pages. */
async function pagesOf(service: TestService): Promise<Shown[]> {
  const { create, merge, status } = api(service);
  const contact = await create('persons', { metadata: { name: 'ann' }, spec: { name: 'Ann' } });
  const suppliers = ['acme', 'globex', 'initech'];
  for (const name of suppliers)
    await create('suppliers', { metadata: { name }, spec: { country: 'de', contact } });
  const parts: string[] = [];
  for (let index = 0; index < 60; index++)
    parts.push(
      await create('parts', {
        metadata: {
          name: `part-${index + 1}`,
          labels: { env: index % 3 === 0 ? 'test' : 'prod', shelf: `s${index % 7}` },
        },
        spec: {
          sku: `SKU-${1_000 + index}`,
          price: ((index * 7_919) % 1_000) / 10,
          level: index % 2 === 0 ? 'high' : 'low',
          tags: ['steel', 'blue'].slice(index % 2),
          supplier: suppliers[index % 3],
        },
      }),
    );
  for (const [index, uid] of parts.slice(0, 20).entries())
    await status('parts', uid, { phase: index % 5 === 0 ? 'Pending' : 'Ready', ready: index % 5 !== 0 });
  for (const price of [12, 12.5, 14])
    await merge('parts', parts[0], { spec: { price, note: `Price of ${price}` } });
  const part = `/parts/${parts[0]}`;
  return [
    { name: 'kinds', path: '', landmark: 'table.kinds a' },
    { name: 'list', path: '/parts?wide=1&sort=spec.price&labelSelector=env%3Dprod', landmark: 'table.list' },
    { name: 'resource', path: part, landmark: '.overview' },
    ...editingPages(service, part, parts[0]),
    { name: 'history', path: `${part}?tab=history`, landmark: 'table.diff' },
    { name: 'events', path: '/-/events?after=0', landmark: 'table.events' },
    { name: 'service', path: '/-/service', landmark: '.charts', seconds: 20 },
  ];
}

/** Returns the pages on which a resource is written. */
function editingPages(service: TestService, path: string, uid: string): Shown[] {
  const change = async (page: Page): Promise<void> => {
    await page.getByLabel('price').fill('16');
    await page.getByLabel('note').fill('Price of mine');
  };
  return [
    {
      name: 'editing',
      path: `${path}?tab=edit`,
      landmark: '.draft-form',
      act: async (page) => {
        await change(page);
        await page.getByLabel('price').fill('-1');
        await page.getByRole('button', { name: 'spec.price' }).click();
      },
    },
    {
      name: 'merge',
      path: `${path}?tab=edit`,
      landmark: '.stream.live',
      act: async (page) => {
        await change(page);
        const { read, merge } = api(service);
        const price = Number((await read('parts', uid)).spec['price']) + 1;
        await merge('parts', uid, { spec: { price, level: 'low' } });
        await page.getByRole('button', { name: 'Compare' }).click();
        await page.locator('.merge').waitFor();
      },
    },
    { name: 'status', path: `${path}?tab=status`, landmark: '.draft-form' },
    { name: 'create', path: `/parts/-new?from=${uid}`, landmark: '.draft-form' },
    { name: 'versions', path: `${path}?tab=versions&edit=v1beta1`, landmark: 'table.versions' },
  ];
}

async function take(
  service: TestService,
  pages: Shown[],
  look: Look,
  device: keyof typeof SIZES,
): Promise<number> {
  const browser = await startBrowser();
  let bytes = 0;
  for (const { name, path, landmark, seconds = 0, act } of pages) {
    const { page } = await open(browser, `${service.url}/console#${path}`, {
      ...look,
      viewport: SIZES[device],
    });
    await page.locator(landmark).first().waitFor();
    for (let second = 0; second < seconds; second++) {
      for (let count = 0; count < 5 + (second % 4); count++) await fetch(`${service.url}/parts?limit=10`);
      await page.waitForTimeout(1_000);
    }
    await act?.(page);
    await page.waitForTimeout(SETTLE_MS);
    const file = join(FOLDER, `console-${name}-${device}.png`);
    await page.screenshot({ path: file });
    bytes += statSync(file).size;
    await page.context().close();
  }
  await browser.close();
  return bytes;
}

async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const service = await startConsole(consoleProject('fixtures/parts'), {
    middleware: (app) =>
      app.use((req, _res, next) => {
        setActor(req, 'ann');
        next();
      }),
  });
  const wanted = process.argv.slice(2);
  const all = await pagesOf(service);
  const pages = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const [light, , , dark] = LOOKS;
  const bytes = (await take(service, pages, light, 'desktop')) + (await take(service, pages, dark, 'phone'));
  await service.close();
  console.log(`${pages.length * 2} pictures, ${Math.round(bytes / 1_024)} KiB`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
