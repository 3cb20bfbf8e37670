import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { buildConsole } from '../scripts/build-console';
import type { Project } from '../src/model/project';
import { open, startBrowser } from '../test/pages/browser';
import { consoleProject, startConsole } from '../test/pages/console';
import type { TestService } from '../test/runtime/support/harness';
import { seedStore } from './devices';

/**
 * The cost of the console in Chromium, with 50 kinds and many resources in a SQLite file:
 * `npx tsx bench/console.ts [count]`. The count is a million. Docs: docs/console.md.
 */

const KINDS = 50;
const OPENINGS = 7;
/** Pages of a list that are read one after another, with `n`. */
const PAGES = 100;

const count = Number(process.argv[2] ?? 1_000_000);

const line = (name: string, value: string): void => console.log(name.padEnd(52), value.padStart(24));

function projectOfManyKinds(): Project {
  const project = consoleProject('examples/device-service');
  const [group] = project.groups;
  const [device] = group.kinds;
  const others = Array.from({ length: KINDS - 1 }, (_, index) => {
    const name = `Device${String(index + 2).padStart(2, '0')}`;
    return { ...device, name, plural: `${name.toLowerCase()}s` };
  });
  return { ...project, groups: [{ ...group, kinds: [device, ...others] }] };
}

/** Returns the median and the highest of some times, in words. */
function timesOf(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number): string => `${Math.round(sorted[Math.floor((sorted.length - 1) * share)])} ms`;
  return `${at(0.5)} / ${at(1)}`;
}

/** Opens a page with an empty cache, and returns the time until the browser has painted a row of its table. */
async function paint(browser: Browser, url: string, row: string): Promise<number> {
  const context = await browser.newContext();
  await context.addInitScript(`new MutationObserver((_, observer) => {
    if (document.querySelector('${row}') === null) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => painted(performance.now())));
  }).observe(document, { childList: true, subtree: true });`);
  let end: (time: number) => void = () => undefined;
  const painted = new Promise<number>((resolve) => (end = resolve));
  await context.exposeFunction('painted', end);
  const page = await context.newPage();
  await page.goto(url);
  const time = await painted;
  await context.close();
  return time;
}

async function paints(browser: Browser, name: string, url: string, row: string): Promise<void> {
  const times: number[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) times.push(await paint(browser, url, row));
  line(`${name}, painted, median / highest`, timesOf(times));
}

/** Prints the scripts that a list loads, as they are transferred. */
async function firstLoad(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const sizes: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() === 'script')
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(url);
  await page.locator('table.list tbody th').first().waitFor();
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  line('JavaScript of the first load, compressed', `${(bytes / 1_024).toFixed(1)} KiB`);
  await context.close();
}

/** Reads page after page, and prints their times and the highest `limit` of a request. */
async function scroll(browser: Browser, { url }: TestService): Promise<void> {
  const { page } = await open(browser, `${url}/console#/devices`);
  const limits: number[] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const isList = request.method() === 'GET' && pathname.endsWith('/devices');
    if (isList) limits.push(Number(searchParams.get('limit') ?? Infinity));
  });
  const shown = (name: string) => page.getByRole('link', { name, exact: true });
  await shown('device-0').waitFor();
  const times: number[] = [];
  for (let index = 1; index <= PAGES; index++) {
    const start = performance.now();
    await page.keyboard.press('n');
    await shown(`device-${index * 50}`).waitFor();
    times.push(performance.now() - start);
  }
  line(`${PAGES} pages of the list, each, median / highest`, timesOf(times));
  line('  highest limit of a request', String(Math.max(...limits)));
  line('  requests of a page', String(limits.length / PAGES));
  await page.context().close();
}

async function main(): Promise<void> {
  await buildConsole();
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  const { model } = cpus()[0];
  const load = (): string => loadavg()[0].toFixed(1);
  console.log(`${KINDS} kinds, ${count} resources, ${cpus().length} × ${model}, load ${load()}`);
  await seedStore(`${folder}/store.db`, count, `${folder}/uids`);
  const environment = { DATABASE_URL: `sqlite:${folder}/store.db` };
  const service = await startConsole(projectOfManyKinds(), { environment });
  const browser = await startBrowser();
  const { url } = service;
  await firstLoad(browser, `${url}/console#/devices`);
  await paints(browser, 'first list', `${url}/console#/devices`, 'table.list tbody tr');
  await paints(browser, 'kinds', `${url}/console`, 'table.kinds tbody tr');
  await scroll(browser, service);
  console.log(`load ${load()}`);
  await browser.close();
  await service.close();
  rmSync(folder, { recursive: true });
}

void main();
