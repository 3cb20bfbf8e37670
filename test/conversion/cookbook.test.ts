import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RULES } from '../../src/conversion/rules/rule';
import { examplesOf, perform } from './cookbook';

// The examples of docs/conversion.md have the outcomes that the page names.

const page = readFileSync(join(__dirname, '../../docs/conversion.md'), 'utf8');
const examples = examplesOf(page);

test.each(examples.map((example) => [example.title, example] as const))('%s', (_title, example) => {
  perform(example, (step, outcome) => {
    const want = step.method === 'GET' ? step.spec : step.refusal;
    expect({ step, outcome }).toEqual({ step, outcome: want });
  });
});

test('every rule has an example', () => {
  const shown = examples.map(({ yaml }) => yaml).join('');
  expect(RULES.filter((rule) => !shown.includes(`- ${rule}:`))).toEqual([]);
});
