import type { JsonObject } from '../../templates/runtime/model/schema';
import { documentOf } from '../openapi/document-of';
import { demo, writeDocument, writeDocuments } from './documents';
import { type ShopService, startShop } from './shop-service';
import { Tool } from './tool';

const OK = { code: 0, text: expect.any(String) as string };
const documents = writeDocuments();

describe('redocly lint', () => {
  const redocly = new Tool('redocly');
  const lint = (...files: string[]): ReturnType<Tool['run']> =>
    redocly.run('redocly', 'lint', '--config', 'redocly.yaml', '--format', 'json', ...files);

  beforeAll(() => redocly.install());

  test.each(Object.entries(documents))('neither errors nor warnings: %s', async (_title, file) => {
    expect(await lint(file)).toEqual(OK);
  });

  test.each<[title: string, change: (document: JsonObject) => void, rule: string]>([
    ['a reference to nothing', (document) => delete document['components'], 'no-unresolved-refs'],
    ['an unknown member', (document) => (document['colour'] = 'red'), 'struct'],
    [
      'what is only a warning by default',
      ({ info }) => delete (info as JsonObject)['license'],
      'info-license',
    ],
  ])('%s is found', async (title, change, rule) => {
    const document = documentOf(demo());
    change(document);
    const { code, text } = await lint(writeDocument(title, document));
    expect(code).toBe(1);
    expect(text).toContain(`"ruleId": "${rule}"`);
  });
});

describe.each([
  ['openapi-typescript', (file: string, name: string) => ['openapi-typescript', file, '-o', `${name}.ts`]],
  ['hey-api', (file: string, name: string) => ['openapi-ts', '--silent', '-i', file, '-o', name]],
])('a client made by %s', (name, command) => {
  const tool = new Tool(name);
  let service: ShopService;

  beforeAll(async () => {
    await tool.install();
    service = await startShop(name);
  });
  afterAll(() => service.close());

  test('compiles, and creates, gets, patches and lists', async () => {
    for (const project of ['demo', 'everything', 'shop']) {
      const [program = '', ...args] = command(documents[project], project);
      expect(await tool.run(program, ...args)).toEqual(OK);
    }
    expect(await tool.run('tsc')).toEqual(OK);
    expect(await tool.node('dist/round-trip.js', service.url, service.token)).toEqual({ code: 0, text: '' });
  });
});
