import type { Browser, Page, Route } from 'playwright-core';
import type { TestService } from '../runtime/support/harness';
import { accessibilityFailures, open, sideways, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { type Api, api } from './console-api';

// Editing in the console: as a form, as text, and what happens when others edit the same resource.

let browser: Browser;
let service: TestService;
let client: Api;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startConsole(consoleProject('fixtures/everything', { security: [], nats: false }));
  client = api(service);
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

/** Opens the editor of a resource. */
async function edit(plural: string, uid: string, parameters = ''): Promise<Page> {
  const { page } = await open(browser, `${service.url}/console#/${plural}/${uid}?tab=edit${parameters}`);
  await page.getByRole('navigation', { name: 'Edit as' }).waitFor();
  return page;
}

const device = (spec: object = {}): Promise<string> =>
  client.create('devices', {
    metadata: { name: 'sensor', labels: { env: 'test' } },
    spec: { name: 'Sensor', location: 'berlin', config: { rack: 'r5' }, ...spec },
  });

const save = (page: Page): Promise<void> => page.getByRole('button', { name: 'Save', exact: true }).click();

/** Resolves when nothing is unsaved any more. */
const saved = (page: Page): Promise<void> => page.getByText('No changes.').waitFor();

/** Holds the next PUT of a URL: `held` resolves when it waits for `release`. */
function holdPut(page: Page, url: RegExp): { held: Promise<void>; release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const held = new Promise<void>((resolve, reject) => {
    const handle = async (route: Route): Promise<void> => {
      if (route.request().method() !== 'PUT') return route.continue();
      resolve();
      await released;
      await route.continue();
    };
    page.route(url, handle).catch(reject);
  });
  return { held, release };
}

describe('a form', () => {
  test('edits nested lists, maps, recursive types and choices, with the keyboard alone', async () => {
    const uid = await client.create('trees', {
      metadata: { name: 'oak' },
      spec: { root: { title: 'root' }, box: { inner: { sides: [{ name: 'left', length: 1 }] } } },
    });
    const page = await edit('trees', uid);
    const enter = async (name: string, role: 'button' | 'textbox' = 'button'): Promise<void> => {
      await page.getByRole(role, { name, exact: true }).focus();
      if (role === 'button') await page.keyboard.press('Enter');
    };
    await enter('+ Add to root folders');
    await page.getByRole('textbox', { name: 'title' }).nth(1).focus();
    await page.keyboard.type('branch');
    await enter('+ Add root folders 1 owner');
    await page.getByRole('textbox', { name: 'email' }).focus();
    await page.keyboard.type('ann@example.dev');
    await enter('New key of routes', 'textbox');
    await page.keyboard.type('a/b ~c');
    await page.keyboard.press('Enter');
    await enter('+ Add to routes a/b ~c');
    await enter('+ Add to routes a/b ~c 1');
    await page.getByRole('textbox', { name: 'x', exact: true }).first().focus();
    await page.keyboard.type('1.5');
    await page.keyboard.press('Tab');
    await page.keyboard.type('-2');
    await enter('+ Add to box inner sides');
    await page.getByRole('textbox', { name: 'name', exact: true }).nth(1).focus();
    await page.keyboard.type('right');
    await enter('Move box inner sides 2 up');
    expect(await accessibilityFailures(page)).toEqual({});
    await page.keyboard.press('Control+s');
    await saved(page);
    expect((await client.read('trees', uid)).spec).toMatchObject({
      root: { title: 'root', folders: [{ title: 'branch', owner: { email: 'ann@example.dev' } }] },
      routes: { 'a/b ~c': [[{ x: 1.5, y: -2 }]] },
      box: { inner: { sides: [{ name: 'right' }, { name: 'left', length: 1 }] } },
    });
    await page.context().close();
  });

  test('saves a key that is still being typed', async () => {
    const uid = await client.create('trees', {
      metadata: { name: 'tree', labels: { env: 'test' } },
      spec: { root: { title: 'root' } },
    });
    const page = await edit('trees', uid);
    await page.locator('.key input').first().fill('stage');
    await page.keyboard.press('Control+s');
    await saved(page);
    expect((await client.read('trees', uid)).metadata.labels).toEqual({ stage: 'test' });
    await page.getByLabel('New key of labels').fill('team');
    await page.keyboard.press('Control+s');
    await page.locator('.key input').nth(1).waitFor();
    await saved(page);
    expect((await client.read('trees', uid)).metadata.labels).toEqual({ stage: 'test', team: '' });
    await page.context().close();
  });

  test('holds what is no value yet, also in the first change', async () => {
    const spec = { count: 1, anything: 1, short: 'a\nb' };
    const uid = await client.create('rules', { metadata: { name: 'held' }, spec });
    const page = await edit('rules', uid);
    const count = page.getByLabel('count');
    await count.press('Control+a');
    await count.pressSequentially('-1');
    expect(await count.inputValue()).toBe('-1');
    await page.getByText('The service accepts this.').waitFor();
    await page.getByRole('button', { name: 'Discard changes' }).click();
    const anything = page.getByLabel('anything');
    await anything.press('Control+a');
    await anything.pressSequentially('{"a": 1}');
    expect(await anything.inputValue()).toBe('{"a": 1}');
    // The line that is left stays in the same field.
    await page.getByLabel('short').press('Control+End');
    for (const key of ['Backspace', 'Backspace', 'c']) await page.keyboard.press(key);
    await save(page);
    await saved(page);
    expect((await client.read('rules', uid)).spec).toMatchObject({
      count: 1,
      anything: { a: 1 },
      short: 'ac',
    });
    await page.context().close();
  });

  test('moves what is no value yet with its element, and removes it with its field', async () => {
    const uid = await client.create('rules', {
      metadata: { name: 'moved' },
      spec: { count: 1, anything: 1, many: [1, 2, 3], limits: { cpu: 1 } },
    });
    const page = await edit('rules', uid);
    const many = (place: number) => page.getByRole('textbox', { name: `many ${place}`, exact: true });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await many(2).fill('x');
    await press('Move many 2 down');
    expect(await many(2).inputValue()).toBe('3');
    expect(await many(3).inputValue()).toBe('x');
    await press('Remove many 1');
    expect(await many(2).inputValue()).toBe('x');
    await press('Remove many 2');
    expect(await many(1).inputValue()).toBe('3');
    // An emptied number stays a field for a number.
    await many(1).fill('');
    await page.keyboard.type('7');
    const limit = page.getByRole('textbox', { name: 'limits cpu', exact: true });
    await limit.fill('');
    await page.keyboard.type('x');
    await page.getByRole('textbox', { name: 'Key of limits', exact: true }).fill('a/b');
    await page.getByLabel('count').focus();
    const renamed = page.getByRole('textbox', { name: 'limits a/b', exact: true });
    expect(await renamed.inputValue()).toBe('x');
    await renamed.fill('-1');
    const failures = page.getByRole('list', { name: 'Failures' });
    await failures.getByRole('button', { name: 'spec.limits.a/b', exact: true }).waitFor();
    await press('Clear limits');
    await save(page);
    await saved(page);
    const { spec } = await client.read('rules', uid);
    expect(spec).toMatchObject({ many: [7] });
    expect(spec).not.toHaveProperty('limits');
    await page.context().close();
  });

  test('shows every failure in its place before anything is sent, and clears a field', async () => {
    const uid = await client.create('rules', {
      metadata: { name: 'rule' },
      spec: { count: 1, anything: 1, ratio: 0.1, tags: ['a'], limits: { cpu: 1 } },
    });
    const page = await edit('rules', uid);
    await page.getByLabel('count').fill('99');
    await page.getByLabel('mail').fill('nobody');
    await page.getByRole('textbox', { name: 'tags 1' }).fill('much too long');
    await page.getByText('mail must be an email address').first().waitFor();
    await page.getByText('tags[0] must have at most 10 characters').first().waitFor();
    const count = page.getByLabel('count');
    expect(await count.getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('list', { name: 'Failures' }).getByRole('button', { name: 'spec.count' }).click();
    expect(await count.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await count.fill('7x');
    await page.getByText('This is not a number').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    await count.fill('9007199254740993');
    await page.getByText('This would be stored as 9007199254740992').waitFor();
    await page.getByLabel('anything').fill('["\\"1", -9007199254740993]');
    await page.getByText('the integer -9007199254740993 would be stored as -9007199254740992').waitFor();
    await page.getByLabel('anything').fill('["9007199254740993", 90071992547409931e3, 1.5]');
    await count.fill('7');
    await page.getByRole('button', { name: 'Undo the changes of mail' }).click();
    await page.getByRole('button', { name: 'Clear tags' }).click();
    await page.getByRole('button', { name: 'Clear ratio' }).click();
    await page.getByLabel('size').selectOption('4');
    await page.getByText('The service accepts this.').waitFor();
    await save(page);
    await saved(page);
    const { spec } = await client.read('rules', uid);
    expect(spec).toMatchObject({ count: 7, size: 4 });
    expect(Object.keys(spec)).not.toEqual(expect.arrayContaining(['tags']));
    expect(Object.keys(spec)).not.toEqual(expect.arrayContaining(['ratio']));
    await page.context().close();
  });
});

describe('a text', () => {
  test('has completion, shows failures in place, and is the same draft as the form', async () => {
    const uid = await device();
    const page = await edit('devices', uid, '&as=yaml');
    const text = page.getByRole('textbox', { name: 'Resource as YAML' });
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  mo');
    await page.getByRole('option', { name: /^model/ }).click();
    await page.keyboard.type('@');
    await page.getByText('The text cannot be read').waitFor();
    await page.getByRole('link', { name: 'Form' }).click();
    await page.getByRole('alert').getByText('The text cannot be read yet').waitFor();
    await page.getByRole('link', { name: 'Back to the text' }).click();
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('X2 # new');
    await page.keyboard.press('Enter');
    await page.keyboard.type('plan: x');
    await page.getByRole('list', { name: 'Failures' }).getByText('unknown field "plan"').waitFor();
    await page.locator('.cm-lintRange-error').waitFor();
    expect(await accessibilityFailures(page)).toEqual({});
    for (let length = 'plan: x'.length; length > 0; length--) await page.keyboard.press('Backspace');
    await page.getByRole('link', { name: 'JSON', exact: true }).nth(1).click();
    await page.getByRole('textbox', { name: 'Resource as JSON' }).getByText('"X2"').waitFor();
    await page.getByRole('link', { name: 'Form' }).click();
    await page.getByLabel('model').fill('X3');
    await save(page);
    await saved(page);
    expect((await client.read('devices', uid)).spec).toMatchObject({ model: 'X3', location: 'berlin' });
    await page.context().close();
  });
});

test('a YAML alias without its anchor is a failure of the text', async () => {
  const uid = await device();
  const page = await edit('devices', uid, '&as=yaml');
  await page.getByRole('textbox', { name: 'Resource as YAML' }).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('  model: *other');
  await page.getByText(/The text cannot be read: .*other/).waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.context().close();
});

test('an integer that would be stored as another one is a failure of the text', async () => {
  const uid = await client.create('rules', { spec: { count: 1, anything: 7 } });
  const page = await edit('rules', uid, '&as=json');
  await page.getByRole('textbox', { name: 'Resource as JSON' }).getByText('7', { exact: true }).dblclick();
  await page.keyboard.type('9007199254740993');
  await page.getByText(/The text cannot be read: .*would be stored as 9007199254740992/).waitFor();
  expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
  await page.context().close();
});

test('a text that is longer than its editor can be scrolled with the keyboard', async () => {
  const uid = await device({ model: 'long '.repeat(4000) });
  const page = await edit('devices', uid, '&as=yaml');
  await page.getByRole('textbox', { name: 'Resource as YAML' }).waitFor();
  expect(await accessibilityFailures(page)).toEqual({});
  await page.context().close();
});

test('a line that takes long to wrap is scrolled sideways within its editor', async () => {
  const lengths = [1_000, 60_000];
  for (const [index, wrapped] of [1, 0].entries()) {
    const uid = await device({ model: 'x'.repeat(lengths[index]) });
    const page = await edit('devices', uid, '&as=yaml');
    await page.getByRole('textbox', { name: 'Resource as YAML' }).waitFor();
    expect(await page.locator('.cm-lineWrapping').count()).toBe(wrapped);
    expect(await sideways(page)).toBe(0);
    await page.context().close();
  }
});

describe('a status', () => {
  test('is written as a form and as text, over changes of the spec but not of the status', async () => {
    const uid = await device();
    const { page } = await open(browser, `${service.url}/console#/devices/${uid}`);
    await page.locator('.stream.live').waitFor();
    await page.getByRole('link', { name: 'Edit status' }).click();
    const check = holdPut(page, /\/status\?dryRun=true/);
    await page.getByLabel('phase').selectOption('Ready');
    await check.held;
    expect(await page.getByText('The newest snapshot of the spec').count()).toBe(0);
    expect(await accessibilityFailures(page)).toEqual({});
    await client.merge('devices', uid, { spec: { location: 'rome' } });
    check.release();
    await page.getByText('The service accepts this.').waitFor();
    await page.getByRole('link', { name: 'YAML', exact: true }).nth(1).click();
    const text = page.getByRole('textbox', { name: 'Resource as YAML' });
    await text.getByText('phase: Ready').waitFor();
    await text.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('  mess');
    await page.getByRole('option', { name: /^message/ }).click();
    await page.keyboard.type('warm');
    await save(page);
    await saved(page);
    expect(await client.read('devices', uid)).toMatchObject({
      spec: { location: 'rome' },
      status: { phase: 'Ready', message: 'warm', version: expect.any(String) as string },
    });
    await page.getByRole('link', { name: 'Form' }).click();
    await page.getByLabel('phase').selectOption('Error');
    await client.status('devices', uid, { phase: 'Offline' });
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('radio', { name: 'Keep mine of status.phase', exact: true }).check();
    await page.getByRole('button', { name: 'Use these values' }).click();
    await save(page);
    await saved(page);
    expect((await client.read('devices', uid)).status).toMatchObject({ phase: 'Error' });
    await page.context().close();
  });
});

test('a proxy that makes ETags weak, as it compresses responses, does not refuse a save', async () => {
  const uid = await device();
  const page = await edit('devices', uid);
  await page.route('**/apis/**', async (route) => {
    const response = await route.fetch();
    const { etag, ...headers } = response.headers();
    await route.fulfill({ response, headers: { ...headers, ...(etag && { etag: `W/${etag}` }) } });
  });
  await page.reload();
  await page.getByLabel('location', { exact: true }).fill('rome');
  await page.getByText('The service accepts this.').waitFor();
  await save(page);
  await saved(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
});

describe('two users', () => {
  test('keep, take and merge, field by field', async () => {
    const uid = await device({ model: 'X1\nwith two lines' });
    const page = await edit('devices', uid);
    // Without the stream, the page learns of the other changes only when it saves.
    await page.route('**/events?*', (route) => route.abort());
    await page.reload();
    await page.getByLabel('location', { exact: true }).fill('rome');
    await page.getByLabel('name', { exact: true }).first().fill('Mine');
    await page.getByLabel('model').fill('X1\nwith 2 lines');
    await page.getByRole('textbox', { name: 'config rack' }).fill('r9');
    const other = await edit('devices', uid);
    await other.getByLabel('location', { exact: true }).fill('paris');
    await other.getByLabel('name', { exact: true }).first().fill('Theirs');
    await other.getByLabel('model').fill('X9\nwith two lines');
    await other.getByLabel('New key of labels').fill('by');
    await other.keyboard.press('Enter');
    await save(other);
    await saved(other);
    await save(page);
    await page.getByText('Somebody else has changed this resource').waitFor();
    const use = page.getByRole('button', { name: 'Use these values' });
    expect(await use.isDisabled()).toBe(true);
    expect(await accessibilityFailures(page)).toEqual({});
    const choose = (name: string): Promise<void> => page.getByRole('radio', { name, exact: true }).check();
    await choose('Keep mine of spec.location');
    await choose('Take theirs of spec.name');
    await choose('Merge of spec.model');
    // The two have changed different lines.
    const both = page.getByLabel('Merged spec.model');
    expect(await both.inputValue()).toBe('X9\nwith 2 lines');
    await both.fill('X9\nwith 2 lines!');
    await use.click();
    await page.getByText('The service accepts this.').waitFor();
    await save(page);
    await saved(page);
    const { metadata, spec } = await client.read('devices', uid);
    expect(metadata.labels).toEqual({ env: 'test', by: '' });
    expect(spec).toEqual({
      name: 'Theirs',
      location: 'rome',
      model: 'X9\nwith 2 lines!',
      config: { rack: 'r9' },
    });
    await Promise.all([page.context().close(), other.context().close()]);
  });

  test('lose nothing of their choices when the service fails meanwhile', async () => {
    const uid = await device({ model: 'X1\nwith two lines' });
    const page = await edit('devices', uid);
    await page.locator('.stream.live').waitFor();
    await page.getByLabel('model').fill('X1\nwith 2 lines');
    await client.merge('devices', uid, { spec: { model: 'X9\nwith two lines' } });
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('radio', { name: 'Merge of spec.model', exact: true }).check();
    const both = page.getByLabel('Merged spec.model');
    await both.fill('X9\nwith care');
    await page.route(`**/devices/${uid}`, (route) => route.fulfill({ status: 503, body: 'busy' }));
    await client.merge('devices', uid, { spec: { location: 'paris' } });
    await page.getByRole('alert').getByText('The service is not available (503)').waitFor();
    await page.unroute(`**/devices/${uid}`);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await both.inputValue()).toBe('X9\nwith care');
    await page.context().close();
  });

  test('lose nothing of their choices in a reload', async () => {
    const uid = await client.create('rules', {
      metadata: { name: 'merged' },
      spec: { count: 1, anything: 1 },
    });
    const page = await edit('rules', uid);
    await page.route('**/events?*', (route) => route.abort());
    await page.reload();
    await page.getByLabel('anything').fill('2');
    await page.getByLabel('count').fill('2');
    await client.merge('rules', uid, { spec: { count: 3, anything: 3 } });
    await save(page);
    await page.getByRole('radio', { name: 'Keep mine of spec.anything', exact: true }).check();
    await page.getByRole('radio', { name: 'Merge of spec.count', exact: true }).check();
    const both = page.getByLabel('Merged spec.count');
    await both.fill('4');
    await both.fill('5e');
    await page.reload();
    expect(await both.inputValue()).toBe('5e');
    expect(await page.getByRole('radio', { name: 'Keep mine of spec.anything' }).isChecked()).toBe(true);
    await page.getByText('1 of 2 fields still need your choice.').waitFor();
    await both.fill('5');
    await page.getByRole('button', { name: 'Use these values' }).click();
    await save(page);
    await saved(page);
    expect((await client.read('rules', uid)).spec).toMatchObject({ count: 5, anything: 2 });
    await page.context().close();
  });

  test('decide on each of two fields, one at the path a.b and one with the key a.b', async () => {
    const both = (value: number): object => ({ anything: { 'a.b': value, a: { b: value } } });
    const uid = await client.create('rules', { metadata: { name: 'dots' }, spec: { count: 1, ...both(1) } });
    const page = await edit('rules', uid);
    await page.route('**/events?*', (route) => route.abort());
    await page.reload();
    await page.getByLabel('anything').fill(JSON.stringify({ 'a.b': 2, a: { b: 2 } }));
    await page.getByLabel('count').fill('2');
    await client.merge('rules', uid, { spec: { count: 3, ...both(3) } });
    await save(page);
    const keep = (name: string) => page.getByRole('radio', { name: `Keep mine of ${name}`, exact: true });
    await keep('spec.anything["a.b"]').check();
    const use = page.getByRole('button', { name: 'Use these values' });
    expect([await keep('spec.anything.a.b').isChecked(), await use.isDisabled()]).toEqual([false, true]);
    await page.getByRole('radio', { name: 'Take theirs of spec.anything.a.b', exact: true }).check();
    expect(await keep('spec.anything["a.b"]').isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'Merge of spec.count', exact: true }).check();
    await page.getByLabel('Merged spec.count').fill('-');
    await page.getByText('This is not a number').waitFor();
    expect(await use.isDisabled()).toBe(true);
    await page.getByLabel('Merged spec.count').fill('-1');
    await use.click();
    await save(page);
    await saved(page);
    const { spec } = await client.read('rules', uid);
    expect(spec).toMatchObject({ count: -1, anything: { 'a.b': 2, a: { b: 3 } } });
    await page.context().close();
  });

  test('are told at once where the stream works, and a write of the status disturbs nobody', async () => {
    const uid = await device();
    const page = await edit('devices', uid);
    await page.locator('.stream.live').waitFor();
    await page.getByLabel('location', { exact: true }).fill('rome');
    await client.status('devices', uid, { phase: 'Ready' });
    await save(page);
    await saved(page);
    await page.getByLabel('location', { exact: true }).fill('oslo');
    await client.merge('devices', uid, { spec: { model: 'X2' } });
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Use these values' }).click();
    await save(page);
    await saved(page);
    expect((await client.read('devices', uid)).spec).toMatchObject({ location: 'oslo', model: 'X2' });
    await page.context().close();
  });

  test('see the notice at the end of a long form, and no message covers its buttons', async () => {
    const config = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`key-${index}`, 'x']));
    const uid = await device({ config });
    const page = await edit('devices', uid);
    await page.locator('.stream.live').waitFor();
    const last = page.getByRole('textbox', { name: 'config key-39' });
    await last.fill('mine');
    await save(page);
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    const message = (await page.getByText('sensor is saved').boundingBox())!;
    const buttons = (await page.getByRole('button', { name: 'Save', exact: true }).boundingBox())!;
    expect(message.y + message.height).toBeLessThan(buttons.y);
    await last.fill('mine again');
    await client.merge('devices', uid, { spec: { location: 'paris' } });
    const notice = page.getByText('Somebody else has changed this resource since you began.');
    await notice.waitFor();
    expect(await page.evaluate('scrollY')).toBeGreaterThan(500);
    expect((await notice.boundingBox())!.y).toBeGreaterThan(0);
    await page.context().close();
  });
});

describe('unsaved work', () => {
  test('survives a reload and a lost connection, and can be discarded', async () => {
    const uid = await device();
    const page = await edit('devices', uid);
    await page.getByLabel('location', { exact: true }).fill('rome');
    await page.reload();
    await page.getByText('One change: spec.location').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('link', { name: 'Go on editing' }).click();
    await page.context().setOffline(true);
    await page.getByLabel('model').fill('X2');
    await save(page);
    await page.getByText('The service cannot be reached').first().waitFor();
    await page.getByText('The service could not check this.').waitFor();
    await page.context().setOffline(false);
    await save(page);
    await saved(page);
    expect((await client.read('devices', uid)).spec).toMatchObject({ location: 'rome', model: 'X2' });
    await page.getByLabel('location', { exact: true }).fill('oslo');
    await page.getByRole('button', { name: 'Discard changes' }).click();
    expect(await page.getByLabel('location', { exact: true }).inputValue()).toBe('rome');
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
    await page.context().close();
  });

  test('a save whose response was lost counts as saved', async () => {
    const uid = await device();
    const page = await edit('devices', uid);
    await page.route('**/events?*', (route) => route.abort());
    await page.reload();
    await page.getByLabel('location', { exact: true }).fill('rome');
    await page.getByText('The service accepts this.').waitFor();
    await page.route(`**/devices/${uid}`, async (route) => {
      if (route.request().method() !== 'PUT') return route.continue();
      await route.fetch();
      await page.unroute(`**/devices/${uid}`);
      await route.abort();
    });
    await save(page);
    await page.getByText('The service cannot be reached').first().waitFor();
    await save(page);
    await saved(page);
    await page.context().close();
  });
});

test('a save that failed says why until the draft is changed', async () => {
  const uid = await device();
  const page = await edit('devices', uid);
  await page.route(`**/devices/${uid}`, (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 429, body: 'slow down' }) : route.continue(),
  );
  await page.getByLabel('location', { exact: true }).fill('rome');
  // The check of this change is still to come.
  await save(page);
  await page.getByRole('alert').getByText('slow down').waitFor();
  await page.waitForTimeout(1_000);
  expect(await page.getByRole('alert').getByText('slow down').count()).toBe(1);
  await page.getByLabel('location', { exact: true }).fill('oslo');
  await page.getByText('The service accepts this.').waitFor();
  await page.context().close();
});

test('the focus stays on Save and on Discard when they are pressed by the keyboard', async () => {
  const uid = await device();
  const page = await edit('devices', uid);
  for (const name of ['Discard changes', 'Save']) {
    await page.getByLabel('location', { exact: true }).fill('rome');
    await page.getByText('The service accepts this.').waitFor();
    const button = page.getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByText('No changes.').waitFor();
    expect(await page.locator('button:focus').textContent()).toBe(name);
  }
  expect((await client.read('devices', uid)).spec).toMatchObject({ location: 'rome' });
  await page.context().close();
});

describe('a new resource', () => {
  const openNew = async (parameters = ''): Promise<Page> => {
    const { page } = await open(browser, `${service.url}/console#/devices/-new${parameters}`);
    await page.getByRole('heading', { name: 'New Device' }).waitFor();
    return page;
  };
  const create = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Create Device' }).click();
    await page.getByRole('link', { name: 'Overview' }).waitFor();
  };
  const createdOf = (page: Page) => client.read('devices', new URL(page.url()).hash.split('/')[2]);

  test('starts from an example, and a dry run comes first', async () => {
    const page = await openNew();
    const writes: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') writes.push(new URL(request.url()).search);
    });
    await page.getByRole('textbox', { name: 'name', exact: true }).last().fill('from-example');
    await page.getByText('The service accepts this.').waitFor();
    expect(await accessibilityFailures(page)).toEqual({});
    await create(page);
    // The page of the new resource asks with a dry run of its own whether it may be copied.
    expect(writes.filter((query) => query !== '?dryRun=true')).toEqual(['']);
    expect(writes.indexOf('')).toBeGreaterThan(0);
    expect((await createdOf(page)).metadata.name).toBe('from-example');
    await page.context().close();
  });

  test('is created once, also where the response was lost and the page is loaded again', async () => {
    const page = await openNew();
    await page.getByRole('textbox', { name: 'name', exact: true }).last().fill('once');
    await page.getByText('The service accepts this.').waitFor();
    const lose = async (route: Route): Promise<void> => {
      if (route.request().method() === 'POST') await route.fetch();
      await route.abort();
    };
    await page.route(/\/devices$/, lose);
    await page.getByRole('button', { name: 'Create Device' }).click();
    await page.getByText('The service cannot be reached').first().waitFor();
    await page.unroute(/\/devices$/, lose);
    await page.reload();
    await page.getByText('The service accepts this.').waitFor();
    await create(page);
    const response = await fetch(`${service.url}/apis/example.svc.dev/v1/devices`);
    const all = (await response.json()) as { metadata: { name: string } }[];
    expect(all.filter(({ metadata }) => metadata.name === 'once')).toHaveLength(1);
    await page.context().close();
  });

  test('is created by Ctrl+S, but not under a dialog', async () => {
    const page = await openNew();
    await page.getByRole('textbox', { name: 'name', exact: true }).last().fill('from-key');
    await page.getByText('The service accepts this.').waitFor();
    await page.getByRole('button', { name: 'Keyboard help' }).click();
    await page.keyboard.press('Control+s');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe('#/devices/-new');
    await page.keyboard.press('Control+s');
    await page.getByRole('link', { name: 'Overview' }).waitFor();
    expect((await createdOf(page)).metadata.name).toBe('from-key');
    expect(await page.locator('main:focus').count()).toBe(1);
    await page.context().close();
  });

  test('starts from another resource, or from a file, which may need corrections', async () => {
    const uid = await device({ model: 'X1' });
    const page = await openNew(`?from=${uid}`);
    await page.getByLabel('model').fill('X2');
    await create(page);
    const { metadata, spec } = await createdOf(page);
    expect([metadata.name, spec]).toEqual([
      'sensor-copy',
      { name: 'Sensor', location: 'berlin', config: { rack: 'r5' }, model: 'X2' },
    ]);
    await page.goto(`${service.url}/console#/devices/-new`);
    const text = 'metadata: { name: filed }\nspec:\n  name: A\n  location: oslo\n  config: {';
    await page.getByLabel('YAML or JSON file').setInputFiles({
      name: 'device.yaml',
      mimeType: 'application/yaml',
      buffer: Buffer.from(text),
    });
    await page.getByText('The text cannot be read:').waitFor();
    await page.getByRole('textbox', { name: 'Resource as YAML' }).click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('}');
    await page.getByText('The service accepts this.').waitFor();
    await create(page);
    expect((await createdOf(page)).spec).toMatchObject({ name: 'A', location: 'oslo' });
    await page.context().close();
  });
});

test('a spec is saved whatever the size of the status', async () => {
  const uid = await device({ model: 'x'.repeat(600_000) });
  await client.status('devices', uid, { message: 'y'.repeat(600_000) });
  const page = await edit('devices', uid);
  await page.getByLabel('location', { exact: true }).fill('rome');
  await save(page);
  await saved(page);
  const { spec, status } = await client.read('devices', uid);
  expect([spec['location'], String(status?.['message']).length]).toEqual(['rome', 600_000]);
  await page.context().close();
});

test('an entry that is added to a long map is shown', async () => {
  const config = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key-${index}`, '']));
  const page = await edit('devices', await device({ config }));
  await page.getByLabel('New key of config').fill('added');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'config added', exact: true }).fill('a value');
  await page.getByText('The service accepts this.').waitFor();
  await page.context().close();
});

test('fields that a form cannot show, and values for other versions, stay', async () => {
  const lax = await startConsole(
    consoleProject('fixtures/everything', { security: [], nats: false, validation: 'warn' }),
  );
  const { create, read } = api(lax);
  const uid = await create('products', {
    apiVersion: 'shop.example.dev/v1',
    spec: {
      name: 'Lamp',
      price: 2.345,
      description: 'Only in v1',
      extra: { deep: [1, { a: null }] },
      inStock: 'perhaps',
    },
  });
  const { page } = await open(browser, `${lax.url}/console#/products/${uid}?tab=edit&version=v1beta1`);
  await page.getByLabel('shelf').fill('A7');
  await save(page);
  await saved(page);
  await page.goto(`${lax.url}/console#/products/${uid}?tab=edit`);
  await page.getByText('not declared').waitFor();
  await page.getByLabel('name', { exact: true }).first().fill('Lamp 2');
  await save(page);
  await saved(page);
  expect((await read('products', uid)).spec).toEqual({
    name: 'Lamp 2',
    price: 2.345,
    description: 'Only in v1',
    extra: { deep: [1, { a: null }] },
    inStock: 'perhaps',
  });
  const response = await fetch(`${lax.url}/apis/shop.example.dev/v1beta1/products/${uid}`);
  expect((await response.json()) as object).toMatchObject({ spec: { shelf: 'A7' } });
  await page.context().close();
  await lax.close();
});

test('two versions stand side by side, with the rules between them, and either is edited', async () => {
  const uid = await client.create('products', { spec: { name: 'Lamp', price: 2, description: 'A lamp' } });
  const { page } = await open(browser, `${service.url}/console#/products/${uid}?tab=versions`);
  const row = (name: string) => page.locator('table.versions tbody tr').filter({ hasText: name });
  expect(await row('spec.price').textContent()).toMatch(
    /spec\.price2spec\.cents200.*÷ 0\.01, rounded.*× 0\.01/,
  );
  expect(await row('spec.description').textContent()).toMatch(/A lampnot in this version.*not shown/);
  expect(await accessibilityFailures(page)).toEqual({});
  await page.getByRole('button', { name: 'Edit v1beta1' }).click();
  await page.getByRole('textbox', { name: 'cents' }).fill('-1');
  await page.getByText('cents must be at least 0').first().waitFor();
  await page.getByRole('textbox', { name: 'cents' }).fill('350');
  await page.getByRole('textbox', { name: 'shelf' }).fill('A7');
  await page.getByRole('button', { name: 'Save v1beta1' }).click();
  await saved(page);
  await row('spec.price').getByText('3.5', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Edit v1', exact: true }).click();
  await page.getByRole('textbox', { name: 'name', exact: true }).fill('Lamp 2');
  expect(await accessibilityFailures(page)).toEqual({});
  await page.getByRole('button', { name: 'Save v1', exact: true }).click();
  await saved(page);
  await page.locator('td').nth(1).getByText('Lamp 2').waitFor();
  expect((await client.read('products', uid)).spec).toMatchObject({ name: 'Lamp 2', price: 3.5 });
  await page.context().close();
});
