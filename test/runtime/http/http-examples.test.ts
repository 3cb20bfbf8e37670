import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../../src/load/load-project';
import { ask, exchangesOf, expectResponse } from '../../support/http-example';
import { startService, type TestService } from '../support/harness';

// The examples of docs/http.md get the responses of that page from the service of examples/device-service.

const root = join(__dirname, '../../..');
const page = readFileSync(join(root, 'docs/http.md'), 'utf8');

const [creation, ...examples] = exchangesOf(page);

let service: TestService;

beforeEach(async () => {
  service = await startService(loadProject(join(root, 'examples/device-service')).project);
});

afterEach(() => service.close());

test('the device', async () => {
  await expectResponse(creation, await ask(service.url, creation));
});

test.each(examples.map((example) => [example.title, example] as const))('%s', async (_title, example) => {
  const created = await ask(service.url, creation);
  const { metadata } = (await created.json()) as { metadata: { uid: string } };
  const etag = created.headers.get('etag') ?? '';
  await expectResponse(example, await ask(service.url, example, { '{uid}': metadata.uid, '{etag}': etag }));
});
