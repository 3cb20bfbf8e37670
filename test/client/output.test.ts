import { parse } from 'yaml';
import { age, printable, serialised, table } from '../../templates/ctl/output';
import { eventLine } from '../../templates/ctl/watch';

test.each([
  ['a\u001b[31m', 'a\\u001b[31m'],
  ['\u2028', '\\u2028'],
  ['\u{e0041}\u{e0042}', '\\u{e0041}\\u{e0042}'],
  ['größe 😀', 'größe 😀'],
])('%j is printed without control characters', (text, want) => {
  expect(printable(text)).toBe(want);
});

test.each([' \n', '  \n \n', '\n \t\n', 'a\u009b31m', '\u007f\n', ' a\n'])(
  '%j is YAML and JSON for a terminal',
  (text) => {
    const value = { [text]: [text] };
    const [yaml, json] = [serialised(value, 'yaml'), serialised(value, 'json')];
    expect([parse(yaml), JSON.parse(json)]).toEqual([value, value]);
    expect(yaml + json).not.toMatch(/[\x7f-\x9f]/);
  },
);

test('columns are aligned below wide characters and marks', () => {
  const cells = ['NAME', '東京', 'ひかり', '서울', '😀', 'ｶﾅ', 'Ａ', 'nai\u0308ve'];
  const lines = table(cells.map((cell) => [cell, 'x']))
    .split('\n')
    .slice(0, -1);
  expect(lines.map((line) => line.slice(0, -1))).toEqual([
    'NAME     ',
    '東京     ',
    'ひかり   ',
    '서울     ',
    '😀       ',
    'ｶﾅ       ',
    'Ａ       ',
    'nai\u0308ve    ',
  ]);
});

test('a time that is none, as a service that only warns stores it, has no age', () => {
  expect(age('yesterday', 0)).toBe('yesterday');
});

test.each([
  [{ phase: 'Ready', ready: true }, '  Ready  ready=true'],
  [{ phase: { step: 2 } }, '  {"step":2}'],
  [{ ready: 'soon' }, '  ready="soon"'],
  [undefined, ''],
])('the line of an event with the status %j', (status, want) => {
  const metadata = { updatedAt: '2026-01-02T03:04:05.000Z' };
  const data = { action: 'created', resourceKind: 'Lamp', resourceUID: 'lam-1', resourceName: 'l', metadata };
  const event = { time: metadata.updatedAt, data: { ...data, resource: { status } } };
  expect(eventLine(event as never)).toBe(`${metadata.updatedAt}  created  Lamp  lam-1  l${want}\n`);
});
