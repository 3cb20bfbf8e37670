import type { Browser } from 'playwright-core';
import { setActor } from '../../templates/runtime/http/security/actor';
import { accessibilityFailures, open, sideways, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { api } from './console-api';

// The console where things are not as usual: hostile data, credentials, features that are off.

let browser: Browser;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());

test('hostile data stays data', async () => {
  const project = consoleProject('examples/device-service');
  const service = await startConsole(project);
  const { create } = api(service);
  const markup = `"><img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
  const bidi = 'safe\u202etxt.exe\u0000\ud800';
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, markup]));
  const uids = [
    await create('devices', {
      metadata: { name: markup, labels: { a: markup.replace(/[,=!()<>\s]/g, '') } },
      spec: { name: bidi, location: 'javascript:alert(1)' },
    }),
    await create('devices', {
      metadata: { name: bidi },
      spec: { name: 'x'.repeat(1_000_000), location: '' },
    }),
    await create('devices', {
      metadata: { name: 'keys' },
      spec: { name: 'many', location: '', config: keys },
    }),
  ];
  const { page, complaints } = await open(browser, `${service.url}/console#/devices?wide=1`);
  await page.getByText('3 resources').waitFor();
  expect(await page.locator('tbody th').allTextContents()).toEqual([
    markup,
    'safeU+202Etxt.exeU+0000U+D800',
    'keys',
  ]);
  for (const uid of uids)
    for (const [tab, landmark] of [
      ['overview', '.overview'],
      ['yaml', 'pre'],
      ['json', 'pre'],
      ['edit', '.draft-form'],
      ['edit&as=yaml', '.cm-content'],
    ]) {
      await page.goto(`${service.url}/console#/devices/${uid}?tab=${tab}`);
      await page.locator(landmark).waitFor();
      expect(await sideways(page)).toBe(0);
    }
  await page.goto(`${service.url}/console#/devices/${uids[2]}`);
  await page.getByRole('button', { name: 'Show 1000 of 9900 more' }).click();
  await page.getByText('key-1099').waitFor();
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  expect(await page.locator('main img, main script').count()).toBe(0);
  expect(complaints.filter((each) => !each.includes('/events'))).toEqual([]);
  await service.close();
});

test('credentials stay in the tab, and never get into a URL', async () => {
  const project = consoleProject('examples/device-service', {
    security: [{ type: 'bearer' }, { type: 'apiKey', header: 'X-API-Key' }],
  });
  const service = await startConsole(project, {
    middleware: (app) =>
      app.use((req, _res, next) => {
        if (req.headers.authorization === 'Bearer secret-token') setActor(req, 'ann');
        next();
      }),
  });
  const { page } = await open(browser, `${service.url}/console#/devices`);
  const urls: string[] = [];
  page.on('request', (request) => urls.push(request.url()));
  await page.getByRole('alert').getByText('Sign in to see this (401)').waitFor();
  await page.getByRole('alert').getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Bearer token').fill('secret-token');
  expect(await accessibilityFailures(page)).toEqual({});
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('There are no devices yet').waitFor();
  await page.reload();
  await page.getByText('There are no devices yet').waitFor();
  expect(urls.filter((url) => url.includes('secret-token'))).toEqual([]);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('secret-token');
  await page.getByRole('button', { name: 'Signed in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').getByText('Sign in to see this (401)').waitFor();
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).toBe('{}');
  await service.close();
});

test('credentials that are refused can be replaced, also after a reload', async () => {
  const project = consoleProject('examples/device-service', { security: [{ type: 'bearer' }] });
  const service = await startConsole(project, {
    middleware: (app) =>
      app.use((req, res, next) => {
        const { authorization } = req.headers;
        if (authorization === 'Bearer good') setActor(req, 'ann');
        // As middleware of a user may do it, on every path.
        if ((authorization ?? 'Bearer good') === 'Bearer good') next();
        else res.status(401).send('Invalid token');
      }),
  });
  const { page } = await open(browser, `${service.url}/console#/devices`);
  const signIn = async (token: string): Promise<void> => {
    await page
      .getByRole('button', { name: /^Sign(ed)? in$/ })
      .first()
      .click();
    await page.getByLabel('Bearer token').fill(token);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
  };
  await signIn('copied…');
  await page.getByLabel('Bearer token').and(page.locator(':invalid')).waitFor();
  await page.keyboard.press('Escape');
  await signIn('expired');
  await page.getByRole('alert').getByText('Invalid token').waitFor();
  await page.reload();
  await page.getByRole('alert').getByText('Invalid token').waitFor();
  await signIn('good');
  await page.getByText('There are no devices yet').waitFor();
  await page.context().close();
  await service.close();
});

test('an action that a policy refuses says why, and is switched off', async () => {
  const refuse = (reason: string) => () => ({ allowed: false, reason });
  let isOpen = true;
  const policy = {
    canCreate: () => ({ allowed: isOpen, reason: 'Closed' }),
    canDelete: ({ resource }: { resource?: { metadata: { name: string } } }) => ({
      allowed: resource?.metadata.name !== 'a',
      reason: 'Only on Mondays',
    }),
    canUpdate: refuse('Only on Sundays'),
    canUpdateStatus: refuse('Only by controllers'),
  };
  const service = await startConsole(consoleProject('examples/device-service'), {
    hooks: { Device: { policy } },
  });
  const spec = { name: 'a', location: 'b' };
  const { create } = api(service);
  const uid = await create('devices', { metadata: { name: 'a' }, spec });
  await create('devices', { metadata: { name: 'b' }, spec });
  const { page } = await open(browser, `${service.url}/console#/devices/${uid}?tab=edit`);
  await page.getByText('Forbidden: Only on Sundays').waitFor();
  for (const [name, reason] of [
    ['Delete…', 'Only on Mondays'],
    ['Save', 'Only on Sundays'],
  ]) {
    const button = page.getByRole('button', { name, exact: true });
    expect([await button.isDisabled(), await button.getAttribute('title')]).toEqual([
      true,
      expect.stringContaining(reason),
    ]);
  }
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Edit status', disabled: true }).waitFor();
  isOpen = false;
  await page.getByRole('link', { name: 'Device', exact: true }).first().click();
  const refused = (name: string) => page.getByRole('button', { name, exact: true, disabled: true });
  await refused('New…').waitFor();
  expect(await refused('New…').getAttribute('title')).toContain('Closed');

  await page.getByLabel('Select a', { exact: true }).check();
  await refused('Delete…').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('Only on Mondays').waitFor();
  await refused('Set label…').waitFor();
  await page.getByLabel('Select b', { exact: true }).check();
  await page.getByRole('button', { name: 'Delete…', disabled: false }).click();
  await page.getByRole('dialog').getByText('would refuse 1 of 2: Forbidden: Only on Mondays').waitFor();
  await page.keyboard.press('Escape');
  expect(await accessibilityFailures(page)).toEqual({});
  await page.getByRole('link', { name: 'a', exact: true }).click();
  await refused('Copy…').waitFor();
  await service.close();
});

test('the deleted resource of another user stays on the screen, and says so', async () => {
  const service = await startConsole(consoleProject('examples/device-service'));
  const { create, merge, remove } = api(service);
  const uid = await create('devices', { metadata: { name: 'a' }, spec: { name: 'a', location: 'berlin' } });
  const { page } = await open(browser, `${service.url}/console#/devices/${uid}`);
  await page.locator('.stream.live').waitFor();
  await merge('devices', uid, { spec: { location: 'paris' } });
  await page.locator('dd', { hasText: 'paris' }).waitFor();
  await remove('devices', uid);
  await page.getByText('This resource has been deleted').waitFor();
  expect(await page.locator('dd', { hasText: 'paris' }).count()).toBe(1);
  await service.close();
});

test('without events and without other versions there is no word of them', async () => {
  const project = consoleProject('fixtures/minimal');
  const service = await startConsole(project);
  const { page, complaints } = await open(browser, `${service.url}/console`);
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  expect(await page.getByText('Changes').count()).toBe(0);
  await page.locator('table.kinds a').first().click();
  await page.getByText('There are no').waitFor();
  expect(await page.locator('.stream').count()).toBe(0);
  expect(await page.getByLabel('Version').count()).toBe(0);
  expect(complaints).toEqual([]);
  await service.close();
});
