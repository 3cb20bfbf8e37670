import { exampleOf } from '../../src/openapi/example';
import { patternExamples } from '../../src/pattern/example';
import { matchesPattern, patternProblem } from '../../src/pattern/pattern';

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
  expect(patternExamples(pattern).filter((text) => matchesPattern(pattern, text))).not.toEqual([]);
});

test('longer ones too', () => {
  expect(patternExamples('^a+$').map((text) => text.length)).toEqual([1, 2, 4, 11]);
});

test.each([
  `^${'(?:'.repeat(150)}a${'*)*'.repeat(150)}$`,
  `^${'(?:'.repeat(150)}a${'+)+'.repeat(150)}$`,
  '^(?:(?:(?:[0-9a-f]{20}){20}){20})$',
  `^${'[\\u{10fff0}-\\u{10ffff}]'.repeat(40)}$`,
  `^${'[\\p{Script=Adlm}]'.repeat(50)}$`,
  `^${'[\\P{ASCII}&&&]'.repeat(60)}$`,
  '(?:a?b?c?d?){1000}$',
  '(?:a|b){800}[ab]*[ab]{2000}',
  'a{4999}',
])('the work for %s is bounded', (pattern) => {
  const start = process.cpuUsage();
  const schema = { type: 'string', pattern } as const;
  if (patternProblem(pattern) === undefined) exampleOf(schema, {}, 'text');
  // On an idle machine each takes less than a second, a busy one counts a multiple; without bounds it is minutes.
  expect(process.cpuUsage(start).user / 1_000_000).toBeLessThan(10);
});
