import type { Locator, Page } from 'playwright-core';
import type { Resource } from '../../templates/runtime/model/resource';
import type { TestService } from '../runtime/support/harness';

// The operations of the page at `/docs`.

/** Creates a device; returns its uid. */
export async function created(service: TestService): Promise<string> {
  const body = JSON.stringify({ spec: { name: 'lamp', location: 'hall' } });
  const response = await fetch(`${service.url}/apis/example.svc.dev/v1/devices`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  return ((await response.json()) as Resource).metadata.uid;
}

/** Opens an operation, and the tag it belongs to where that is closed. */
export async function operation(page: Page, tag: string, id: string): Promise<Locator> {
  const section = page.locator(`#operations-tag-${tag}`);
  await section.waitFor();
  if ((await section.getAttribute('data-is-open')) === 'false') await section.click();
  const block = page.locator(`#operations-${tag}-${id}`);
  await block.locator('.opblock-summary-control').click();
  return block;
}

/** Sends the request of an operation. */
export async function execute(block: Locator): Promise<void> {
  const start = block.getByRole('button', { name: 'Try it out' });
  // An operation that was just opened has neither of them yet.
  await start.or(block.getByRole('button', { name: 'Cancel' })).waitFor();
  if (await start.isVisible()) await start.click();
  await block.getByRole('button', { name: 'Execute' }).click();
}

/** Returns the response as the page shows it. */
export async function responseOf(block: Locator): Promise<{ status: string; text: string }> {
  const row = block.locator('.live-responses-table tr.response').first();
  const status = await row.locator('.response-col_status').innerText();
  return {
    status: status.trim().slice(0, 3),
    text: await row.locator('.response-col_description').innerText(),
  };
}
