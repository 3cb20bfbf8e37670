import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { setActor } from '../../templates/runtime/http/security/actor';
import {
  describeWithPostgres,
  type PostgresServer,
  postgresServer,
} from '../runtime/store/postgres/postgres-server';
import type { TestOptions, TestService } from '../runtime/support/harness';
import { accessibilityFailures, open, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { api } from './console-api';

// The history of a resource, the events of a service, and the service itself.

const PROJECT = consoleProject('examples/device-service');
const SPEC = { name: 'Sensor', location: 'berlin' };

let browser: Browser;
let page: Page;
beforeAll(async () => void (browser = await startBrowser()));
afterAll(() => browser.close());
afterEach(() => page.context().close());

const asAnn: TestOptions = {
  middleware: (app) =>
    app.use((req, _res, next) => {
      setActor(req, 'ann');
      next();
    }),
};

describe.each([['SQLite', describe] as const, ['PostgreSQL', describeWithPostgres] as const])(
  '%s',
  (name, on) => {
    on(name, () => {
      let server: PostgresServer | undefined;
      let service: TestService;
      beforeAll(async () => {
        if (name === 'PostgreSQL') server = await postgresServer();
        const environment = server && { DATABASE_URL: await server.newSchema() };
        service = await startConsole(PROJECT, { ...asAnn, environment });
      });
      afterAll(async () => {
        await service.close();
        await server?.close();
      });

      test('snapshots are compared and restored', async () => {
        const { create, merge, read } = api(service);
        const metadata = { name: 'sensor', labels: { env: 'prod' } };
        const uid = await create('devices', { metadata, spec: SPEC });
        await merge('devices', uid, { spec: { location: 'paris', config: { rack: '5' } } });
        await merge('devices', uid, { metadata: { labels: { env: 'test' } } });
        ({ page } = await open(browser, `${service.url}/console#/devices/${uid}?tab=history`));
        const entries = page.locator('.timeline li');
        await entries.nth(2).waitFor();
        expect(await entries.first().textContent()).toContain('by ann current');
        const differences = page.getByRole('group', { name: 'Differences' }).getByRole('row');
        expect(await differences.allTextContents()).toEqual([expect.any(String), 'labels.envprodtest']);
        await entries.nth(2).getByRole('radio').first().check();
        await page.getByText('spec.location').waitFor();
        expect((await differences.allTextContents()).slice(1)).toEqual([
          'spec.locationberlinparis',
          'spec.configabsentrack5',
          'labels.envprodtest',
        ]);
        await page.reload();
        await page.getByText('spec.location').waitFor();

        await entries.nth(2).getByRole('button').click();
        const dialog = page.getByRole('dialog', { name: 'Restore this snapshot?' });
        await dialog.getByText('spec.config').waitFor();
        expect(await accessibilityFailures(page)).toEqual({});
        await dialog.getByRole('button', { name: 'Restore' }).click();
        await entries.nth(3).waitFor();
        expect(await read('devices', uid)).toMatchObject({ metadata, spec: SPEC });
        expect((await read('devices', uid)).spec).not.toHaveProperty('config');
      });

      test('a restore never overwrites a change that nobody has seen', async () => {
        const { create, merge, read } = api(service);
        const uid = await create('devices', { metadata: { name: 'a' }, spec: SPEC });
        await merge('devices', uid, { spec: { location: 'paris' } });
        ({ page } = await open(browser, `${service.url}/console#/devices/${uid}?tab=history`));
        await page.locator('.timeline button').click();
        const dialog = page.getByRole('dialog', { name: 'Restore this snapshot?' });
        await dialog.getByText('spec.location').waitFor();
        await merge('devices', uid, { spec: { location: 'rome' } });
        await dialog.getByRole('button', { name: 'Restore' }).click();
        await dialog.getByText('Somebody else has changed this (412)').waitFor();
        expect((await read('devices', uid)).spec['location']).toBe('rome');
      });

      test('the stream is filtered, held and opened', async () => {
        const { create, merge } = api(service);
        const uid = await create('devices', {
          metadata: { name: 'lamp', labels: { room: '1' } },
          spec: SPEC,
        });
        await create('devices', { metadata: { name: 'fan' }, spec: SPEC });
        ({ page } = await open(browser, `${service.url}/console#/-/events?after=0&labelSelector=room%3D1`));
        const names = page.locator('tbody th');
        await names.getByText('lamp').waitFor();
        expect(await names.allTextContents()).toEqual(['lamp']);

        await page.getByRole('button', { name: 'Pause' }).click();
        await merge('devices', uid, { spec: { location: '\u202ehostile<b>' } });
        await page.getByText('1 new event waits').waitFor();
        expect(await names.allTextContents()).toEqual(['lamp']);
        await page.getByRole('button', { name: 'Resume' }).click();
        await names.nth(1).waitFor();
        await page.getByLabel('Name, uid or actor').fill('nobody');
        await page.getByText('No event has this text').waitFor();
        await page.getByLabel('Name, uid or actor').fill(uid);
        await names.nth(1).waitFor();
        await page.getByLabel('Action').selectOption('updated');
        await names.nth(1).waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Open the event of lamp' }).click();
        const dialog = page.getByRole('dialog', { name: 'io.svc.device.updated' });
        await dialog.getByText('"specversion": "1.0"').waitFor();
        expect(await dialog.textContent()).toContain('U+202Ehostile<b>');
        expect(await dialog.textContent()).toContain('"actor": "ann"');
        expect(await accessibilityFailures(page)).toEqual({});
      });
    });
  },
);

test('a long history grows on demand, and a link leads to its oldest snapshot', async () => {
  const service = await startConsole(PROJECT, asAnn);
  const { create, merge } = api(service);
  const uid = await create('devices', { metadata: { name: 'sensor' }, spec: SPEC });
  const write = (count: number): Promise<void> => merge('devices', uid, { spec: { model: `X${count}` } });
  await Promise.all(Array.from({ length: 103 }, (_, index) => write(index + 1)));
  await write(104);
  ({ page } = await open(browser, `${service.url}/console#/devices/${uid}?tab=history`));
  const entries = page.locator('.timeline li');
  await entries.nth(99).waitFor();
  expect(await entries.count()).toBe(100);
  await page.getByRole('button', { name: 'Earlier snapshots' }).click();
  const oldest = entries.nth(104).getByRole('radio').first();
  await oldest.check();
  const difference = page.getByRole('group', { name: 'Differences' }).getByText('X104');
  await difference.waitFor();
  await page.reload();
  await difference.waitFor();
  expect(await oldest.isChecked()).toBe(true);
  await service.close();
});

test('a link leads to an event, with those after it', async () => {
  const service = await startConsole(PROJECT, asAnn);
  const { create } = api(service);
  for (const name of ['one', 'two', 'three']) await create('devices', { metadata: { name }, spec: SPEC });
  ({ page } = await open(browser, `${service.url}/console#/-/events?after=0`));
  await page.getByRole('button', { name: 'Open the event of two' }).click();
  await page.context().grantPermissions([]);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('The browser does not allow this page to copy.').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  const link = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.goto('about:blank');
  await page.goto(link);
  const dialog = page.getByRole('dialog', { name: 'io.svc.device.created' });
  await dialog.getByRole('link', { name: 'two' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.locator('tbody th').allTextContents()).toEqual(['three', 'two']);
  await service.close();
});

describe('dead letters', () => {
  let receiver: Server;
  let received: string[];
  let isUp: boolean;
  let service: TestService;
  beforeEach(async () => {
    [received, isUp] = [[], false];
    receiver = createServer((req, res) => {
      if (isUp) received.push(String(req.headers['webhook-id'] ?? req.url));
      req.resume();
      res.writeHead(isUp ? 204 : 500).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await service.close();
    receiver.close();
    receiver.closeAllConnections();
  });

  const start = (options: TestOptions = {}): Promise<TestService> =>
    startConsole(PROJECT, {
      ...options,
      environment: {
        WEBHOOK_URLS: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
        WEBHOOK_ALLOW_PRIVATE: 'true',
        EVENTS_MAX_ATTEMPTS: '1',
        EVENTS_RETRY_MS: '1',
      },
    });

  test('are listed, opened and delivered again', async () => {
    service = await start();
    for (const name of ['one', 'two'])
      await api(service).create('devices', { metadata: { name }, spec: SPEC });
    ({ page } = await open(browser, `${service.url}/console#/-/events?tab=dead-letters`));
    const names = page.locator('tbody th');
    while ((await names.count()) < 2) {
      await page.keyboard.press('r');
      await page.waitForTimeout(200);
    }
    await page
      .getByRole('button', { name: /^Open letter/ })
      .first()
      .click();
    await page.getByRole('dialog').getByText('"resourceName": "one"').waitFor();
    await page.keyboard.press('Escape');
    await page.getByLabel('Select all of this page').check();
    await page.getByRole('button', { name: 'Deliver 2 again' }).click();
    await page.getByText('2 events were not accepted').waitFor();
    isUp = true;
    await page.getByRole('button', { name: 'Deliver 2 again' }).click();
    await page.getByText('There are no dead letters').waitFor();
    expect(received).toHaveLength(2);
  });

  test('are refused in words to those who may not see them', async () => {
    service = await start({ hooks: { Device: { policy: { canList: () => ({ allowed: true }) } } } });
    ({ page } = await open(browser, `${service.url}/console#/-/events?tab=dead-letters`));
    const problem = page.getByRole('alert');
    await problem.getByText('You are not allowed to do this (403)').waitFor();
    await problem.getByText(/^Request/).waitFor();
  });
});

test('the service shows its state, its metrics, and no secret', async () => {
  const environment = { WEBHOOK_SECRET: 'whsec_dG9wLXNlY3JldA==', MAX_PAGE_SIZE: '77' };
  const service = await startConsole(PROJECT, { environment });
  ({ page } = await open(browser, `${service.url}/console`));
  await page.getByRole('heading', { name: 'Kinds' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.type('serv');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Health' }).getByText('ok').waitFor();
  await page.getByRole('region', { name: 'Readiness' }).getByText('ready').waitFor();
  for (let count = 0; count < 5; count++) await fetch(`${service.url}/devices`);
  await page.getByRole('img', { name: /^Requests: all [\d.]+ \/s, 5xx 0 \/s/ }).waitFor();
  const settings = page.getByRole('group', { name: 'Settings' });
  expect(await settings.textContent()).toMatch(/MAX_PAGE_SIZE.*77/);
  expect(await settings.textContent()).toMatch(/WEBHOOK_SECRET.*set, not shown here/);
  await page.keyboard.press('/');
  await page.keyboard.type('webhook_mode');
  await settings.getByText('structured', { exact: true }).waitFor();
  expect(await settings.getByRole('row').count()).toBe(1);
  const text = await (await fetch(`${service.url}/console/settings.json`)).text();
  expect(text).not.toContain('c2VjcmV0');
  expect(text).not.toContain('sqlite::memory');
  await service.close();
});

test('settings and events are for those who are signed in', async () => {
  const service = await startConsole(
    consoleProject('examples/device-service', { security: [{ type: 'bearer' }] }),
    { middleware: () => undefined },
  );
  ({ page } = await open(browser, `${service.url}/console#/-/service`));
  await page.getByRole('alert').getByText('Sign in to see this (401)').first().waitFor();
  expect((await fetch(`${service.url}/console/settings.json`)).status).toBe(401);
  expect((await fetch(`${service.url}/console/service.json`)).status).toBe(200);
  await page.goto(`${service.url}/console#/-/events`);
  await page.getByRole('alert').getByText('Sign in to see this (401)').waitFor();
  await service.close();
});

test('after another sign-in, the stream of events begins anew, and under no pointer waits', async () => {
  const service = await startConsole(
    consoleProject('examples/device-service', { security: [{ type: 'bearer' }] }),
    {
      middleware: (app) =>
        app.use((req, _res, next) => {
          if (req.headers.authorization !== undefined) setActor(req, req.headers.authorization);
          next();
        }),
    },
  );
  const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer writer' };
  const body = JSON.stringify({ spec: { name: 'lamp', location: 'hall' } });
  await fetch(`${service.url}/devices`, { method: 'POST', headers, body });
  ({ page } = await open(browser, `${service.url}/console#/-/events?after=0`));
  for (const token of ['one', 'two']) {
    await page
      .getByRole('button', { name: /^Sign(ed)? in$/ })
      .first()
      .click();
    await page.getByLabel('Bearer token').fill(token);
    const begun = page.waitForResponse(/\/events\?*$/);
    await page.keyboard.press('Enter');
    await begun;
    await page.getByRole('button', { name: /^Open the event/ }).waitFor();
    await page.waitForTimeout(500);
    expect(await page.getByRole('button', { name: /^Open the event/ }).count()).toBe(1);
    // The table goes away under the pointer at the next sign-in.
    await page.getByRole('columnheader', { name: 'Kind' }).hover();
  }
  await service.close();
});

test('parts that are switched off do not show', async () => {
  const service = await startConsole(consoleProject('fixtures/minimal'), {
    environment: { METRICS: 'false' },
  });
  const [kind] = (
    (await (await fetch(`${service.url}/console/service.json`)).json()) as { kinds: { plural: string }[] }
  ).kinds;
  ({ page } = await open(browser, `${service.url}/console#/-/service`));
  await page.getByRole('region', { name: 'Health' }).getByText('ok').waitFor();
  expect(await page.locator('.charts').count()).toBe(0);
  expect(await page.getByRole('navigation').getByRole('link', { name: 'Events' }).count()).toBe(0);
  expect(await (await fetch(`${service.url}/console/settings.json`)).text()).not.toMatch(/EVENTS_|WEBHOOK_/);
  await page.goto(`${service.url}/console#/-/events`);
  await page.getByText('This page does not exist').waitFor();
  await page.goto(`${service.url}/console#/${kind.plural}`);
  await page.getByText('There are no').waitFor();
  expect(await page.getByLabel('Field selector').count()).toBe(0);
  expect(await page.getByLabel('Order').count()).toBe(0);
  await service.close();
});
