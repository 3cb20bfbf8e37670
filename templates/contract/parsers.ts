import { acceptedVersion } from '../runtime/http/headers/accept';
import { parseHttpDate } from '../runtime/http/headers/http-date';
import { traceparentOf } from '../runtime/http/headers/trace-context';
import { decodeUtf8, parseJson } from '../runtime/http/request/json-body';
import { listParameters, parseQuery } from '../runtime/http/request/query';
import { originForm } from '../runtime/http/request/request-target';
import { formats } from '../runtime/model/rules/formats';
import { matches, parseLabel, parseSelector, type Requirement } from '../runtime/model/selectors/selector';
import { outcome } from './outcome';

/** An input and its result: what the parser returns, or the status and the detail of the refusal. */
type Row = [input: string, result: unknown];

const is = (key: string, ...values: string[]): Requirement => ({ key, operator: 'in', values });
const not = (key: string, ...values: string[]): Requirement => ({ key, operator: 'notin', values });
const exists = (key: string): Requirement => ({ key, operator: 'exists', values: [] });
const absent = (key: string): Requirement => ({ key, operator: 'absent', values: [] });
const atPosition = (position: number, expected: string, found: string): string =>
  `400 Label selector, position ${position}: expected ${expected}, found ${found}.`;

const SELECTORS: Row[] = [
  ['', []],
  ['env', [exists('env')]],
  ['! env', [absent('env')]],
  ['env=prod', [is('env', 'prod')]],
  ['env == prod', [is('env', 'prod')]],
  ['env!=prod', [not('env', 'prod')]],
  ['a in (x,x,y),b notin (z),c', [is('a', 'x', 'y'), not('b', 'z'), exists('c')]],
  ['a=', [is('a', '')]],
  ['a in (,)', [is('a', '')]],
  ['env,', atPosition(5, 'a label key', 'the end')],
  ['!', atPosition(2, 'a label key', 'the end')],
  ['env prod', atPosition(5, '"," or the end', '"prod"')],
  ['a===b', atPosition(4, 'a value', '"="')],
  ['env in', atPosition(7, '"("', 'the end')],
  ['env in ()', atPosition(9, 'a value', '")"')],
  ['env in (a', atPosition(10, '")"', 'the end')],
  ['env in (a b)', atPosition(11, '")"', '"b"')],
  ['a<1', atPosition(2, '"," or the end', '"<"')],
  [`a ${'b'.repeat(60)}`, atPosition(3, '"," or the end', `"${'b'.repeat(50)}"`)],
];

const LABELS: Row[] = [
  ['env', exists('env')],
  ['env=', is('env', '')],
  ['env=a=b', is('env', 'a=b')],
  ['=a', '400 The query parameter "label" must be key=value or key.'],
];

/** Selectors, and whether they select a resource with the labels env=prod and zone=a. */
const SELECTED: Row[] = [
  ['env=prod', true],
  ['env!=prod', false],
  ['env in (test,prod)', true],
  ['env notin (test,prod)', false],
  ['tier notin (db)', true],
  ['!env', false],
  ['!tier', true],
  ['env,zone', true],
  ['env,tier', false],
  ['constructor', false],
];

const NOT_ENCODED = '400 The query of the URL is not validly percent-encoded.';
const QUERIES: Row[] = [
  ['', []],
  [
    'a=1&b=2&a=3',
    [
      ['a', ['1', '3']],
      ['b', ['2']],
    ],
  ],
  ['a', [['a', ['']]]],
  ['a=b=c', [['a', ['b=c']]]],
  ['&&a=1&', [['a', ['1']]]],
  ['a+b=%2B', [['a b', ['+']]]],
  ['__proto__=1', [['__proto__', ['1']]]],
  ['a=%', NOT_ENCODED],
  ['%=1', NOT_ENCODED],
];

const LIMIT = '400 The query parameter "limit" must be an integer of 1 or more.';
const NONE = { selector: [], fieldSelectors: [], expand: [], unknown: [] };
const keys = (count: number): string => Array.from({ length: count }, (_, index) => `k${index}`).join(',');
const TOO_MANY = '400 Labels may be selected by 100 requirements with 1000 values in all.';
const LISTS: Row[] = [
  ['limit=007', { ...NONE, limit: 7 }],
  ['limit=1001', { ...NONE, limit: 1_000 }],
  ['limit=0', LIMIT],
  ['limit=1.0', LIMIT],
  ['limit=1&limit=2', '400 The query parameter "limit" is given more than once.'],
  ['continue=abc', { ...NONE, cursor: 'abc' }],
  ['label=a%3D1&labelSelector=b', { ...NONE, selector: [exists('b'), is('a', '1')] }],
  ['unknown=1', { ...NONE, unknown: ['unknown'] }],
  [`labelSelector=${keys(101)}`, TOO_MANY],
  [`labelSelector=a in (${keys(1_001)})`, TOO_MANY],
];

/** Accept headers, and the version that they choose of v1 and v2; undefined for 406. */
const ACCEPTS: Row[] = [
  ['*/*', 'v1'],
  ['text/html', 'v1'],
  ['application/json;version=v2', 'v2'],
  ['application/json ; VERSION="v2"', 'v2'],
  ['application/json;version="v\\2"', 'v2'],
  ['*/*;version=v2', 'v2'],
  ['application/json;api-version=g.example/v2', 'v2'],
  ['application/json;version=g.example/v2', 'v2'],
  ['application/json;version=other.example/v2', undefined],
  ['application/json;version=v9', undefined],
  ['application/json;version=v9, application/json', 'v1'],
  ['application/json;version=v9, application/json;version=v2', 'v2'],
  ['application/json;version=v2;q=0.5, application/json;version=v1;q=0.4', 'v2'],
  ['application/json;version=v1;q=0.4, application/json;version=v2;q=0.5', 'v2'],
  ['application/json, application/json;version=v2;q=0.9', 'v1'],
  ['*/*;q=0.9, application/json;version=v2;q=0.9', 'v2'],
  ['application/json;version=v2;q=0', undefined],
  ['application/json;version=v1;q=0, application/json', 'v2'],
  ['application/json;version=v2;q=2', 'v1'],
  ['application/json;version=v2;q=0.1234', 'v1'],
  ['application/json;version', 'v1'],
  ['application/json;version="v2', 'v1'],
  ['json;version=v2', 'v1'],
  ['application/json;x=",";version=v2', 'v2'],
];

const EVERY_MONTH = Array.from({ length: 12 }, (_, month): Row => {
  const date = new Date(Date.UTC(2001, month, 3, 4, 5, 6));
  return [date.toUTCString(), date.getTime() / 1_000];
});

/** HTTP-dates, read in the year 2026, in seconds (RFC 9110, section 5.6.7). */
const DATES: Row[] = [
  ...EVERY_MONTH,
  ['Sun, 06 Nov 1994 08:49:37 GMT', 784_111_777],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 784_111_777],
  ['Sun Nov  6 08:49:37 1994', 784_111_777],
  ['Sunday, 06-Nov-76 08:49:37 GMT', 3_371_878_177],
  ['Sunday, 06-Nov-77 08:49:37 GMT', 247_654_177],
  ['Thu, 31 Dec 1998 23:59:60 GMT', 915_148_800],
  ['Thu, 29 Feb 2024 00:00:00 GMT', 1_709_164_800],
  ['Wed, 29 Feb 2023 00:00:00 GMT', undefined],
  ['Sun, 06 Nov 1994 24:00:00 GMT', undefined],
  ['Sun, 06 Nov 1994 23:60:00 GMT', undefined],
  ['Sun, 06 Nov 1994 23:59:61 GMT', undefined],
  ['Sun, 6 Nov 1994 08:49:37 GMT', undefined],
];

/** Request targets in origin-form (RFC 9112, section 3.2); undefined for those that are refused. */
const TARGETS: Row[] = [
  ['/a?b=c', { url: '/a?b=c' }],
  ['*', { url: '*' }],
  ['/a?\\', { url: '/a?\\' }],
  ['http://h/a?b', { url: '/a?b', authority: 'h' }],
  ['http://h', { url: '/', authority: 'h' }],
  ['HTTPS://h:80?x', { url: '/?x', authority: 'h:80' }],
  ['http://[::1]:80/a', { url: '/a', authority: '[::1]:80' }],
  ...['http://h;/a', 'http://h:x/a', 'http:///a', 'ftp://h/a', '/a#b', '/a b', '/a\\b', '/é', 'a', ''].map(
    (target): Row => [target, undefined],
  ),
];

const KEY = '400 The body has "__proto__" as a key.';
const NUMBER = '400 The body has a number that is out of range.';
const DEEP = '400 The body is nested deeper than 2 levels.';
const BODIES: Row[] = [
  ['{}', {}],
  ['\ufeff{}', {}],
  [' [1,"a",null,true] ', [1, 'a', null, true]],
  ['{"a":1,"a":2}', { a: 2 }],
  ['{"a":"__proto__"}', { a: '__proto__' }],
  ['["\\u005f_proto__"]', ['__proto__']],
  ['[1e308,1E2]', [1e308, 100]],
  ['[[1],[]]', [[1], []]],
  ['["[[[["]', ['[[[[']],
  ['["\\"[[[","\\\\"]', ['"[[[', '\\']],
  ['[[[1]]]', DEEP],
  ['[{"a":[1]}]', DEEP],
  ['{"__proto__":1}', KEY],
  ['{"a":{"\\u005f_proto__":1}}', KEY],
  ['1e309', NUMBER],
  ['[-1E309]', NUMBER],
  ['{"a":[1e309]}', NUMBER],
  [`[${'9'.repeat(310)}]`, NUMBER],
  [`{"a":${'9'.repeat(310)},"b":1}`, NUMBER],
];

/** Values of each format, and values that it refuses. */
const FORMATS: { [name in keyof typeof formats]: { valid: string[]; invalid: string[] } } = {
  'date-time': {
    valid: [
      ...['2024-02-29T00:00:00Z', '2000-02-29T23:59:59.5z', '2023-12-31t10:00:00-23:59'],
      ...['2016-12-31T23:59:60Z', '2017-01-01T00:59:60+01:00', '2016-12-31T18:59:60-05:00'],
    ],
    invalid: [
      ...['2023-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2023-04-31T00:00:00Z', '2023-00-01T00:00:00Z'],
      ...['2023-13-01T00:00:00Z', '2023-01-00T00:00:00Z', '2023-01-32T00:00:00Z', '2023-01-01T24:00:00Z'],
      ...['2023-01-01T00:60:00Z', '2023-01-01T00:00:61Z', '2023-01-01T00:00:60Z', '2023-01-01T00:00:00'],
      ...[
        '2023-01-01T00:00:00+24:00',
        '2023-01-01T00:00:00+00:60',
        '2017-01-01T00:59:60-01:00',
        '2023-01-01',
      ],
    ],
  },
  email: {
    valid: [
      'a@b.example',
      "a.b+c'd@x-y.example",
      `${'a'.repeat(64)}@b.example`,
      `a@${'b'.repeat(63)}.example`,
    ],
    invalid: [
      ...['a', '@b.example', 'a@b', 'a..b@c.example', '.a@b.example', 'a@-b.example', 'a@b..example'],
      ...[`${'a'.repeat(65)}@b.example`, `a@${'b'.repeat(64)}.example`, `a@${'bc.'.repeat(85)}example`],
    ],
  },
  url: {
    valid: ['http://h', 'a+b.c-1://h/x?y#z', 'https://user@h:1/'],
    invalid: ['h', 'mailto:a@b.example', 'http://', 'http://h/ x', 'http:\\\\h', 'http://h:x', '1http://h'],
  },
  ip: { valid: ['127.0.0.1', '::1', '::ffff:127.0.0.1'], invalid: ['127.0.0', '::1%eth0', '1.2.3.256', ''] },
};

const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];

/** Values of `traceparent`, and how they are passed on (W3C Trace Context, section 3.2). */
const TRACES: Row[] = [
  [`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-00`, `00-${TRACE}-${SPAN}-00`],
  [`01-${TRACE}-${SPAN}-01-more`, `00-${TRACE}-${SPAN}-01`],
  [`00-${TRACE}-${SPAN}-01-more`, undefined],
  [`ff-${TRACE}-${SPAN}-01`, undefined],
  [`00-${'0'.repeat(32)}-${SPAN}-01`, undefined],
  [`00-${TRACE}-${'0'.repeat(16)}-01`, undefined],
  [`00-${TRACE.toUpperCase()}-${SPAN}-01`, undefined],
  [`00-${TRACE}-${SPAN}`, undefined],
  ['', undefined],
];

const PARSERS: { [name: string]: [table: Row[], parser: (input: string) => unknown] } = {
  'label selectors': [SELECTORS, parseSelector],
  'short selectors': [LABELS, parseLabel],
  'selected labels': [SELECTED, (text) => matches({ env: 'prod', zone: 'a' }, parseSelector(text))],
  queries: [QUERIES, (text) => [...parseQuery(text)]],
  'queries of lists': [LISTS, (text) => listParameters(text)],
  'Accept headers': [ACCEPTS, (text) => acceptedVersion(text, 'g.example', ['v1', 'v2'])],
  'HTTP-dates': [DATES, (text) => parseHttpDate(text, Date.UTC(2026))],
  'request targets': [TARGETS, originForm],
  traces: [TRACES, (traceparent) => traceparentOf({ headers: { traceparent } })],
  'JSON bodies': [BODIES, (text) => parseJson(decodeUtf8(Buffer.from(text)), 2)],
};

/** Checks the parsers of everything that a client sends: the results, and the texts of refusals. */
export function parsers(): void {
  test.each(Object.entries(PARSERS))('%s', (_name, [table, parser]) => {
    for (const [input, result] of table)
      expect([input, outcome(() => parser(input))]).toEqual([input, result]);
  });

  test.each(['{', '[1,]', '', '"\ud800\\'])('a body that is no JSON: %j', (text) => {
    expect(outcome(() => parseJson(text, 2))).toMatch(/^400 The body is not valid JSON: .+\.$/);
  });

  test('a body that is no UTF-8', () => {
    const body = Buffer.from([0x22, 0xe9, 0x22]);
    expect(outcome(() => decodeUtf8(body))).toBe('400 The body is not valid UTF-8.');
  });

  test.each(Object.entries(FORMATS))('the format %s', (name, { valid, invalid }) => {
    const check = formats[name as keyof typeof formats];
    expect(valid.filter((text) => !check(text))).toEqual([]);
    expect(invalid.filter(check)).toEqual([]);
  });
}
