import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { startService, type TestService } from '../runtime/support/harness';
import { blocksOf } from '../support/page';
import { PageProgram } from './page-program';

// The examples of docs/client.md run against a service of the demo.

const ROOT = join(__dirname, '../..');

let service: TestService;
let page: PageProgram;
beforeAll(async () => {
  const { project } = loadProject(join(ROOT, 'examples/device-service'));
  page = new PageProgram(join(ROOT, '.tmp/client-page'), project, blocksOf(join(ROOT, 'docs/client.md')));
  service = await startService(project, { environment: { EVENTS_POLL_MS: '5' } });
});
afterAll(() => service.close());

test('the program compiles, and prints what is shown', () => page.expectProgram(service.url));

test('the commands print what is shown', () => page.expectCommands(service.url));
