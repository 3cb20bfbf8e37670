import fc from 'fast-check';
import { RE2Set } from 're2js';
import { patternExamples } from '../../src/pattern/example';
import { linearPattern as translated, patternProblem } from '../../src/pattern/pattern';
import { beginValidation } from '../../templates/runtime/model/rules/pattern-steps';
import { linearPattern } from '../../templates/runtime/model/rules/patterns';
import { randomPattern, randomText } from './random-pattern';

// A service matches a pattern with another engine than the readers of its OpenAPI document: both must agree.

const runs = Number(process.env['PATTERN_RUNS'] ?? 300);

test('the linear engine finds what the engine of JavaScript finds', () => {
  let matched = 0;
  const property = fc.property(randomPattern, fc.array(randomText, { maxLength: 12 }), (pattern, texts) => {
    expect(patternProblem(pattern)).toBeUndefined();
    const native = new RegExp(pattern, 'u');
    const linear = linearPattern(RE2Set, translated(pattern));
    // Longer texts could keep the engine of JavaScript busy for ever.
    const examples = patternExamples(pattern).filter(({ length }) => length <= 14);
    for (const text of ['', ...texts, ...examples]) {
      beginValidation(Infinity);
      const want = native.test(text);
      if (want) matched++;
      expect({ text, matches: linear.test(text) }).toEqual({ text, matches: want });
    }
  });
  fc.assert(property, { numRuns: runs });
  expect(matched).toBeGreaterThan(runs);
});
