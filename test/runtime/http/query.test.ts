import {
  decodeCursor,
  encodeCursor,
  listParameters,
  parseQuery,
} from '../../../templates/runtime/http/request/query';
import { outcome } from '../support/outcome';

const KIND = 'example.svc.dev/Device';

describe('queries', () => {
  it.each<[string, [string, string[]][] | 400]>([
    ['', []],
    ['a=1', [['a', ['1']]]],
    [
      'a=1&b=2&a=3',
      [
        ['a', ['1', '3']],
        ['b', ['2']],
      ],
    ],
    ['a', [['a', ['']]]],
    ['a=', [['a', ['']]]],
    ['=1', [['', ['1']]]],
    ['a=b=c', [['a', ['b=c']]]],
    ['&&a=1&', [['a', ['1']]]],
    ['a+b=c+d', [['a b', ['c d']]]],
    ['a%20b=%2B%26%3d', [['a b', ['+&=']]]],
    ['a=%C3%A9', [['a', ['é']]]],
    ['a[b]=1', [['a[b]', ['1']]]],
    [
      '__proto__=1&constructor=2',
      [
        ['__proto__', ['1']],
        ['constructor', ['2']],
      ],
    ],
    ['a=%', 400],
    ['a=%2', 400],
    ['a=%zz', 400],
    ['a=%C3', 400],
    ['a=%ff', 400],
    ['%=1', 400],
  ])('%j', (text, want) => {
    expect(outcome(() => [...parseQuery(text)])).toEqual(want);
  });
});

describe('lists', () => {
  const nothing = { selector: [], fieldSelectors: [], expand: [], unknown: [] };
  const env = { key: 'env', operator: 'in', values: ['a'] };
  const tier = { key: 'tier', operator: 'exists', values: [] };
  it.each<[string, object | 400]>([
    ['', nothing],
    ['limit=1', { ...nothing, limit: 1 }],
    ['limit=007', { ...nothing, limit: 7 }],
    ['limit=1000', { ...nothing, limit: 1_000 }],
    ['limit=1001', { ...nothing, limit: 1_000 }],
    ['limit=99999999999999999999999', { ...nothing, limit: 1_000 }],
    ['limit=0', 400],
    ['limit=00', 400],
    ['limit=-1', 400],
    ['limit=1.0', 400],
    ['limit=1e2', 400],
    ['limit=+1', 400],
    ['limit=%201', 400],
    ['limit=x', 400],
    ['limit=', 400],
    ['limit', 400],
    ['limit=1&limit=1', 400],
    ['labelSelector=', nothing],
    ['labelSelector=env%3Da', { ...nothing, selector: [env] }],
    ['labelSelector=env=a', { ...nothing, selector: [env] }],
    ['labelSelector=env=a,tier', { ...nothing, selector: [env, tier] }],
    ['labelSelector=env+in+(a)&labelSelector=tier', { ...nothing, selector: [env, tier] }],
    ['label=env=a&label=tier', { ...nothing, selector: [env, tier] }],
    ['label=tier&labelSelector=env=a', { ...nothing, selector: [env, tier] }],
    ['labelSelector=,', 400],
    ['label=', 400],
    ['continue=abc', { ...nothing, cursor: 'abc' }],
    ['continue=', { ...nothing, cursor: '' }],
    ['continue=a&continue=a', 400],
    ['fieldSelector=a%3Db&fieldSelector=', { ...nothing, fieldSelectors: ['a=b', ''] }],
    ['sort=-spec.price', { ...nothing, sort: '-spec.price' }],
    ['sort=a&sort=b', 400],
    ['expand=a,b&expand=+c,a,,', { ...nothing, expand: ['a', 'b', 'c'] }],
    ['page=2&Limit=1&Sort', { ...nothing, unknown: ['page', 'Limit', 'Sort'] }],
    ['x%0d%0ay=1', { ...nothing, unknown: ['x\r\ny'] }],
  ])('%j', (text, want) => {
    expect(outcome(() => listParameters(text))).toEqual(want);
  });

  it('has a bound on what is asked of the store', () => {
    const keys = (count: number): string =>
      Array.from({ length: count }, (_, index) => `k${index}`).join(',');
    expect(outcome(() => listParameters(`labelSelector=${keys(100)}`))).not.toBe(400);
    expect(outcome(() => listParameters(`labelSelector=${keys(100)}&label=one-more`))).toBe(400);
    expect(outcome(() => listParameters(`labelSelector=a in (${keys(1_000)})`))).not.toBe(400);
    expect(outcome(() => listParameters(`labelSelector=a in (${keys(1_001)})`))).toBe(400);
  });
});

describe('cursors', () => {
  it.each([0, 1, 12, 2 ** 32, Number.MAX_SAFE_INTEGER])('%d', (after) => {
    const cursor = encodeCursor(KIND, after);
    expect(cursor).toMatch(/^[\w-]+$/);
    expect(decodeCursor(cursor, KIND)).toBe(after);
  });

  const written = (text: string): string => Buffer.from(text).toString('base64url');
  it.each([
    written(`-1 ${KIND}`),
    written(`01 ${KIND}`),
    written(`1.5 ${KIND}`),
    written(`1e3 ${KIND}`),
    written(`9007199254740993 ${KIND}`),
    written(`x ${KIND}`),
    written(KIND),
    written('1'),
    '',
    '12',
    encodeCursor('example.svc.dev/Book', 12),
    `${encodeCursor(KIND, 1)}=`,
    ` ${encodeCursor(KIND, 1)}`,
    encodeCursor(KIND, 1).slice(1),
    '!',
    '\0',
  ])('%j is none', (cursor) => {
    expect(outcome(() => decodeCursor(cursor, KIND))).toBe(400);
  });
});
