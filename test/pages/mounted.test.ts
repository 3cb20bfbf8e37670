import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Browser } from 'playwright-core';
import { documentOf } from '../openapi/document-of';
import { createApp, type TestService } from '../runtime/support/harness';
import { open, startBrowser } from './browser';
import { consoleProject, startConsole } from './console';
import { api } from './console-api';
import { created, execute, operation, responseOf } from './docs-page';

// The pages of a service that is mounted below a path.

const PROJECT = consoleProject('examples/device-service');

let browser: Browser;
let service: TestService;
let server: Server;
beforeAll(async () => {
  browser = await startBrowser();
  service = await startConsole(PROJECT);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});
afterAll(async () => {
  await browser.close();
  await service.close();
});

/** A reverse proxy that removes `/inventory` from each path. */
const proxy = (): Server =>
  createServer((req, res) => {
    const path = req.url!.replace(/^\/inventory(?=\/)/, '');
    if (path === req.url) return res.writeHead(404).end();
    const { method, headers } = req;
    const sent = request(service.url, { path, method, headers }, (answer) => {
      res.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(res);
    });
    sent.on('error', () => res.destroy());
    res.on('close', () => sent.destroy());
    return req.pipe(sent);
  });

/** Another application, with that of the service at `/inventory`. */
const application = (): Server =>
  createServer(
    express().use('/inventory', createApp(service.service, PROJECT, { openapi: documentOf(PROJECT) })),
  );

test.each([
  ['a reverse proxy', proxy, '/inventory/'],
  ['another application', application, '/inventory'],
])('below the path of %s, the pages work as at the root', async (_, make, entry) => {
  server = make().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const uid = await created(service);
  const { page, complaints } = await open(browser, root + entry);
  const links: string[] = await page.evaluate('[...document.links].map(({ href }) => href)');
  expect(links.filter((link) => !link.startsWith(`${root}/inventory/`))).toEqual([]);

  await page.getByRole('link', { name: 'Console' }).click();
  await page.getByRole('link', { name: 'Device', exact: true }).first().click();
  await page.locator('.stream.live').waitFor();
  await page.getByRole('link', { name: uid }).click();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('location', { exact: true }).fill('attic');
  await page.getByRole('link', { name: 'YAML', exact: true }).nth(1).click();
  await page.locator('.cm-content').getByText('attic').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('No changes.').waitFor();
  expect((await api(service).read('devices', uid)).spec).toMatchObject({ location: 'attic' });

  await page.getByRole('link', { name: 'API docs' }).click();
  const list = await operation(page, 'Device_v1', 'listDevicesV1');
  await execute(list);
  expect(await responseOf(list)).toEqual({ status: '200', text: expect.stringContaining(uid) as string });
  await page.locator('a.home').click();
  await page.getByRole('link', { name: 'Console' }).waitFor();
  expect(page.url()).toBe(`${root}/inventory/`);
  expect(complaints).toEqual([]);
  await page.context().close();
});
