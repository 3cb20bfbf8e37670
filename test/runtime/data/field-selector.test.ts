import { parseFieldSelector } from '../../../templates/runtime/data/selecting/field-selector';
import { parseSort } from '../../../templates/runtime/data/selecting/list';
import { fieldRequirements } from '../../../templates/runtime/data/selecting/requirements';
import type { KindDefinition } from '../../../templates/runtime/model/kinds/kind';
import { keyOf } from '../../../templates/runtime/store/indexing/key';
import { outcome } from '../support/outcome';

describe('the grammar', () => {
  test.each<[string, [field: string, operator: string, ...values: string[]][] | 400]>([
    ['', []],
    ['   ', []],
    ['a', [['a', 'present']]],
    ['!a', [['a', 'absent']]],
    [' ! a ', [['a', 'absent']]],
    ['a=b', [['a', 'in', 'b']]],
    ['a==b', [['a', 'in', 'b']]],
    ['a = b', [['a', 'in', 'b']]],
    ['a!=b', [['a', 'notin', 'b']]],
    ['a<1', [['a', '<', '1']]],
    ['a<=1', [['a', '<=', '1']]],
    ['a>1', [['a', '>', '1']]],
    ['a >= 1', [['a', '>=', '1']]],
    ['a in (b,c)', [['a', 'in', 'b', 'c']]],
    ['a in(b)', [['a', 'in', 'b']]],
    ['a notin ( b , c )', [['a', 'notin', 'b', 'c']]],
    ['a in (b,b)', [['a', 'in', 'b']]],
    ['a in (b,)', [['a', 'in', 'b', '']]],
    ['a in (,)', [['a', 'in', '']]],
    ['a=', [['a', 'in', '']]],
    ['a<', [['a', '<', '']]],
    [
      'a=,b',
      [
        ['a', 'in', ''],
        ['b', 'present'],
      ],
    ],
    [
      'a=1,!b,c!=2',
      [
        ['a', 'in', '1'],
        ['b', 'absent'],
        ['c', 'notin', '2'],
      ],
    ],
    ['a=in', [['a', 'in', 'in']]],
    ['in=notin', [['in', 'in', 'notin']]],
    ['a=b.c/d:e-f_"\'*{}[]', [['a', 'in', 'b.c/d:e-f_"\'*{}[]']]],
    ['a=\t\n\u00a0', [['a', 'in', '\t\n\u00a0']]],
    ['a=\u{1f600}\0\ud800', [['a', 'in', '\u{1f600}\0\ud800']]],
    ['a=\\,\\=\\!\\<\\>\\(\\)\\\\\\ ', [['a', 'in', ',=!<>()\\ ']]],
    ['a in (\\(\\),b\\ c)', [['a', 'in', '()', 'b c']]],
    ['a\\ b=c', [['a b', 'in', 'c']]],
    ['a \\in (b)', 400],
    ['a=\\', 400],
    ['a=\\b', 400],
    ['a=b\\', 400],
    ['\\', 400],
    ['a=b c', 400],
    ['a b', 400],
    ['a=b=c', 400],
    ['a=!b', 400],
    ['a=b!', 400],
    ['a=(b)', 400],
    ['a=<b', 400],
    ['a=>1', 400],
    ['a=b>c', 400],
    ['a<>b', 400],
    ['a=!=b', 400],
    ['=b', 400],
    ['!', 400],
    ['!!a', 400],
    ['!a=b', 400],
    [',', 400],
    ['a,', 400],
    [',a', 400],
    ['a,,b', 400],
    ['a in', 400],
    ['a in b', 400],
    ['a in ()', 400],
    ['a in (b', 400],
    ['a in b)', 400],
    ['a in (b c)', 400],
    ['a in (b(c))', 400],
    ['a notin', 400],
    ['(a)', 400],
  ])('%j', (text, want) => {
    const found = outcome(() =>
      parseFieldSelector(text).map(({ field, operator, values }) => [field, operator, ...values]),
    );
    expect(found).toEqual(want);
  });

  test.each<[string, string]>([
    ['a=b c', 'Field selector, position 5: expected "," or the end, found "c".'],
    ['a=x,', 'Field selector, position 5: expected a field, found the end.'],
    [
      'a=\\x',
      'Field selector, position 3: expected one of , = ! < > ( ) \\ or a space after the backslash, found "\\\\x".',
    ],
  ])('%j is refused with its position', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(expect.objectContaining({ status: 400, detail: message }));
  });
});

const kind = {
  kind: 'Part',
  storageVersion: 'v1',
  data: {
    selectable: {
      v1: [
        { path: ['spec', 'name'], type: 'string', index: 'spec.name' },
        { path: ['spec', 'price'], type: 'number', index: 'spec.price' },
        { path: ['spec', 'isNew'], type: 'boolean', index: 'spec.isNew' },
        { path: ['spec', 'at'], type: 'timestamp', index: 'spec.at' },
        { path: ['spec', 'tags'], type: 'string', isList: true, index: 'spec.tags' },
      ],
      v2: [{ path: ['spec', 'cents'], type: 'number', index: 'v2:spec.cents' }],
    },
  },
} as unknown as KindDefinition;
const V1 = { kind, version: 'v1' };

describe('requirements', () => {
  const [ten, noon] = [keyOf(10, 'number')!, keyOf('2026-11-22T12:00:00Z', 'timestamp')!];
  test.each<[string, object | 400]>([
    ['spec.price', { index: 'spec.price', operator: 'present' }],
    ['!spec.tags', { index: 'spec.tags', operator: 'absent' }],
    ['spec.name=a', { index: 'spec.name', operator: 'in', keys: ['a'] }],
    ['spec.name=', { index: 'spec.name', operator: 'in', keys: [''] }],
    ['spec.tags notin (a,b)', { index: 'spec.tags', operator: 'notin', keys: ['a', 'b'] }],
    ['spec.price=10', { index: 'spec.price', operator: 'in', keys: [ten] }],
    ['spec.price=1e1', { index: 'spec.price', operator: 'in', keys: [ten] }],
    ['spec.price in (10,10.0)', { index: 'spec.price', operator: 'in', keys: [ten] }],
    ['spec.price<10', { index: 'spec.price', operator: 'range', to: { key: ten, isIncluded: false } }],
    ['spec.price>=10', { index: 'spec.price', operator: 'range', from: { key: ten, isIncluded: true } }],
    ['spec.isNew!=true', { index: 'spec.isNew', operator: 'notin', keys: ['\x01'] }],
    [
      'spec.at>2026-11-22T13:00:00.000+01:00',
      { index: 'spec.at', operator: 'range', from: { key: noon, isIncluded: false } },
    ],
    ['metadata.name=x', { index: 'metadata.name', operator: 'in', keys: ['x'] }],
    ['spec.price=cheap', 400],
    ['spec.price=', 400],
    ['spec.price=0x10', 400],
    ['spec.price=010', 400],
    ['spec.price=.5', 400],
    ['spec.price=NaN', 400],
    ['spec.price=Infinity', 400],
    ['spec.price in (1,x)', 400],
    ['spec.isNew=1', 400],
    ['spec.isNew=', 400],
    ['spec.isNew<true', 400],
    ['spec.isNew>=false', 400],
    ['spec.at=yesterday', 400],
    ['spec.at=2026-02-30T00:00:00Z', 400],
    ['spec.at=', 400],
    ['spec.cents=1', 400],
    ['spec', 400],
    ['constructor', 400],
  ])('%s', (text, want) => {
    expect(outcome(() => fieldRequirements(V1, [text])[0])).toEqual(want);
  });

  test('an unknown field names those that there are', () => {
    const detail =
      'The query parameter "fieldSelector": "spec.cent" is not a selectable field of Part in v2; there are: ' +
      'metadata.name, metadata.uid, metadata.createdAt, metadata.updatedAt, spec.cents. Did you mean spec.cents?';
    expect(() => fieldRequirements({ kind, version: 'v2' }, ['spec.cent'])).toThrow(
      expect.objectContaining({ status: 400, detail }),
    );
  });

  test('all selectors apply, up to a bound', () => {
    expect(fieldRequirements(V1, ['spec.name=a', '', 'spec.price'])).toHaveLength(2);
    const terms = (count: number): string => Array.from({ length: count }, () => 'spec.name').join();
    const values = (count: number): string =>
      `spec.name in (${Array.from({ length: count }, (_, n) => n).join()})`;
    expect(fieldRequirements(V1, [terms(100)])).toHaveLength(100);
    expect(outcome(() => fieldRequirements(V1, [terms(100), 'spec.name']))).toBe(400);
    expect(fieldRequirements(V1, [values(1_000)])).toHaveLength(1);
    expect(outcome(() => fieldRequirements(V1, [values(1_000), 'spec.name=a']))).toBe(400);
  });
});

describe('orders', () => {
  const newest = '-metadata.createdAt';
  test.each<[string, object | undefined | 400]>([
    ['spec.price', { index: 'spec.price' }],
    ['-spec.price', { index: 'spec.price', descending: true }],
    [`spec.price,${newest}`, { index: 'spec.price', newestFirst: true }],
    [`-spec.price, ${newest}`, { index: 'spec.price', descending: true, newestFirst: true }],
    ['metadata.name', { index: 'metadata.name' }],
    ['metadata.createdAt', undefined],
    [newest, { descending: true }],
    ['', 400],
    ['-', 400],
    ['--spec.price', 400],
    ['spec.tags', 400],
    ['spec.cents', 400],
    ['spec.price,', 400],
    ['spec.price,metadata.createdAt', 400],
    ['spec.price,spec.name', 400],
    [`spec.price,${newest},${newest}`, 400],
    [`metadata.createdAt,${newest}`, 400],
    [`${newest},${newest}`, 400],
  ])('%j', (text, want) => {
    expect(outcome(() => parseSort(V1, text))).toEqual(want);
  });
});
