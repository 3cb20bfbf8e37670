import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { begin, create, JSON_TYPE, send, sendRaw, statuses } from '../support/client';
import { type ServiceProcess, startProcess } from '../support/service-process';

/** A thousand requests that nobody should send, the same in every run, to a process of its own. */
const SEED = 20_240_506;
const RUNS = 1_000;

let service: ServiceProcess;
beforeAll(async () => void (service = await startProcess()));

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '',
    '\u0000',
    '%00',
    '%',
    '..',
    '%2e%2e',
    '"',
    "'; DROP TABLE resources; --",
    '${7*7}',
    '😀',
    '\ud800',
    '__proto__',
  ),
);
const path = (uid: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      '/things',
      `/things/${uid}`,
      `/things/${uid}/status`,
      `/devices/${uid}/versions`,
      '/books',
      '/',
    ),
    fc.constantFrom(
      '/events',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/apis',
      '/apis/example.svc.dev/v1/things',
      '*',
      '',
    ),
    fc.array(text, { maxLength: 4 }).map((parts) => `/${parts.map(encoded).join('/')}`),
    fc.tuple(text, text).map(([name, value]) => `/things?${encoded(name)}=${encoded(value)}`),
    text.map((selector) => `/things?labelSelector=${encoded(selector)}`),
    fc.constantFrom(
      `/${'a'.repeat(9_000)}`,
      `/things?${'label=a&'.repeat(1_000)}`,
      '/things?limit=1e9',
      '/things?continue=AAAA',
    ),
  );

function encoded(raw: string): string {
  return encodeURIComponent(raw.replace(/\p{Cs}/gu, '\ufffd'));
}

const method = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'OPTIONS'),
  },
  { weight: 1, arbitrary: fc.constantFrom('TRACE', 'PURGE', 'get', 'X', '') },
);

/** Methods and paths, most of which exist. The resource is not deleted, so that there is something to be hostile to. */
const target = (uid: string): fc.Arbitrary<[method: string, path: string]> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom<[string, string]>(
        ['GET', `/things/${uid}`],
        ['POST', '/things'],
        ['PUT', `/things/${uid}`],
        ['PUT', `/things/${uid}/status`],
        ['PATCH', `/things/${uid}`],
        ['PATCH', `/things/${uid}/status`],
        ['DELETE', '/things/thi-0000000000000000'],
      ),
    },
    { weight: 1, arbitrary: fc.tuple(method, path(uid)) },
  );

const NAMES = [
  'Accept',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'If-Unmodified-Since',
  'Content-Encoding',
  'Range',
  'Last-Event-ID',
  'Authorization',
];
const VALUES = [
  '*',
  '*/*',
  'application/json;version=v1',
  'application/json;version=v9',
  'application/json;q=2',
  '"',
  'W/',
  '"a", W/"b',
  'Mon, 99 Foo 2024 99:99:99 GMT',
  'Mon, 06 May 2024 07:08:09 GMT',
  'identity',
  'bytes=0-1',
  '',
  'x'.repeat(9_000),
];
/** Those that shape the message itself, and lines that are no headers. */
const framing = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(
        'Content-Length',
        'Transfer-Encoding',
        'Connection',
        'Expect',
        'Upgrade',
        'Content-Type',
      ),
      fc.constantFrom(
        '-1',
        '5',
        '99999999999999999999',
        'chunked',
        'gzip',
        'close',
        'upgrade',
        '100-continue',
        'x',
      ),
    )
    .map(([name, value]) => `${name}: ${value}`),
  text,
);
const header = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(fc.constantFrom(...NAMES), fc.oneof(fc.constantFrom(...VALUES), fc.string({ maxLength: 20 })))
      .map(([name, value]) => `${name}: ${value}`),
  },
  { weight: 1, arbitrary: framing },
);

const TYPES = [
  'application/json',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/shorthand-patch+json',
];

const nested =
  (open: string, close: string) =>
  (levels: number): string =>
    open.repeat(levels) + close.repeat(levels);
const json = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.json({ maxDepth: 3 }).map((any) => `{"spec":{"any":${any}},"status":{"any":${any}}}`),
  fc.json({ maxDepth: 2 }).map((spec) => `{"spec":${spec},"metadata":${spec},"apiVersion":${spec}}`),
  fc
    .array(
      fc.record({
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
        path: fc.constantFrom(
          '',
          '/',
          '/spec',
          '/spec/any',
          '/spec/any/-',
          '/metadata/uid',
          '/status',
          '/~2',
          'spec',
          '/__proto__/x',
        ),
        from: fc.constantFrom('', '/spec', '/spec/any', '/none'),
        value: fc.jsonValue({ maxDepth: 2 }),
      }),
      { maxLength: 6 },
    )
    .map((operations) => JSON.stringify(operations)),
  fc
    .dictionary(
      fc.constantFrom(
        'spec.any',
        'spec.any.a',
        'spec',
        'status.any',
        'a..b',
        '.',
        'spec.any.0',
        'metadata.labels.a\\.b',
      ),
      fc.jsonValue({ maxDepth: 1 }),
    )
    .map((changes) => JSON.stringify(changes)),
);
const body = fc.oneof(
  json,
  json.map((whole) => whole.slice(0, -1)),
  text,
  fc.integer({ min: 1, max: 100_000 }).map(nested('[', ']')),
  fc.integer({ min: 1, max: 100_000 }).map(nested('{"a":', '}')),
  fc.constantFrom(
    '{"__proto__":{"x":1}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '1e999',
    '{"spec":{"any":1e-999}}',
    'x'.repeat(1_100_000),
  ),
);

/** A request as bytes, mostly whole, sometimes with a length that is not its body's, sometimes not HTTP at all. */
const hostile = (uid: string): fc.Arbitrary<Buffer> =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(
          target(uid),
          fc.array(header, { maxLength: 2 }),
          fc.constantFrom(...TYPES, ''),
          body,
          fc.constantFrom(0, 0, 0, 0, 0, 1, -1),
        )
        .map(([[verb, address], headers, type, content, off]) => {
          const bytes = Buffer.from(content);
          const lines = [
            `${verb} ${address} HTTP/1.1`,
            'Host: x',
            ...headers,
            ...(type && [`Content-Type: ${type}`]),
            `Content-Length: ${Math.max(0, bytes.length + off)}`,
          ];
          return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]);
        }),
    },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 1,
      arbitrary: fc
        .array(
          fc.constantFrom(
            '5\r\nhello\r\n',
            '0\r\n\r\n',
            'zz\r\n',
            'fffffffffffffff\r\n',
            '-1\r\n',
            '2;x=y\r\n{}\r\n',
          ),
          { maxLength: 4 },
        )
        .map((chunks) =>
          Buffer.from(
            `POST /things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}`,
          ),
        ),
    },
  );

/** Resolves when the service has had time for what was sent before, on connections made before, however busy it is. */
async function settled(): Promise<void> {
  const sent = { headers: JSON_TYPE, body: { spec: { any: {} } } };
  for (let times = 0; times < 2; times++) {
    await begin(service.port, 'POST', '/things', sent).response;
    await setTimeout(50);
  }
}

test(`${RUNS} hostile requests: no 5xx, the process lives, its memory stays`, async () => {
  const { path: item, resource } = await create(service.port, '/things', { any: { a: [1, 2] } });
  const requests = fc.sample(hostile(resource.metadata.uid), { numRuns: RUNS, seed: SEED });
  const counts = new Map<number, number>();
  const wrong: string[] = [];
  const attack = async (bytes: Buffer): Promise<void> => {
    const raw = await sendRaw(service.port, bytes, settled);
    for (const status of statuses(raw)) {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      const allowed = status < 500 || (status === 500 && raw.includes('is not a resource: its spec'));
      if (!allowed || /node_modules|\/work\/|SQLITE|\.ts:/.test(raw))
        wrong.push(`${bytes.toString('latin1', 0, 500)}\n${raw.slice(0, 500)}`);
    }
  };
  const memory: number[] = [];
  for (let round = 0; round < 2; round++) {
    for (let start = 0; start < RUNS; start += 50)
      await Promise.all(requests.slice(start, start + 50).map(attack));
    memory.push(rss());
  }
  process.stderr.write(
    `  ${JSON.stringify(Object.fromEntries([...counts].sort()))}, MiB ${memory.join(' ')}\n`,
  );
  expect(wrong).toEqual([]);
  expect([...counts.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 404, 405, 413, 415]));
  expect(service.child.exitCode).toBeNull();
  expect((await send(service.port, 'GET', '/readyz')).status).toBe(200);
  expect([200, 404]).toContain((await send(service.port, 'GET', item)).status);
  // The same thousand a second time must not need more than what a garbage collector leaves about.
  expect(memory[1]).toBeLessThan(memory[0] + 100);
});

/** Resident memory of the service, in MiB; 0 where the system does not tell. */
function rss(): number {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))!;
  return Math.round(Number(kilobytes) / 1024);
}
