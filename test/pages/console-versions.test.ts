import type { Browser, Page } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import { accessibilityFailures, type Look, LOOKS, open, outOfReach, sideways, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// A kind in three versions, in a service that stores what no version declares: the console drops nothing of it.

const VERSIONS = ['v1', 'v2beta1', 'v1alpha1'] as const;

/** An undeclared field, one within an element of a list, a value against the rules, and fields of one version. */
const STORED = {
  name: 'Sensor',
  site: 'berlin/r5',
  owner: 'ann',
  level: 7,
  timeoutSeconds: 2,
  config: [{ name: 'rack', value: '5', note: 'undeclared' }],
  extra: { deep: [1, { a: null }] },
};

let browser: Browser;
let service: TestService;
let client: Api;
let page: Page;
let uid: string;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startConsole(consoleProject('fixtures/conversion/device', { validation: 'warn' }));
  client = api(service);
});
beforeEach(async () => {
  uid = await client.create(pathIn('v2beta1'), { metadata: { name: 'sensor' }, spec: STORED });
  await client.merge(pathIn('v1alpha1'), uid, { spec: { color: 'red' } });
});
afterEach(() => page.context().close());
afterAll(async () => {
  await browser.close();
  await service.close();
});

function pathIn(version: (typeof VERSIONS)[number]): string {
  return `apis/example.svc.dev/${version}/devices`;
}

/** Returns the spec in each version. */
async function specs(): Promise<{ [version: string]: object }> {
  const read = async (version: (typeof VERSIONS)[number]) =>
    [version, (await client.read(pathIn(version), uid)).spec] as const;
  return Object.fromEntries(await Promise.all(VERSIONS.map(read)));
}

async function openTab(parameters: string, look?: Look): Promise<void> {
  ({ page } = await open(browser, `${service.url}/console#/devices/${uid}?${parameters}`, look));
}

async function save(name = 'Save'): Promise<void> {
  await page.getByRole('button', { name, exact: true }).click();
  await page.getByText('No changes.').waitFor();
}

test.each([
  ['v1', 'model', { v1: { model: 'X9' }, v2beta1: { model: 'X9' }, v1alpha1: {} }],
  ['v2beta1', 'owner', { v1: {}, v2beta1: { owner: 'X9' }, v1alpha1: {} }],
  ['v1alpha1', 'color', { v1: {}, v2beta1: {}, v1alpha1: { color: 'X9' } }],
] as const)('a form of %s changes %s and drops nothing of any version', async (version, field, changes) => {
  const before = await specs();
  expect(before['v2beta1']).toEqual(STORED);
  await openTab(`tab=edit&version=${version}`);
  await page.getByLabel(field, { exact: true }).fill('X9');
  if (version === 'v2beta1') {
    const extra = page.getByLabel('extra', { exact: true });
    expect(JSON.parse(await extra.inputValue())).toEqual(STORED.extra);
    await page.getByText('not declared').nth(1).waitFor();
  }
  await save();
  const after = await specs();
  for (const each of VERSIONS) expect(after[each]).toEqual({ ...before[each], ...changes[each] });
});

test('two versions that are both not stored stand side by side, and either is edited', async () => {
  await openTab('tab=versions&version=v2beta1');
  await page.getByLabel('Other version').selectOption('v1alpha1');
  const row = (name: string) => page.locator('table.versions > tbody > tr').filter({ hasText: name });
  expect(await row('spec.site').textContent()).toMatch(
    /spec\.siteberlin\/r5spec\.place\.siteberlinspec\.place\.roomr5.*split at "\/"/,
  );
  expect(await row('spec.owner').textContent()).toMatch(/annnot in this version/);
  await page.getByRole('button', { name: 'Edit v1alpha1' }).click();
  await page.getByRole('textbox', { name: 'place room' }).fill('r6');
  await save('Save v1alpha1');
  await row('spec.site').getByText('berlin/r6').waitFor();
  await page.getByRole('button', { name: 'Edit v2beta1' }).click();
  await page.getByRole('textbox', { name: 'site' }).fill('rome/r1');
  await save('Save v2beta1');
  await row('spec.site').getByText('rome', { exact: true }).waitFor();
  const { v2beta1, v1alpha1 } = await specs();
  expect(v2beta1).toEqual({ ...STORED, site: 'rome/r1' });
  expect(v1alpha1).toMatchObject({ color: 'red', place: { site: 'rome', room: 'r1' } });
});

test('Ctrl+S saves the version that is being edited', async () => {
  await openTab('tab=versions&version=v1&edit=v2beta1');
  await page.getByRole('textbox', { name: 'timeoutSeconds' }).fill('9');
  await page.getByText('The service accepts this.').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('No changes.').waitFor();
  expect((await specs())['v1']).toMatchObject({ timeoutMs: 9000 });
});

/** Of a phone, of a table that scrolls sideways, and of a screen. */
const WIDTHS = [320, 700, 1200];

test.each(
  WIDTHS.flatMap((width) => [
    ['v2beta1', '/spec/config/0/value', width] as const,
    ['v1alpha1', '/spec/place/room', width] as const,
  ]),
)('nested fields of %s have room to be edited: %s at %d pixels', async (version, pointer, width) => {
  const look = { ...LOOKS[0], viewport: { width, height: 900 } };
  await openTab(`tab=versions&version=v1&with=${version}&edit=${version}`, look);
  await page.locator(`[id="f${pointer}"]`).waitFor();
  const narrow = await page.evaluate(`[...document.querySelectorAll('main :is(input, textarea)')]
    .filter((field) => field.getBoundingClientRect().width < 100).map(({ id }) => id)`);
  expect(narrow).toEqual([]);
  expect(await accessibilityFailures(page)).toEqual({});
  expect(await sideways(page)).toBeLessThanOrEqual(0);
  expect(await outOfReach(page)).toEqual([]);
});
