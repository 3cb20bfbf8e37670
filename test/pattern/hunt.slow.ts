import fc from 'fast-check';
import { RE2Set } from 're2js';
import { patternExamples } from '../../src/pattern/example';
import { linearPattern as translated, patternProblem } from '../../src/pattern/pattern';
import { beginValidation } from '../../templates/runtime/model/rules/pattern-steps';
import { linearPattern } from '../../templates/runtime/model/rules/patterns';
import { SETTINGS } from '../../templates/runtime/settings/settings';
import { hunt } from '../support/hunt';
import { EVIL_PATTERNS } from './evil-patterns';
import { randomPattern } from './random-pattern';

const MAX_STEPS = SETTINGS.MAX_PATTERN_STEPS.fallback;
/** The known ones, and as many random ones. PATTERN_HUNT asks for more. */
const PATTERNS = Number(process.env['PATTERN_HUNT'] ?? 250);
const random = fc.sample(randomPattern, { seed: 9, numRuns: PATTERNS - EVIL_PATTERNS.length });

// What is exponential or quadratic takes seconds at least. The bound is of processor time, and far above what is linear.
test(`no text takes more than linear time: ${PATTERNS} patterns`, () => {
  const refused = EVIL_PATTERNS.filter((pattern) => patternProblem(pattern) !== undefined);
  expect(refused).toEqual([]);
  for (const pattern of [...EVIL_PATTERNS, ...random]) {
    const linear = linearPattern(RE2Set, translated(pattern));
    const examples = patternExamples(pattern).filter((text) => text !== '' && text.length <= 100);
    const parts = [...new Set([...pattern, ...examples, 'a', 'b', '0', ' ', '-', '\u{1f600}'])];
    const { ms, attack } = hunt(parts, (text) => {
      beginValidation(MAX_STEPS);
      return linear.test(text);
    });
    expect({ pattern, attack, isQuick: ms < 3_000 }).toMatchObject({ isQuick: true });
  }
});

test('what a request may cost is bounded, however many texts it has', () => {
  const linear = linearPattern(RE2Set, translated('[ab]*a[ab]{500}c'));
  const text = 'ab'.repeat(5_000);
  beginValidation(MAX_STEPS);
  const start = process.cpuUsage();
  for (let index = 0; index < 100_000; index++) linear.test(text);
  expect(process.cpuUsage(start).user / 1_000).toBeLessThan(10_000);
});
