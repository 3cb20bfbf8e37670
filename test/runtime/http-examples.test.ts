import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadProject } from '../../src/load/load-project';
import { startService, type TestService } from './harness';

// The examples of docs/http.md are answered as they are told there, by the service of examples/device-service.

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/http.md'), 'utf8');

interface Exchange {
  title: string;
  method: string;
  path: string;
  headers: { [name: string]: string };
  body: string;
  status: number;
  /** Some of the answer. */
  part: object | undefined;
}

const exchanges = [...page.matchAll(/^```http\n(.*?)^```/gms)].map(([, text]) => exchangeOf(text!));
const [creation, ...examples] = exchanges;

let service: TestService;

beforeEach(async () => {
  service = await startService(loadProject(join(root, 'examples/device-service')).project);
});

afterEach(() => service.close());

test('the device', async () => {
  await expectAnswer(creation!, await ask(creation!, {}));
});

test.each(examples.map((example) => [example.title, example] as const))('%s', async (_title, example) => {
  const created = await ask(creation!, {});
  const { metadata } = (await created.json()) as { metadata: { uid: string } };
  const etag = created.headers.get('etag') ?? '';
  await expectAnswer(example, await ask(example, { '{uid}': metadata.uid, '{etag}': etag }));
});

function exchangeOf(text: string): Exchange {
  const [request = '', answer = ''] = text.split('\n→ ');
  const [head = '', body = ''] = request.trim().split('\n\n');
  const [line = '', ...lines] = head.split('\n');
  const [method = '', path = ''] = line.split(' ');
  const headers = Object.fromEntries(lines.map((header) => header.split(': ') as [string, string]));
  const [status = '', ...part] = answer.trim().split(' ');
  return {
    title: `${line} ${lines.join(' ')} ${body}`.trim(),
    method,
    path,
    headers,
    body,
    status: Number(status),
    part: part.length === 0 ? undefined : (JSON.parse(part.join(' ')) as object),
  };
}

function ask(
  { method, path, headers, body }: Exchange,
  names: { [name: string]: string },
): Promise<Response> {
  const named = (text: string): string => text.replace(/\{\w+\}/g, (name) => names[name] ?? name);
  return fetch(service.url + named(path), {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, named(value)]),
    ...(body !== '' && { body }),
  });
}

async function expectAnswer({ status, part }: Exchange, answer: Response): Promise<void> {
  const text = await answer.text();
  expect({ status: answer.status, text }).toMatchObject({ status });
  if (part !== undefined) expect(JSON.parse(text)).toMatchObject(part);
}
