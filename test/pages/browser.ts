import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

const ROOT = join(__dirname, '../..');
/** Where the pictures of the last run are. */
export const PICTURES = join(ROOT, '.tmp/pages');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Where Debian has it; CHROMIUM names another. The shell has no windows, which take as much time as the pages in them. */
const PROGRAM =
  process.env['CHROMIUM'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path));

/** Maximum wait for anything, in milliseconds: the machine may be busy with other things. */
const PATIENCE = 120_000;

/** The looks that every page is tested in. */
export const LOOKS = (['light', 'dark'] as const).flatMap((colorScheme) =>
  [
    { device: 'desktop', width: 1200, height: 900 },
    { device: 'phone', width: 360, height: 740 },
  ].map(({ device, width, height }) => ({
    name: `${colorScheme} ${device}`,
    colorScheme,
    viewport: { width, height },
  })),
);

/** One of them. */
export type Look = (typeof LOOKS)[number];

/** Two of them, which have both palettes and both widths: for what takes seconds. */
export const TWO_LOOKS = [LOOKS[0], LOOKS[3]];

/** Starts Chromium. */
export function startBrowser(): Promise<Browser> {
  mkdirSync(PICTURES, { recursive: true });
  return chromium.launch({ executablePath: PROGRAM, args: ['--no-sandbox'], timeout: PATIENCE });
}

/** A page, and everything it did that a page of ours must not. */
export interface WatchedPage {
  page: Page;
  /** Messages in the console, errors, refused requests (Content-Security-Policy included), requests to other hosts. */
  complaints: string[];
}

/** Opens a page in a context of its own. */
export async function open(browser: Browser, url: string, look: Look = LOOKS[0]): Promise<WatchedPage> {
  const { colorScheme, viewport } = look;
  const context = await browser.newContext({ colorScheme, viewport });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // A page that is left, or a search that is typed on, ends the requests that it no longer needs.
    const reason = request.failure()?.errorText;
    if (reason !== 'net::ERR_ABORTED') complaints.push(`failed: ${request.url()} (${reason})`);
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== new URL(url).origin) complaints.push(`foreign: ${request.url()}`);
  });
  await page.goto(url);
  return { page, complaints };
}

/** Returns how far the page can be scrolled sideways, in pixels. */
export function sideways(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth');
}

/** Returns the controls that are outside of the window, and in no box that can be scrolled to them. */
export function outOfReach(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('a, button, input, select, textarea')].filter((control) => {
    const { left, right, width } = control.getBoundingClientRect();
    if (width === 0 || control.matches('.skip') || (left > -1 && right < innerWidth + 1)) return false;
    for (let box = control.parentElement; box !== null; box = box.parentElement)
      if (['auto', 'scroll'].includes(getComputedStyle(box).overflowX)) return false;
    return true;
  }).map((control) => control.outerHTML.slice(0, 200))`);
}

/** Returns the failures that axe finds against WCAG 2 at the levels A and AA, by rule; only `rules` are checked. */
export async function accessibilityFailures(
  page: Page,
  rules?: string[],
): Promise<{ [rule: string]: string[] }> {
  // The policy of the page lets no script in, and axe comes by the debugger, which is not asked.
  await page.evaluate(AXE);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    runOnly: rules
      ? { type: 'rule', values: rules }
      : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
  };
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  return Object.fromEntries(
    violations.map(({ id, nodes }) => [
      id,
      nodes.map(({ target, any }) => `${target.join(' ')} ${any[0]?.message ?? ''}`),
    ]),
  );
}
