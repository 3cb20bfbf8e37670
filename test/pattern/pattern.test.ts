import { linearPattern, matchesPattern, patternProblem } from '../../src/pattern/pattern';

test.each([
  '',
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  '^[a-f0-9]{64}$',
  '^(\\d{1,3}\\.){3}\\d{1,3}$',
  '^(?!.*--)[a-z-]{1,63}(?<!-)$',
  '^(?=.*[A-Z])(?=.*\\d).{8,32}$',
  '^\\p{Lu}[\\p{L}\\p{N} ]{0,99}$',
  '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
  '^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$',
  '^(?<year>\\d{4})-(?<month>\\d\\d)$',
  '\\\\1',
  // These take an exponential time where an engine goes back.
  '^(?:[0-9a-f]{64}|[0-9a-f]{128})+$',
  '^(?:\\S{80}|\\S{160})*$',
  '^(?:a{100}|a{101})+!$',
  '^(?:[a-z]{1,10}-?){1,8}$',
  '^(?:[A-Za-z0-9+/]{76}|[A-Za-z0-9+/]{152})+={0,2}$',
  '^(?:\\w{1,8}[-_]?){1,10}@$',
  `^${'a?'.repeat(40)}${'a'.repeat(40)}$`,
  `^${'a?'.repeat(300)}${'a'.repeat(300)}$`,
  '^(a+)+$',
  '(a|a)*$',
  'a.*b.*c',
  '^.{1,4096}$',
])('%s is accepted', (pattern) => {
  expect(patternProblem(pattern)).toBeUndefined();
});

test.each([
  ['(.*)\\1', 'refers back to a group at character 5'],
  ['(?<x>a)\\k<x>', 'refers back to a group at character 8'],
  ['a(?=b)', 'has a look-ahead at character 2'],
  ['(?!a)b', 'has a look-ahead at character 1'],
  ['^a|^(?=b)c', 'has a look-ahead at character 5'],
  ['^(?:(?!ab).)*$', 'has a look-ahead at character 5'],
  ['^(?=a(?!b)).*$', 'has a look-ahead at character 6'],
  ['(?<=a)b$', 'has a look-behind at character 1'],
  ['(a{1,5000}){1,5000}$', 'has 25,000,000 steps'],
  ['(?:[0-9a-f]{1000}){1000}', 'has 1,000,000 steps'],
  ['a{99999999999999999999}', 'has countless steps'],
  ['(?:){20000}', 'has 20,000 steps'],
  ['(((((((a{9}){9}){9}){9}){9}){9}){9}){9}', 'steps when its repeats are written out'],
  ['^(?=.{20000}).*$', 'has 20,000 steps'],
  ['[', 'is not a regular expression: Unterminated character class'],
  ['\\-', 'is not a regular expression: Invalid escape'],
  ['(?i:a)', 'is not a regular expression: Invalid group'],
  ['(?<a>x)|(?<a>y)', 'is not a regular expression: Duplicate capture group name'],
  ['[a&&b', 'is not a regular expression'],
  ['a'.repeat(1001), 'has 1001 characters; at most 1000 are allowed'],
])('%s is refused: %s', (pattern, want) => {
  expect(patternProblem(pattern)?.message).toContain(want);
});

test.each([
  ['^[A-Z]{2}-\\d{4,6}$', ['\\A[A-Z]{2}\\-[0-9]{4,6}\\z'], []],
  ['a|b', ['(?:a|b)'], []],
  ['^\\p{Lu}[^\\p{L}]', ['\\A[\\p{Lu}][^\\p{L}]'], []],
  [
    '^(?=a)(?!b).(?<=c)(?<!d)$',
    ['\\A[^\\x{a}\\x{d}\\x{2028}-\\x{2029}]\\z', '\\A(?:a)', '(?:c)\\z'],
    ['\\A(?:b)', '(?:d)\\z'],
  ],
  ['a{2500}', ['(?:a{1000}a{1000}a{500})'], []],
  ['a{0,2500}', ['(?:(?:a{833}(?:a{833})?)?a{0,834})'], []],
  ['(?:a{600}){3}', ['(?:(?:a{600}){1}(?:a{600}){1}(?:a{600}){1})'], []],
])('%s for the linear engine', (pattern, all, none) => {
  expect(linearPattern(pattern)).toMatchObject({ all, none });
});

// Counts above a thousand are put together from smaller ones.
test.each([
  [1_001, 1_001],
  [0, 1_001],
  [0, 1_999],
  [0, 2_002],
  [3, 3_007],
  [1_500, 4_096],
  [2_500, Infinity],
])('from %d to %d of a character', (min, max) => {
  const pattern = `^a{${min},${max === Infinity ? '' : max}}$`;
  for (const count of [0, 1, min - 1, min, min + 1, 999, 1_000, 1_001, 2_000, 2_999, max - 1, max, max + 1]) {
    if (count < 0 || count === Infinity) continue;
    expect([count, matchesPattern(pattern, 'a'.repeat(count))]).toEqual([
      count,
      count >= min && count <= max,
    ]);
  }
});

// An upper bound on the states that a search is in at once: what a character costs.
test.each([
  ['^[a-z]{1,64}$', 10],
  ['^(?:[0-9a-f]{64}|[0-9a-f]{128})+$', 10],
  ['^.{1,4096}$', 10],
])('%s takes few steps for a character, though its program is long', (pattern, most) => {
  expect(linearPattern(pattern).steps).toBeLessThanOrEqual(most);
});

test.each([
  ['[ab]*a[ab]{500}c', 500],
  ['^(a?){300}a{300}$', 600],
])('%s takes many', (pattern, least) => {
  expect(linearPattern(pattern).steps).toBeGreaterThanOrEqual(least);
});
