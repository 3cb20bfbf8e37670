import { createServer, type IncomingMessage, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  evaluateConditions,
  isConditional,
  type Outcome,
} from '../../../templates/runtime/http/headers/conditional';

const modifiedAt = Date.UTC(2024, 4, 6, 7, 8, 9, 750);
const EARLIER = 'Mon, 06 May 2024 07:08:08 GMT';
const SAME = 'Mon, 06 May 2024 07:08:09 GMT';
const LATER = 'Mon, 06 May 2024 07:08:10 GMT';
const state = { etag: '"current"', modifiedAt: () => modifiedAt, otherTags: () => ['"other"'] };

/** A request as Node reads it: lists are joined, of repeated dates only the first is in `headers`. */
function request(method: string, ...lines: [string, string][]): IncomingMessage {
  const headersDistinct: { [name: string]: string[] } = {};
  for (const [name, value] of lines) (headersDistinct[name] ??= []).push(value);
  const headers = Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values]) => [
      name,
      name.endsWith('since') ? values[0] : values.join(', '),
    ]),
  );
  return { method, headers, headersDistinct } as unknown as IncomingMessage;
}

type Row = [name: string, method: string, lines: [string, string][], want: Outcome];

describe('on a resource', () => {
  it.each<Row>([
    ['no condition', 'GET', [], 'proceed'],
    ['If-Match holds', 'PUT', [['if-match', '"current"']], 'proceed'],
    ['If-Match fails', 'PUT', [['if-match', '"old"']], 412],
    ['If-Match on GET', 'GET', [['if-match', '"old"']], 412],
    ['If-Match on HEAD', 'HEAD', [['if-match', '"old"']], 412],
    ['If-Match on DELETE', 'DELETE', [['if-match', '"old"']], 412],
    ['If-Match *', 'PUT', [['if-match', '*']], 'proceed'],
    ['If-Match * with spaces', 'PUT', [['if-match', ' * ']], 'proceed'],
    ['If-Match with a list', 'PUT', [['if-match', '"a" ,\t"current","b"']], 'proceed'],
    ['If-Match with empty elements', 'PUT', [['if-match', ',, "current" ,']], 'proceed'],
    [
      'If-Match on two lines',
      'PUT',
      [
        ['if-match', '"a"'],
        ['if-match', '"current"'],
      ],
      'proceed',
    ],
    ['If-Match with the tag of another version', 'PATCH', [['if-match', '"other"']], 'proceed'],
    ['If-Match is strong', 'PUT', [['if-match', 'W/"current"']], 412],
    ['If-Match is strong for others too', 'PUT', [['if-match', 'W/"other"']], 412],
    ['If-Match: a weak and a strong one', 'PUT', [['if-match', 'W/"current", "current"']], 'proceed'],
    ['If-Match with the tag of a compressed form', 'PUT', [['if-match', '"current-gzip"']], 'proceed'],
    ['If-Match with that of another version', 'PUT', [['if-match', '"a", "other-zstd"']], 'proceed'],
    ['If-Match with a weak one of a compressed form', 'PUT', [['if-match', 'W/"current-br"']], 412],
    ['If-Match with an unknown suffix', 'PUT', [['if-match', '"current-zip"']], 412],
    ['If-None-Match with the tag of a compressed form', 'GET', [['if-none-match', '"current-br"']], 304],
    ['If-Match without quotes', 'PUT', [['if-match', 'current']], 412],
    ['If-Match with single quotes', 'PUT', [['if-match', "'current'"]], 412],
    ['If-Match with an open quote', 'PUT', [['if-match', '"current']], 412],
    ['If-Match empty', 'PUT', [['if-match', '']], 412],
    ['If-Match ""', 'PUT', [['if-match', '""']], 412],
    ['If-Match within a quoted comma', 'PUT', [['if-match', '"a,"current",b"']], 412],
    ['If-Match after a quoted comma', 'PUT', [['if-match', '"a,b", "current"']], 'proceed'],
    ['If-Match with * among tags', 'PUT', [['if-match', '"a", *']], 412],
    ['If-None-Match with a lowercase w', 'GET', [['if-none-match', 'w/"current"']], 'proceed'],
    ['If-None-Match holds', 'GET', [['if-none-match', '"old"']], 'proceed'],
    ['If-None-Match fails on GET', 'GET', [['if-none-match', '"current"']], 304],
    ['If-None-Match fails on HEAD', 'HEAD', [['if-none-match', '"current"']], 304],
    ['If-None-Match fails on PUT', 'PUT', [['if-none-match', '"current"']], 412],
    ['If-None-Match fails on DELETE', 'DELETE', [['if-none-match', '"current"']], 412],
    ['If-None-Match is weak', 'GET', [['if-none-match', 'W/"current"']], 304],
    ['If-None-Match list', 'GET', [['if-none-match', '"a", W/"b", W/"current"']], 304],
    ['If-None-Match *', 'GET', [['if-none-match', '*']], 304],
    ['If-None-Match * on PATCH', 'PATCH', [['if-none-match', '*']], 412],
    ['If-None-Match of another version', 'GET', [['if-none-match', '"other"']], 'proceed'],
    ['If-None-Match without quotes', 'GET', [['if-none-match', 'current']], 'proceed'],
    ['If-None-Match empty', 'GET', [['if-none-match', '']], 'proceed'],
    ['If-Unmodified-Since earlier', 'PUT', [['if-unmodified-since', EARLIER]], 412],
    ['If-Unmodified-Since in the same second', 'PUT', [['if-unmodified-since', SAME]], 'proceed'],
    ['If-Unmodified-Since later', 'PUT', [['if-unmodified-since', LATER]], 'proceed'],
    ['If-Unmodified-Since on GET', 'GET', [['if-unmodified-since', EARLIER]], 412],
    ['If-Unmodified-Since invalid', 'PUT', [['if-unmodified-since', '2024-05-06']], 'proceed'],
    [
      'If-Unmodified-Since twice',
      'PUT',
      [
        ['if-unmodified-since', EARLIER],
        ['if-unmodified-since', EARLIER],
      ],
      'proceed',
    ],
    ['If-Modified-Since earlier', 'GET', [['if-modified-since', EARLIER]], 'proceed'],
    ['If-Modified-Since in the same second', 'GET', [['if-modified-since', SAME]], 304],
    ['If-Modified-Since later', 'HEAD', [['if-modified-since', LATER]], 304],
    ['If-Modified-Since on PUT', 'PUT', [['if-modified-since', SAME]], 'proceed'],
    ['If-Modified-Since on DELETE', 'DELETE', [['if-modified-since', SAME]], 'proceed'],
    ['If-Modified-Since invalid', 'GET', [['if-modified-since', 'yesterday']], 'proceed'],
    [
      'If-Modified-Since twice',
      'GET',
      [
        ['if-modified-since', SAME],
        ['if-modified-since', SAME],
      ],
      'proceed',
    ],
    ['If-Modified-Since with two dates', 'GET', [['if-modified-since', `${SAME}, ${SAME}`]], 'proceed'],
    [
      'If-Modified-Since in the form of RFC 850',
      'GET',
      [['if-modified-since', 'Monday, 06-May-24 07:08:09 GMT']],
      304,
    ],
    [
      'If-Modified-Since in the form of asctime',
      'GET',
      [['if-modified-since', 'Mon May  6 07:08:09 2024']],
      304,
    ],
  ])('%s: %s', (_name, method, lines, want) => {
    const asked = request(method, ...lines);
    expect(isConditional(asked)).toBe(lines.length > 0);
    expect(evaluateConditions(asked, state)).toBe(want);
  });
});

describe('several conditions, in the order of RFC 9110 §13.2.2', () => {
  const matches: [string, string] = ['if-match', '"current"'];
  const fails: [string, string] = ['if-match', '"old"'];
  it.each<Row>([
    ['If-Match before If-Unmodified-Since', 'PUT', [matches, ['if-unmodified-since', EARLIER]], 'proceed'],
    ['a failed If-Match before If-Unmodified-Since', 'PUT', [fails, ['if-unmodified-since', LATER]], 412],
    ['If-Match, then If-None-Match', 'GET', [matches, ['if-none-match', '"current"']], 304],
    ['If-Match, then If-None-Match, on PUT', 'PUT', [matches, ['if-none-match', '"current"']], 412],
    ['a failed If-Match before If-None-Match', 'GET', [fails, ['if-none-match', '"current"']], 412],
    ['If-Match, then If-Modified-Since', 'GET', [matches, ['if-modified-since', SAME]], 304],
    [
      'If-None-Match instead of If-Modified-Since',
      'GET',
      [
        ['if-none-match', '"old"'],
        ['if-modified-since', LATER],
      ],
      'proceed',
    ],
    [
      'If-None-Match fails, If-Modified-Since holds',
      'GET',
      [
        ['if-none-match', '"current"'],
        ['if-modified-since', EARLIER],
      ],
      304,
    ],
    [
      'If-Unmodified-Since, then If-None-Match',
      'GET',
      [
        ['if-unmodified-since', SAME],
        ['if-none-match', '"current"'],
      ],
      304,
    ],
    [
      'a failed If-Unmodified-Since before If-None-Match',
      'GET',
      [
        ['if-unmodified-since', EARLIER],
        ['if-none-match', '"current"'],
      ],
      412,
    ],
    [
      'both dates, the same',
      'GET',
      [
        ['if-unmodified-since', SAME],
        ['if-modified-since', SAME],
      ],
      304,
    ],
    [
      'an invalid If-Match hides If-Unmodified-Since',
      'PUT',
      [
        ['if-match', 'x'],
        ['if-unmodified-since', LATER],
      ],
      412,
    ],
    [
      'an invalid If-None-Match hides If-Modified-Since',
      'GET',
      [
        ['if-none-match', 'x'],
        ['if-modified-since', LATER],
      ],
      'proceed',
    ],
  ])('%s: %s', (_name, method, lines, want) => {
    expect(evaluateConditions(request(method, ...lines), state)).toBe(want);
  });
});

test('a tag that ends like one of a compressed form matches itself', () => {
  const list = { etag: '"list-br"' };
  expect(evaluateConditions(request('GET', ['if-none-match', '"list-br"']), list)).toBe(304);
  expect(evaluateConditions(request('GET', ['if-none-match', '"list-br-gzip"']), list)).toBe(304);
  expect(evaluateConditions(request('GET', ['if-none-match', '"list"']), list)).toBe('proceed');
});

describe('on a collection', () => {
  it.each<Row>([
    ['no condition', 'POST', [], 'proceed'],
    ['If-None-Match *', 'POST', [['if-none-match', '*']], 412],
    ['a tag in If-None-Match', 'POST', [['if-none-match', '"a"']], 'proceed'],
    ['If-Match *', 'POST', [['if-match', '*']], 'proceed'],
    ['a tag in If-Match', 'POST', [['if-match', '"a"']], 412],
    [
      'dates',
      'POST',
      [
        ['if-unmodified-since', EARLIER],
        ['if-modified-since', LATER],
      ],
      'proceed',
    ],
  ])('%s: %s', (_name, method, lines, want) => {
    expect(evaluateConditions(request(method, ...lines), undefined, true)).toBe(want);
  });
});

describe('where If-Match is required', () => {
  it.each<Row>([
    ['GET', 'GET', [], 'proceed'],
    ['PUT without', 'PUT', [], 428],
    ['PATCH without', 'PATCH', [], 428],
    ['DELETE without', 'DELETE', [], 428],
    ['a date is not enough', 'PUT', [['if-unmodified-since', EARLIER]], 428],
    ['If-None-Match is not enough', 'PUT', [['if-none-match', '*']], 428],
    ['PUT with', 'PUT', [['if-match', '"current"']], 'proceed'],
    ['PUT with *', 'PUT', [['if-match', '*']], 'proceed'],
    ['PUT with a wrong one', 'PUT', [['if-match', '"old"']], 412],
    ['PUT with an empty one', 'PUT', [['if-match', '']], 412],
  ])('%s: %s', (_name, method, lines, want) => {
    expect(evaluateConditions(request(method, ...lines), state, true)).toBe(want);
  });
});

it('asks for the tags of other versions only when they decide', () => {
  const otherTags = (): string[] => {
    throw new Error('asked');
  };
  for (const header of ['"current"', 'W/"x"', '*', 'x']) {
    evaluateConditions(request('PUT', ['if-match', header]), { ...state, otherTags });
  }
  expect(() => evaluateConditions(request('PUT', ['if-match', '"x"']), { ...state, otherTags })).toThrow(
    'asked',
  );
});

it('sees a repeated date as Node delivers it', async () => {
  const outcomes: Outcome[] = [];
  const server = createServer((req, res) => {
    outcomes.push(evaluateConditions(req, state));
    res.end();
  }).listen(0);
  const { port } = server.address() as AddressInfo;
  for (const dates of [[SAME], [SAME, EARLIER]]) {
    await new Promise<void>((resolve) => {
      const call = send({ port, agent: false }, (res) => res.resume().on('end', resolve));
      call.setHeader('If-Modified-Since', dates);
      call.end();
    });
  }
  server.close();
  expect(outcomes).toEqual([304, 'proceed']);
});
