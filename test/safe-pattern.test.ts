import { patternProblem } from '../src/load/safe-pattern';

test.each([
  '',
  '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  '^[a-f0-9]{64}$',
  '^.{3,255}@[a-z]{1,100}$',
  '^(\\d{1,3}\\.){3}\\d{1,3}$',
  '^(?!.*--)[a-z-]{1,63}$',
  '^\\p{Lu}[\\p{L}\\p{N} ]{0,99}$',
  '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$',
  '^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$',
  '\\\\1',
])('%s is safe', (pattern) => {
  expect(patternProblem(pattern)).toBeUndefined();
});

test.each([
  ['^(a+)+$', 'backtrack'],
  ['(a|a)*$', 'backtrack'],
  ['(a{1,5000}){1,5000}$', 'backtrack'],
  ['^(?:a?){30}a{30}$', 'backtrack'],
  ['^((a{1,40})*)\\d$', 'backtrack'],
  ['^(?!(a|aa)+$)b', 'backtrack'],
  ['(?<!(a+)+)b', 'backtrack'],
  ['a.*b.*c', 'backtrack'],
  ['(.*)\\1', 'refers back'],
  ['(?<x>a)\\k<x>', 'refers back'],
  ['[', 'is not a regular expression'],
  ['a'.repeat(1001), 'at most 1000 characters'],
])('%s is refused: %s', (pattern, want) => {
  expect(patternProblem(pattern)?.message).toContain(want);
});
