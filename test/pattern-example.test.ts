import { patternExamples } from '../src/render/pattern-example';

test.each([
  '^[A-Z]{2}-\\d{4,6}$',
  '^\\p{Lu}+/[a-f0-9]{8}$',
  '^(?:red|green)(-[a-z]+)?$',
  '^#(?<hex>[0-9a-f]{6})$',
  'a|b',
  '^$',
  '^.{3}$',
  '^\\w+@\\w+\\.com$',
  '^[^a-z]+$',
  '^[/*\'"`$\\\\{}]{1,3}$',
  '^\\u{1f600}\\x41\\u0042$',
  '^a*?b+?c??$',
  '^(a(b|c){2}|d)\\b',
  '\\(\\)\\[\\]',
  '^[\\]\\-]$',
  '😀+',
  '',
])('%s', (pattern) => {
  expect(patternExamples(pattern).filter((text) => new RegExp(pattern, 'u').test(text))).not.toEqual([]);
});

test('longer ones too', () => {
  expect(patternExamples('^a+$').map((text) => text.length)).toEqual([1, 1, 3, 10]);
});
