import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { startService, type TestService } from '../runtime/support/harness';
import { ask, exchangesOf, expectResponse } from '../support/http-example';
import { blocksOf } from '../support/page';
import { PageProgram } from './page-program';

// The examples of docs/data.md run in order against a service of the project that the page shows.

const ROOT = join(__dirname, '../..');
const PAGE = join(ROOT, 'docs/data.md');
const blocks = blocksOf(PAGE);

let service: TestService;
let page: PageProgram;
beforeAll(async () => {
  const { project } = loadProject('.', blocks.find(({ argument }) => argument === 'project.yaml')!.text);
  page = new PageProgram(join(ROOT, '.tmp/data-page'), project, blocks);
  service = await startService(project);
});
afterAll(() => service.close());

test.each(exchangesOf(readFileSync(PAGE, 'utf8')).map((exchange) => [exchange.title, exchange] as const))(
  '%s',
  async (_title, exchange) => expectResponse(exchange, await ask(service.url, exchange)),
);

test('the program compiles, and prints what is shown', () => page.expectProgram(service.url));

test('the commands print what is shown', () => page.expectCommands(service.url));
